"""Length of a text in words, by its language: for figures, and for planted phrases.

Plans and paces count by script instead (`judgments.people.workload.words`), because a text's
language may not be known to be written without spaces, and may be mixed with one that has them.
"""

# Written without spaces between words: two characters count as a word.
UNSPACED = {"zh", "ja", "th", "lo", "km", "my", "bo", "yue"}


def n_words(text: str, language: str) -> float:
    """Return the number of words of a text in a language (a tag), at least one; in a script without
    spaces, half the number of characters."""
    spaced = language.split("-")[0].lower() not in UNSPACED
    n = len(text.split()) if spaced else len("".join(text.split())) / 2
    return max(float(n), 1.0)
