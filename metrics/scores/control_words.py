"""Whether metrics place the control systems of known weakness last, in words."""

from __future__ import annotations

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from judgments.models import controls_of
from judgments.web import plurals as counted

from .tables import MetricColumn, ScoreTable


def control_words(table: ScoreTable) -> str:
    """Return a sentence for each control that has scores beside other systems; empty without
    any."""
    controls = controls_of(table.test_set)
    return " ".join(filter(None, (words_of(table, pk, controls) for pk in controls)))


def words_of(table: ScoreTable, control: int, controls: dict[int, str]) -> str:
    """Return how many metrics place one control below every system that is none."""
    others = {system.pk for system in table.systems} - set(controls)
    columns = [c for c in table.columns if control in c.scores and others & set(c.scores)]
    if not columns:
        return ""
    wrong = [column.title for column in columns if not is_last(column, control, others)]
    known = {"name": controls[control], "n": len(columns), "right": len(columns) - len(wrong)}
    if not wrong:
        return (
            ngettext(
                "%(name)s, a control system of known weakness, is last by the only metric.",
                "%(name)s, a control system of known weakness, is last by all %(n)s metrics.",
                len(columns),
            )
            % known
        )
    return _(
        "%(name)s, a control system of known weakness, is last by %(right)s of %(n)s metrics; NOT "
        "by %(wrong)s."
    ) % (known | {"wrong": counted.names(wrong)})


def is_last(column: MetricColumn, control: int, others: set[int]) -> bool:
    """Return whether every other system that the metric scored is better."""
    sign = 1 if column.higher_is_better else -1
    own = sign * column.scores[control].score
    return all(own < sign * column.scores[pk].score for pk in others & set(column.scores))
