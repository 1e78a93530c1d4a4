"""Whose judgments a campaign's results are computed from: all, or those who were kept."""

from __future__ import annotations

from collections.abc import Mapping

from judgments.models import Campaign, Decision

# "kept" leaves out the annotators whom the campaign's owners excluded; "all" leaves out nobody.
ANNOTATORS = ("kept", "all")
CHOICE, KNOWN = "chosen_annotators", "known_exclusions"


def choose(campaign: Campaign, annotators: str) -> None:
    """From here on results of this object are of these annotators, by the decisions made so far.
    ValueError if it is neither."""
    if annotators not in ANNOTATORS:
        raise ValueError(f"annotators is one of {', '.join(ANNOTATORS)}, not {annotators!r}")
    setattr(campaign, CHOICE, annotators)
    setattr(campaign, KNOWN, None)
    setattr(campaign, KNOWN, excluded(campaign))


def chosen(campaign: Campaign) -> str:
    """What was chosen for this object: "kept" unless someone said otherwise."""
    return getattr(campaign, CHOICE, ANNOTATORS[0])


def left_out(campaign: Campaign) -> tuple[int, ...]:
    """The ids of the users whose judgments its results leave out, in rising order."""
    return () if chosen(campaign) == "all" else excluded(campaign)


def excluded(campaign: Campaign) -> tuple[int, ...]:
    """The ids of the users whom the campaign's owners have excluded, in rising order."""
    known = getattr(campaign, KNOWN, None)
    if known is not None:
        return known
    found = Decision.objects.filter(campaign=campaign).latest_of_each()
    return tuple(
        annotator for annotator, out in found.values_list("annotator_id", "excluded") if out
    )


def asked(query: Mapping[str, str]) -> str:
    """What the query string of a page asks for: "all", or "kept" for anything else."""
    return "all" if query.get("annotators") == "all" else "kept"
