"""The files of a bundle → rows in tables of their own, for as long as a transaction lasts.

Rows get numbers of this database, in the order of those that they had.
"""

from __future__ import annotations

import base64
import json
import uuid
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from django.contrib.auth import get_user_model
from django.db import DatabaseError, connection, models
from django.utils import timezone

from judgments.files.copying import analyze, copy_rows, new_ids
from judgments.models import Answer, Campaign, Grade, Item, Judgment, Membership, PostEdit, Role
from judgments.models.chains.content import COLUMNS
from judgments.models.chains.judgment_rows import MODELS
from judgments.models.scratch import scratch_tables
from judgments.protocols import protocol_of
from judgments.web.extension_points import registered

from .edits import JUDGED, add_edits, part_of
from .frame import FOLDER, GRADES, IMPORTED, JUDGMENTS, text_of
from .orders import ORDERS, as_stored
from .problem import BundleProblem
from .rows import OF_JUDGMENTS, OWNER, PEOPLE, BundledRows, all_rows

# Which rows the numbers lead to that a judgment's content has.
OF_COLUMNS = {
    **dict.fromkeys(("output_id", "output_a_id", "output_b_id"), "outputs"),
    "question_id": "questions",
    "prefill_id": "prefilled-spans",
}
HEAD = (
    *("id", "campaign", "item", "annotator", "client_key", "revision", "supersedes"),
    *("started_at", "submitted_at", "active_ms", "guideline_version"),
)
AT_ONCE = 5000
LONGEST_LINE = 2**24  # characters
UNREADABLE = (
    *(LookupError, ValueError, TypeError, AttributeError, ArithmeticError, RecursionError),
    DatabaseError,
)
Numbers = dict[str, dict[int, int]]  # {rows: {number in the bundle: number here}}


@dataclass(frozen=True)
class RebuiltCampaign:
    """A campaign that came out of a bundle, and what the numbers of its rows were there."""

    campaign: Campaign
    numbers: Numbers


@contextmanager
def rebuilt(folder: Path) -> Iterator[RebuiltCampaign]:
    """The campaign of a bundle, alone in the database until the end of the block; then nothing of
    it is left. Raise BundleProblem for rows that cannot be stored."""
    with rebuilt_together([folder]) as (made,):
        yield made


@contextmanager
def rebuilt_together(folders: Sequence[Path]) -> Iterator[list[RebuiltCampaign]]:
    """The same of several, where people who have the same number are the same."""
    with scratch_tables():
        try:
            with connection.wrap_database_errors:
                people = _add_people(folders)
                made = [_campaign(folder, people) for folder in folders]
        except UNREADABLE as error:
            raise BundleProblem(f"Its rows cannot be read: {_said(error)}") from error
        yield made


def _said(error: Exception) -> str:
    if isinstance(error, KeyError):
        return f"{error} is missing, or leads to no row."
    return str(error).split("\n")[0]


def _campaign(folder: Path, known_people: dict[int, int]) -> RebuiltCampaign:
    numbers: Numbers = {PEOPLE: known_people}
    owner = get_user_model().objects.create(username=f"release-{uuid.uuid4()}", is_active=False)
    people = list(read_rows(folder, PEOPLE))
    edits = sorted(read_rows(folder, JUDGED), key=lambda row: row["id"])
    grown = []
    for rows in all_rows(notes=True):
        numbers[rows.name] = _add(rows, list(read_rows(folder, rows.name)), owner.pk, numbers)
        if rows.name == "campaigns" and len(numbers["campaigns"]) == 1:
            (campaign,) = Campaign.objects.filter(pk__in=numbers["campaigns"].values())
            _check_protocol(campaign)
            if protocol_of(campaign).unit == "edit":
                numbers[JUDGED] = _numbered(edits, PostEdit)
            _add_members(campaign, owner, people, numbers)
        if len(numbers[rows.name]) > AT_ONCE:
            grown.append(rows.model)
    if len(numbers["campaigns"]) != 1 or len(numbers["test-sets"]) != 1:
        raise BundleProblem("It does not contain one campaign with its test set.")
    if any(read_rows(folder, IMPORTED)):
        numbers[IMPORTED] = {}
    grown += _add_judgments(folder, numbers)
    for rows in OF_JUDGMENTS:
        numbers[rows.name] = _add(rows, list(read_rows(folder, rows.name)), owner.pk, numbers)
    if JUDGED in numbers:
        add_edits(edits, campaign, {row["id"]: row["name"] for row in people}, numbers)
    _add_grades(list(read_rows(folder, GRADES)), owner.pk, numbers)
    if grown:
        analyze(*grown)
    for work in registered("bundled_work"):
        work(campaign.test_set)
    return RebuiltCampaign(campaign, numbers)


