"""Which answers are right, as far as a program can tell."""

import unicodedata

from judgments.models import Question

UNTOLD = ""  # what is stored when the translation does not tell


def normalized(answer: str) -> str:
    """Return the answer without what does not matter: case, spaces, marks before and after, and the
    ways in which Unicode writes the same character."""
    text = unicodedata.normalize("NFKC", answer).casefold()
    text = " ".join(unicodedata.normalize("NFKC", text).split())
    kept = [i for i, character in enumerate(text) if unicodedata.category(character)[0] not in "PZ"]
    if not kept:
        return text
    start, end = kept[0], kept[-1] + 1
    is_negative = start > 0 and text[start].isdigit() and text[start - 1] == "-"
    return text[start - is_negative : end]


def verdict(question: Question, answer: str) -> bool | None:
    """Return whether an answer is right; None where a person has to say it.

    A choice is right word for word. An open answer is right if it is one of the accepted ones but
    for what `normalized` takes away; where none is named a person grades, unless it says that the
    translation does not tell.
    """
    if answer == UNTOLD or question.choices:
        return answer in question.right
    if not question.right:
        return None
    return normalized(answer) in {normalized(right) for right in question.right if right != UNTOLD}
