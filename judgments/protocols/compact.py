"""Several short outputs on one screen: a row each with its answers next to it, and the anchors once
above them, as in the tool of Koehn and Monz (2006), "Manual and automatic evaluation of machine
translation between European languages". Rows start at the same edge, so that equal beginnings are
below each other."""

from functools import cached_property
from unicodedata import east_asian_width

from .base import Dimension
from .differences import WithDifferences

FEWEST_OUTPUTS = 3  # a screen with fewer has room for cards
MOST_DIMENSIONS = 4  # as many columns as css/compact.css supports
MOST_CHOICES = 12  # in all columns: with more of them, texts are too narrow
LONGEST = 320  # characters, wide ones count twice: about four lines
WIDE = ("W", "F")


def has_room(dimensions: tuple[Dimension, ...], most_outputs: int) -> bool:
    """Return whether the answers to a campaign's outputs fit into columns: choices with a digit for
    each anchor."""
    scales = [dimension.scale for dimension in dimensions]
    return (
        most_outputs >= FEWEST_OUTPUTS
        and 0 < len(scales) <= MOST_DIMENSIONS
        and all(scale.widget == "radio" for scale in scales)
        and all(value in range(10) for scale in scales for value in scale.values)
        and sum(scale.n_values or MOST_CHOICES + 1 for scale in scales) <= MOST_CHOICES
    )


def width(text: str) -> int:
    """Return the width in characters of ordinary width."""
    if text.isascii():
        return len(text)
    return sum(2 if east_asian_width(character) in WIDE else 1 for character in text)


class Compact(WithDifferences):
    """Mixin of forms over several outputs: whether their screen has rows. Differences are marked
    there, and hidden until the annotator shows them."""

    hidden_at_first = True

    def show_rows(self, shown) -> None:
        self.compared = tuple(row.text for row in shown)

    @cached_property
    def compact(self) -> bool:
        """Only for short texts; a long one is read in a card, next to its source."""
        texts = self.compared
        return len(texts) > 1 and all(width(text) <= LONGEST for text in texts)
