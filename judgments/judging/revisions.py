"""An answer to an item that is judged already: the same once more, a revision, or one that crossed
with another device."""

import uuid
from collections.abc import Sequence
from dataclasses import replace

from judgments.judging.observations import as_sets, said_by
from judgments.models import Judgment
from judgments.models.new_observations import Observations

from .ticket import Ticket


class JudgedMeanwhile(Exception):
    """The item has a newer judgment than the one that was shown with it: from another device, or
    another tab. Which of the two holds is for the annotator to say."""


def stored_as(
    names: tuple[str, ...], revisions: Sequence[Judgment], ticket: Ticket, said: Observations
) -> Judgment | None:
    """Return the judgment that this answer is, or the current one if it says the same; None when
    there is none. names: the protocol's kinds. revisions: of the item, the last one first."""
    sets = as_sets(names, said)
    keys = {ticket.key, key_of_change(ticket, sets)}
    for revision in revisions:
        is_candidate = revision is revisions[0] or revision.client_key in keys
        if is_candidate and said_by(names, revision) == sets:
            return revision
    return None


def ticket_of_revision(
    names: tuple[str, ...], revisions: Sequence[Judgment], ticket: Ticket, said: Observations
) -> Ticket:
    """Return the ticket under which an answer is stored as a revision. Raise JudgedMeanwhile.

    One ticket may bring several answers: the reply to the first got lost, and the annotator changed
    it before it was sent again. What follows the first has a key made of what it says.
    """
    if all(revision.client_key != ticket.key for revision in revisions):
        if ticket.seen is not None and revisions[0].revision > ticket.seen:
            raise JudgedMeanwhile
        return ticket
    last = revisions[0]
    if last.client_key not in (ticket.key, key_of_change(ticket, said_by(names, last))):
        raise JudgedMeanwhile
    return replace(ticket, key=key_of_change(ticket, as_sets(names, said)))


def key_of_change(ticket: Ticket, sets: list[set]) -> uuid.UUID:
    """Return a key that the same answer under the same ticket always has."""
    said = [sorted(repr([as_number(value) for value in row]) for row in each) for each in sets]
    return uuid.uuid5(ticket.key, repr(said))


def as_number(value):
    """Return 5 and 5.0 are the same answer."""
    return float(value) if isinstance(value, int | float) else value
