"""A campaign's results in words, tables and charts, for pages and for files."""

from . import agreement, power, quality, scores, stopping
from .base import PARTS, Part, TableLink, all_charts, all_tables, plain, register

register(agreement.PART)
register(scores.PART)
register(power.PART)
register(quality.PART)
register(stopping.PART)

__all__ = [
    "PARTS",
    "Part",
    "TableLink",
    "agreement",
    "all_charts",
    "all_tables",
    "plain",
    "power",
    "quality",
    "register",
    "scores",
    "stopping",
]
