"""Tutorial items: shown and checked like work, but not stored as work."""

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Protocol, runtime_checkable

from django.db import transaction
from django.forms import BaseForm, Field
from django.utils.translation import gettext as _

from judgments.files.jsonl import SURROGATE
from judgments.files.markdown import problem_with
from judgments.models import Campaign, Membership, Practice
from judgments.models.locks import lock_campaign
from judgments.protocols import protocol_of

from ..in_memory import MemoryText, screen_in_memory
from ..screen import Screen

KEYS = {"source", "reference", "outputs", "expected", "feedback"}
MOST = 100
LONGEST_TEXT = 5_000  # of a source, a reference, an output
LARGEST_NUMBER = 1e9
MOST_DEPTH = 5  # of lists and objects in what is expected


def next_practice(membership: Membership) -> int | None:
    """Return the number, from 1, of the first tutorial item that is still to be done; None: all
    are."""
    n_items = membership.campaign.practices.count()
    done = membership.n_practiced
    return done + 1 if done < n_items else None


def practiced(membership: Membership, number: int) -> None:
    """A tutorial item was answered, rightly or not."""
    Membership.objects.filter(pk=membership.pk, n_practiced__lt=number).update(n_practiced=number)


def practice_screen(
    campaign: Campaign, practice: Practice, number: int, n_items: int, now
) -> Screen:
    """Return a screen like any other, whose answers are not stored."""
    texts = [MemoryText(practice.source, practice.reference, practice.outputs)]
    return screen_in_memory(campaign, texts, number, n_items, now)


@dataclass(frozen=True)
class Checked:
    """One question of a tutorial item: in words what was answered and what is accepted."""

    label: str
    given: str
    expected: str
    is_right: bool


def check(form: BaseForm, expected: Mapping[str, Any]) -> list[Checked]:
    """form: valid. expected: by the names of its fields; a question that is not there has no right
    answer."""
    return [
        checked(form, name, accepted) for name, accepted in expected.items() if name in form.fields
    ]


def checked(form: BaseForm, name: str, accepted: Any) -> Checked:
    """Return a field whose answers are more than a value, such as marked errors, judges them
    itself."""
    field, value, label = form.fields[name], form.cleaned_data[name], str(form[name].label)
    if isinstance(field, KnowsExpected):
        right = field.is_accepted(value, accepted)
        return Checked(label, field.in_words(value), expected_words(form, name, accepted), right)
    words = in_words(form, name, value), expected_words(form, name, accepted)
    return Checked(label, *words, is_accepted(value, accepted, form.cleaned_data))


@runtime_checkable
class KnowsExpected(Protocol):
    """Raises ValueError in words from `check_expected` for what no answer could be."""

    def check_expected(self, accepted: Any) -> None: ...
    def is_accepted(self, value: Any, accepted: Any) -> bool: ...
    def in_words(self, value: Any) -> str: ...
    def expected_words(self, accepted: Any) -> str: ...


@runtime_checkable
class ExpectsRows(Protocol):
    """What it expects is a list of rows, each of which has these fields in a manager's form."""

    def columns(self) -> dict[str, Field]: ...
    def as_columns(self, row: Any) -> dict[str, Any]: ...
    def from_columns(self, cleaned: Mapping[str, Any]) -> dict[str, Any]: ...


def is_accepted(value: Any, accepted: Any, given: Mapping[str, Any] = MappingProxyType({})) -> bool:
    """accepted: one value, a list of them, or a range as {"from": 60, "to": 100}, "above" another
    answer, which it names, or only the latter. given: all answers."""
    if isinstance(accepted, list):
        return any(is_accepted(value, each, given) for each in accepted)
    number = as_number(value)
    if isinstance(accepted, dict):
        if number is None:
            return False
        if not accepted.get("from", number) <= number <= accepted.get("to", number):
            return False
        other = as_number(given.get(accepted.get("above", "")))
        return "above" not in accepted or (other is not None and number > other)
    wanted = as_number(accepted)
    if number is not None and wanted is not None:
        return number == wanted
    return str(value).strip() == str(accepted).strip()


def as_number(value: Any) -> float | None:
    try:
        return float(value)
    except (TypeError, ValueError):
        return None


def in_words(form: BaseForm, name: str, value: Any) -> str:
    """Return an answer as the screen words it."""
    for choice, words in getattr(form.fields[name], "choices", ()):
        if is_accepted(value, choice):
            return str(words)
    number = as_number(value)
    return f"{number:g}" if number is not None else str(value)


def expected_words(form: BaseForm, name: str, accepted: Any) -> str:
    field = form.fields[name]
    if isinstance(field, KnowsExpected):
        return field.expected_words(accepted)
    if isinstance(accepted, list):
        return " / ".join(expected_words(form, name, each) for each in accepted)
    if isinstance(accepted, dict):
        ends = {"low": accepted.get("from"), "high": accepted.get("to")}
        words = [_("%(low)g to %(high)g") % ends] if "from" in accepted else []
        words += [f"> {form[accepted['above']].label}"] if "above" in accepted else []
        return ", ".join(words)
    return in_words(form, name, accepted)


# What a manager writes, in forms or in a file.


