"""How long a text is, in words, by its language: for figures, and for planted phrases.

Plans and paces count by script instead (`judgments.people.workload.words`), because the language of
a text may not be known to be written without spaces, and may be mixed with one that is not.
"""

# Written without spaces between words: two characters count as a word.
UNSPACED = {"zh", "ja", "th", "lo", "km", "my", "bo", "yue"}


def n_words(text: str, language: str) -> float:
    """Return words of a text in a language (its tag), at least one; of a script without spaces,
    half its characters."""
    spaced = language.split("-")[0].lower() not in UNSPACED
    n = len(text.split()) if spaced else len("".join(text.split())) / 2
    return max(float(n), 1.0)
