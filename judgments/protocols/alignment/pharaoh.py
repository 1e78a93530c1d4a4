"""Word links as text, in the format of Pharaoh: `0-0 1-2 2p3`, places of source and target words
from 0; `-` is a sure link, `p` or `?` one that is only possible."""

import re
from collections.abc import Iterable

from django.utils.translation import gettext as _

LinkPlaces = tuple[int, int, bool]  # source word, target word, whether it is sure

LINK = re.compile(r"(?P<source>[0-9]{1,5})(?P<kind>[-p?])(?P<target>[0-9]{1,5})", re.ASCII)
MOST_LINKS = 5_000


def read_links(
    text: str, n_source: int, n_target: int, *, possible: bool = True
) -> list[LinkPlaces]:
    """Return the links of a text, in rising order.

    n_source, n_target: how many words there are. possible: whether links may be merely possible.
    Raises ValueError in words.
    """
    found: dict[tuple[int, int], bool] = {}
    for part in text.split():
        match = LINK.fullmatch(part)
        if match is None:
            raise ValueError(
                _("“%(part)s” is not a link. A link looks like 0-2, or 0p2 if it is only possible.")
                % {"part": part[:20]}
            )
        source, target = int(match["source"]), int(match["target"])
        if source >= n_source or target >= n_target:
            raise ValueError(
                _("“%(part)s” goes beyond the words: there are %(source)d and %(target)d, from 0.")
                % {"part": part, "source": n_source, "target": n_target}
            )
        if (source, target) in found:
            raise ValueError(
                _("“%(part)s” links two words that are already linked.") % {"part": part}
            )
        is_sure = match["kind"] == "-"
        if not (is_sure or possible):
            raise ValueError(
                _("“%(part)s” is only possible; here all links are sure.") % {"part": part}
            )
        if len(found) == MOST_LINKS:
            raise ValueError(_("There are more than %(most)d links.") % {"most": MOST_LINKS})
        found[source, target] = is_sure
    return [(*ends, found[ends]) for ends in sorted(found)]


def write_links(links: Iterable[LinkPlaces]) -> str:
    return " ".join(
        f"{source}{'-' if sure else 'p'}{target}" for source, target, sure in sorted(links)
    )