def read_rows(campaign: Campaign, rows: Sequence[Any]) -> list[Practice]:
    """Return tutorial items from their rows. Raise ValueError, which names the item."""
    found: list[Practice] = []
    if len(rows) > MOST:
        raise ValueError(f"At most {MOST} tutorial items are possible; these are {len(rows)}.")
    for number, row in enumerate(rows, 1):
        try:
            found.append(read_row(campaign, row, len(found)))
        except ValueError as error:
            raise ValueError(f"Item {number}: {error}") from None
    return found


def read_row(campaign: Campaign, row: Any, position: int) -> Practice:
    """Return a tutorial item that is not stored yet. Raise ValueError."""
    if not isinstance(row, dict) or set(row) - KEYS:
        raise ValueError(f"write an object with {', '.join(sorted(KEYS))}.")
    texts = {name: row.get(name, "") for name in ("source", "reference", "feedback")}
    outputs, expected = row.get("outputs"), row.get("expected", {})
    for name, value in texts.items():
        if not is_text(value):
            raise ValueError(f"“{name}” must be text.")
    if not isinstance(outputs, list) or not all(is_text(each) and each for each in outputs):
        raise ValueError("“outputs” must be a list of translations.")
    for name, value in [*texts.items(), *(("outputs", each) for each in outputs)]:
        if name != "feedback" and len(value) > LONGEST_TEXT:
            reason = (
                f"“{name}” has {len(value):,} characters; at most {LONGEST_TEXT:,} are possible."
            )
            raise ValueError(reason)
    if problem := problem_with(texts["feedback"]):
        raise ValueError(f"“feedback”: {problem}")
    fewest, most = protocol_of(campaign).outputs_per_item()
    if not fewest <= len(outputs) <= most:
        raise ValueError(f"write {fewest} to {most} translations; these are {len(outputs)}.")
    practice = Practice(
        campaign=campaign, position=position, outputs=outputs, expected=expected, **texts
    )
    check_expected(campaign, practice)
    return practice


def is_text(value: Any) -> bool:
    """Return whether it is a text that can be stored: JSON's escapes can spell a NUL and half a
    pair."""
    return isinstance(value, str) and "\0" not in value and not SURROGATE.search(value)


def can_be_stored(value: Any, depth: int = 0) -> bool:
    """Return whether all in a value of JSON are texts, and numbers that a screen could have."""
    if isinstance(value, dict | list):
        inner = [*value, *value.values()] if isinstance(value, dict) else value
        return depth < MOST_DEPTH and all(can_be_stored(each, depth + 1) for each in inner)
    if isinstance(value, int | float):
        return abs(value) <= LARGEST_NUMBER
    return value is None or is_text(value)


def check_expected(campaign: Campaign, practice: Practice) -> None:
    """Raise ValueError unless every expected answer is one that the screen can bring."""
    if not isinstance(practice.expected, dict):
        raise ValueError("“expected” must be an object.")
    if not can_be_stored(practice.expected):
        raise ValueError("“expected” has a number or a text that cannot be an answer.")
    fields = practice_screen(campaign, practice, 1, 1, None).form().fields
    for name, accepted in practice.expected.items():
        if name not in fields:
            raise ValueError(f"the screen has no “{name}”; it has {', '.join(fields)}.")
        field = fields[name]
        if isinstance(field, KnowsExpected):
            field.check_expected(accepted)
            continue
        for each in accepted if isinstance(accepted, list) else [accepted]:
            if isinstance(each, dict) and is_range(each, fields):
                continue
            if isinstance(each, dict | list | None) or (each != each):
                raise ValueError(f"“{name}” must be a value, a list, or from and to.")


def is_range(accepted: Mapping[str, Any], fields: Mapping[str, Any]) -> bool:
    """Return whether it says from where to where, above which other answer, or both."""
    ends = {key: end for key, end in accepted.items() if key != "above"}
    above = accepted.get("above")
    is_known = isinstance(above, str) and above in fields
    return (
        (set(ends) == {"from", "to"} or (not ends and is_known))
        and all(isinstance(end, int | float) for end in ends.values())
        and ("above" not in accepted or is_known)
    )


def rows_of(campaign: Campaign) -> list[dict[str, Any]]:
    """Return the campaign's tutorial items, as `read_row` reads each."""
    rows = campaign.practices.values("source", "reference", "outputs", "expected", "feedback")
    return [dict(row) for row in rows]


class ReplacedMeanwhile(Exception):
    """The campaign has other tutorial items than those that somebody has read and changed."""


def version_of(campaign: Campaign) -> str:
    """Return a name of the campaign's tutorial items, another one when any of them changes."""
    rows = json.dumps(rows_of(campaign), ensure_ascii=False)
    return hashlib.sha256(rows.encode()).hexdigest()[:16]


@transaction.atomic
def replace(campaign: Campaign, practices: list[Practice], *, version: str | None = None) -> None:
    """These tutorial items in place of those that the campaign has.

    version: of the ones that somebody has read and changed; None: whatever there is goes. Raises
    ReplacedMeanwhile if these are no longer the campaign's.
    """
    lock_campaign(campaign.pk)
    if version is not None and version != version_of(campaign):
        raise ReplacedMeanwhile
    campaign.practices.all().delete()
    Practice.objects.bulk_create(practices)