def _check_protocol(campaign: Campaign) -> None:
    try:
        protocol = protocol_of(campaign)
        _ = protocol.preset, protocol.dimensions()
    except Exception as error:
        raise BundleProblem(
            f"This installation does not know the preset {campaign.preset!r}: {_said(error)}"
        ) from error


def read_rows(folder: Path, name: str) -> Iterator[dict[str, Any]]:
    path = folder / FOLDER / f"{name}.jsonl"
    return read_lines(path) if path.exists() else iter(())


def read_lines(path: Path) -> Iterator[dict[str, Any]]:
    """Raise BundleProblem with the line for what is no object, or longer than any of a bundle."""
    with path.open(encoding="utf-8", newline="\n") as lines:
        for n, line in enumerate(iter(lambda: lines.readline(LONGEST_LINE), ""), 1):
            try:
                row = json.loads(line) if len(line) < LONGEST_LINE else None
            except (ValueError, RecursionError):
                row = None
            if not isinstance(row, dict):
                raise BundleProblem(f"{path.name}, line {n}: not an object of JSON.")
            yield row


# ---- People --------------------------------------------------------------------------------------


def _add_people(folders: Sequence[Path]) -> dict[int, int]:
    """Return accounts for all annotators, in the order of their numbers; what these are here."""
    ids = sorted({row["id"] for folder in folders for row in read_rows(folder, PEOPLE)})
    users = get_user_model()
    made = [users(username=f"release-{uuid.uuid4()}", is_active=False) for _ in ids]
    return dict(zip(ids, [user.pk for user in users.objects.bulk_create(made)], strict=True))


def _add_members(campaign: Campaign, owner, people: list[dict[str, Any]], numbers: Numbers) -> None:
    members = [Membership(campaign=campaign, user=owner, role=Role.OWNER, alias=OWNER)]
    members += [
        Membership(
            campaign=campaign,
            user_id=numbers[PEOPLE][row["id"]],
            role=Role.ANNOTATOR,
            alias=row["name"],
        )
        for row in people
        if row["is_member"]
    ]
    Membership.objects.bulk_create(members)


# ---- Rows ----------------------------------------------------------------------------------------


def _add(
    rows: BundledRows, found: list[dict[str, Any]], owner: int, numbers: Numbers
) -> dict[int, int]:
    """Store the rows of a file; what their numbers are here."""
    if not found:
        return {}
    found.sort(key=lambda row: row["id"])
    if rows.key_of:
        known = {row["id"]: numbers[rows.key_of][row["id"]] for row in found}
    else:
        known = _numbered(found, rows.model)
    written = {column.name: column for column in rows.columns}
    # A bundle that was made before a column was there has neither its text nor its hash.
    given = [name for name in written if name in found[0] or f"{name}_sha256" in found[0]]
    fixed = _fixed(rows, given, owner)

    def values() -> Iterator[list[Any]]:
        for row in found:
            cells = [_cell(rows, written[name], row, numbers) for name in given]
            yield [known[row["id"]], *cells, *fixed.values()]

    copy_rows(rows.model, [rows.key, *given, *fixed], values())
    return known


def _numbered(found: list[dict[str, Any]], model: type[models.Model]) -> dict[int, int]:
    return dict(zip([row["id"] for row in found], new_ids(model, len(found)), strict=True))


def _cell(rows: BundledRows, column: models.Field, row: dict[str, Any], numbers: Numbers) -> Any:
    if column.name in rows.texts:
        return text_of(row, column.name)
    value = row[column.name]
    if rows.model is Item and column.name == "part" and JUDGED in numbers:
        return part_of(value, numbers[JUDGED])
    if column.name in rows.links:
        return None if value is None else numbers[rows.links[column.name]][value]
    if isinstance(column, models.JSONField):
        return None if value is None and column.null else json.dumps(value)
    if isinstance(column, models.BinaryField):
        return "\\x" + base64.b64decode(value).hex()
    return value


