"""How fast people edited, for each word of the source, beside translating from an empty start."""

from __future__ import annotations

import math

from django.utils.translation import gettext as _

from judgments.results.observations.measures import MEASURES, measured_systems
from judgments.results.scores.figures import SystemScores
from judgments.results.selection.selection import Selection
from judgments.web.columns import HIGH, LOW
from judgments.web.tables import Column, Table, figure


def speeds(selection: Selection) -> tuple[SystemScores, SystemScores, SystemScores]:
    """Return for editing, of translating from scratch, and keystrokes; signs are reversed."""
    named = ("seconds_per_word", "scratch_seconds_per_word", "keystrokes_per_word")
    editing, scratch, keys = (measured_systems(selection, MEASURES[slug]) for slug in named)
    return editing, scratch, keys


def speed_words(selection: Selection) -> str:
    """Return what the fastest system's outputs save, where somebody translated from scratch,
    too."""
    editing, scratch, _keys = speeds(selection)
    if not len(editing.names) or not len(scratch.names):
        return ""
    best = int(editing.order[0])
    fast, slow = -float(editing.mean[best]), -float(scratch.mean.mean())
    return _(
        "Starting from scratch, people took %(slow)s seconds per source word, with the outputs "
        "of %(system)s %(fast)s: %(share)s %% of that time."
    ) % {
        "slow": figure(slow, 2),
        "fast": figure(fast, 2),
        "system": str(editing.names[best]),
        "share": f"{100 * fast / slow:.0f}" if slow else "–",
    }


def speed_table(selection: Selection) -> Table:
    """Return the fastest system first; then those whose outputs are empty."""
    editing, scratch, keys = speeds(selection)
    strokes = dict(zip(keys.names.tolist(), (-keys.mean).tolist(), strict=True))
    rows = [
        (
            str(found.names[i]),
            start,
            -float(found.mean[i]),
            -float(found.high[i]),
            -float(found.low[i]),
            strokes.get(found.names[i], math.nan),
            int(found.n_segments[i]),
        )
        for found, start in ((editing, _("the output")), (scratch, _("from scratch")))
        for i in found.order
    ]
    columns = (
        Column("system"),
        Column("start", _("Start"), "text"),
        Column("seconds_per_word", _("Seconds per source word"), "number"),
        LOW,
        HIGH,
        Column("keystrokes_per_word", _("Keystrokes per source word"), "number"),
        Column("n_segments", _("Segments"), "count"),
    )
    note = _("Means over segments with 95 % t intervals; of what was timed and could be corrected.")
    return Table("edits-speed", _("Speed by system"), columns, rows, note)
