"""Whether a ranking places the control systems of known weakness last, in words."""

from __future__ import annotations

import numpy as np
from django.utils.translation import ngettext

from judgments.models import controls_of
from judgments.results.scores.figures import SystemScores
from judgments.results.selection.selection import Selection
from judgments.web import plurals as counted


def added_to(lead: str, selection: Selection, scores: SystemScores) -> str:
    """Return the lead of a ranking, and what became of the control systems if it has any."""
    if scores.reason:
        return lead
    said = control_words(scores, controls_of(selection.campaign.test_set))
    return f"{lead} {said}" if said else lead


def control_words(scores: SystemScores, controls: dict[int, str]) -> str:
    """`controls`: their names by id. Empty where the ranking has none, or nothing else."""
    is_control = np.isin(scores.system_ids, list(controls))
    ranked = [int(i) for i in scores.order if not np.isnan(scores.mean[i])]
    own = [i for i in ranked if is_control[i]]
    others = [i for i in ranked if not is_control[i]]
    if not own or not others:
        return ""
    names = counted.names([str(scores.names[i]) for i in own])
    known = {"names": names, "n": f"{len(ranked):,}"}
    if set(ranked[-len(own) :]) != set(own):
        places = [ranked.index(i) + 1 for i in own]
        known["places"] = counted.names([f"{place:,}" for place in places])
        return (
            ngettext(
                "%(names)s, a control system of known weakness, is NOT last: it has place "
                "%(places)s of %(n)s. Look at the judgments before you trust this ranking.",
                "%(names)s, control systems of known weakness, are NOT last: they have places "
                "%(places)s of %(n)s. Look at the judgments before you trust this ranking.",
                len(own),
            )
            % known
        )
    if min(scores.cluster[own]) > max(scores.cluster[others]):
        return (
            ngettext(
                "%(names)s, a control system of known weakness, is last and in a cluster below all "
                "others, as it should be.",
                "%(names)s, control systems of known weakness, are last and in clusters below all "
                "others, as they should be.",
                len(own),
            )
            % known
        )
    return (
        ngettext(
            "%(names)s, a control system of known weakness, is last, as it should be, but cannot "
            "be told apart from every other system.",
            "%(names)s, control systems of known weakness, are last, as they should be, but cannot "
            "be told apart from every other system.",
            len(own),
        )
        % known
    )