def _fixed(rows: BundledRows, given: list[str], owner: int) -> dict[str, Any]:
    """Return what stands in the columns that no bundle has."""
    found: dict[str, Any] = {}
    for column in rows.model._meta.concrete_fields:
        if column.primary_key or column.generated or column.name in given:
            continue
        if rows.links.get(column.name) == OWNER:
            found[column.name] = owner
        elif getattr(column, "auto_now_add", False) or getattr(column, "auto_now", False):
            found[column.name] = timezone.now().isoformat()
        elif not column.null and not column.has_db_default():
            value = column.get_default()
            is_json = isinstance(column, models.JSONField)
            found[column.name] = json.dumps(value) if is_json else value
    return found


# ---- Judgments -----------------------------------------------------------------------------------


def _add_judgments(folder: Path, numbers: Numbers) -> list[type[models.Model]]:
    """Store the judgments that the lines of the chain hold; the models that have grown by much."""
    orders = {row.pop("judgment"): row for row in read_rows(folder, ORDERS)}
    with (folder / JUDGMENTS).open("rb") as lines:
        places = _places(lines)
        numbers["judgments"] = dict(
            zip([pk for pk, _ in places], new_ids(Judgment, len(places)), strict=True)
        )
        some: list[tuple[int, dict[str, Any]]] = []
        for pk, place in places:
            lines.seek(place)
            said = json.loads(json.loads(lines.readline())["content"])
            for kind, order in orders.get(pk, {}).items():
                said[kind] = as_stored(said[kind], order)
            some.append((numbers["judgments"][pk], said))
            if len(some) == AT_ONCE:
                _store(some, numbers)
                some = []
    _store(some, numbers)
    return [Judgment, *MODELS.values()] if len(places) > AT_ONCE else []


def _places(lines: IO[bytes]) -> list[tuple[int, int]]:
    """Return (judgment, where its line begins) of all that are not erased, by rising numbers: the
    order in which they were stored, which is that of the rows of their observations."""
    found = []
    place = 0
    for line in lines:
        row = json.loads(line)
        if "content" in row:
            found.append((row["judgment"], place))
        place += len(line)
    return sorted(found)


def _store(some: list[tuple[int, dict[str, Any]]], numbers: Numbers) -> None:
    (campaign,) = numbers["campaigns"].values()
    copy_rows(Judgment, HEAD, (_head(pk, said, campaign, numbers) for pk, said in some))
    for kind, columns in COLUMNS.items():
        names = ["judgment", *(column.removesuffix("_id") for column in columns)]
        copy_rows(MODELS[kind], names, _observations(some, kind, columns, numbers))


def _head(pk: int, said: dict[str, Any], campaign: int, numbers: Numbers) -> tuple:
    return (
        pk,
        campaign,
        numbers["items"][said["item"]],
        numbers[PEOPLE][said["annotator"]],
        client_key(pk, IMPORTED in numbers),
        said["revision"],
        numbers["judgments"].get(said["supersedes"]),  # one that was erased is not there
        said["started"],
        said["submitted"],
        said["active_ms"],
        said["guideline"],
    )


def client_key(pk: int, is_imported: bool) -> str:
    """Return a key of the copy's own, since the same answer may be here already under the one it
    has; of the kind that says where it was given
    (`judgments.publishing.report.facts.is_imported`)."""
    key = uuid.uuid4()
    return str(uuid.uuid5(key, str(pk)) if is_imported else key)


def _observations(
    some: Iterable[tuple[int, dict[str, Any]]], kind: str, columns: tuple, numbers: Numbers
) -> Iterator[list[Any]]:
    known = [numbers.get(OF_COLUMNS.get(column, "")) for column in columns]
    for pk, said in some:
        for row in said.get(kind, ()):
            cells = zip(row, known, strict=True)
            yield [pk, *(n[v] if n is not None and v is not None else v for v, n in cells)]


def _add_grades(found: list[dict[str, Any]], owner: int, numbers: Numbers) -> None:
    if not found:
        return
    answers = Answer.objects.filter(judgment__in=numbers["judgments"].values())
    known = {(j, q): pk for pk, j, q in answers.values_list("pk", "judgment_id", "question_id")}
    for row in found:
        place = numbers["judgments"][row["judgment"]], numbers["questions"][row["question"]]
        Grade.objects.create(answer_id=known[place], grader_id=owner, is_right=row["is_right"])
