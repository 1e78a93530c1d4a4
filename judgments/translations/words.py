"""What the pages for translators say of a text."""

from collections.abc import Set

from .catalogs import CatalogText
from .marks import CHOSEN, HEARD, SCRIPTED, SEEN, TITLE

WAYS = {
    SEEN: "",
    CHOSEN: "in a list to choose from",
    HEARD: "for screen readers, or as a hint",
    SCRIPTED: "said at times",
    TITLE: "the title of the page",
}
BESIDE = 3


def how_shown(ways: Set[str]) -> str:
    """Empty where the text can simply be seen."""
    return "" if SEEN in ways else ", ".join(words for way, words in WAYS.items() if way in ways)


def texts_beside(text: CatalogText, texts: dict[str, CatalogText]) -> list[CatalogText]:
    """The text with those around it in its first file, which help where no screen shows it."""
    if not text.files:
        return [text]
    in_file = [each for each in texts.values() if text.files[0] in each.files]
    place = in_file.index(text)
    return in_file[max(0, place - BESIDE) : place + BESIDE + 1]
