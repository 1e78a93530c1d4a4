"""How much of a text an editor left as it was, counted in words.

The edits are insertions, deletions and substitutions of single words (Levenshtein 1966). Unlike TER
(Snover et al. 2006) no word is moved, so the share is at most that of HTER without its shifts; the
metric HTER has them, and works on post-edits that are handed to the test set.
"""

from rapidfuzz.distance import Levenshtein

# Languages that are written without spaces between words: their characters are counted.
WITHOUT_SPACES = {"ja", "km", "lo", "my", "th", "yue", "zh"}


def unit(language: str) -> str:
    """Return what is counted in a language, by its tag: "character" or "word"."""
    return "character" if language.split("-")[0].lower() in WITHOUT_SPACES else "word"


def words(text: str, language: str) -> list[str]:
    """Return what spaces divide; the characters but for spaces where a language is written
    without."""
    parts = text.split()
    return list("".join(parts)) if unit(language) == "character" else parts


def share_kept(output: str, edited: str, language: str) -> float:
    """Return 100 · (1 − edits / words of the edited text), not below 0; 100 where neither has a
    word."""
    before, after = words(output, language), words(edited, language)
    if not after:
        return 100.0 if not before else 0.0
    return 100 * (1 - min(1.0, Levenshtein.distance(before, after) / len(after)))
