"""Error for actions that need texts on a test set with keys only: its texts may not be passed
on."""

TO_JUDGE = (
    "The texts of this test set are not here, so there is nothing to show to annotators. "
    "Add the texts first."
)
TO_SCORE = (
    "The texts of this test set are not here, so no metric can be computed. Add the texts first, "
    "or add scores from a file."
)
TO_COUNT_WORDS = (
    "The texts of this test set are not here, so nobody knows how many words a segment has. "
    "Leave out the filter by words."
)
