"""Error for actions that need texts on a test set with keys only: its texts may not be passed
on."""

TO_JUDGE = (
    "This test set has no texts, so there is nothing to show to annotators. Add the texts first."
)
TO_SCORE = (
    "This test set has no texts, so no metric can be computed. Add the texts first, or add "
    "scores from a file."
)
TO_COUNT_WORDS = (
    "This test set has no texts, so the number of words of a segment is not known. Leave out the "
    "filter by words."
)
