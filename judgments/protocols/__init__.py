"""The protocols: a new one is a package, and a line in ``PACKAGES``."""

from importlib import import_module

from .contract import Protocol, ProtocolPage
from .presets import PRESETS, RELEASED, preset_named
from .registry import PROTOCOLS, presets_by_protocol, protocol_of, register

__all__ = [
    "PRESETS",
    "PROTOCOLS",
    "RELEASED",
    "Protocol",
    "ProtocolPage",
    "preset_named",
    "presets_by_protocol",
    "protocol_of",
    "register",
]

# Package and class, in the order of pages.
PACKAGES = (
    "rating:RatingProtocol",
    "pairwise:Pairwise",
    "ranking:RankingProtocol",
    "spans:Spans",
    "post_editing:PostEditing",
    "questions:Questions",
    "acceptability:Acceptability",
    "alignment:WordAlignment",
    "continuous:ContinuousRating",
)


def load(line: str) -> type[Protocol]:
    """Return the class that a line of ``PACKAGES`` names."""
    package, _, name = line.partition(":")
    return getattr(import_module(f".{package}", __name__), name)


for _line in PACKAGES:
    register(load(_line))
