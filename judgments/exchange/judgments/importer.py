"""Import of judgments from files."""

import secrets
import uuid
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import count

from django.contrib.auth import get_user_model
from django.contrib.auth.hashers import make_password
from django.db import connection, transaction
from django.db.models import Max
from django.utils import timezone

from judgments.files.copying import analyze, copy_rows, new_ids
from judgments.files.lines import Source, name_of
from judgments.files.problem import ImportProblem, Problems, shortened
from judgments.models import (
    Alteration,
    AlteredOutput,
    Campaign,
    ErrorSpan,
    ImportRecord,
    Item,
    ItemOutput,
    Judgment,
    Kind,
    Membership,
    Note,
    NoteKind,
    Preference,
    Rating,
    Role,
    Task,
)
from judgments.models.chains import record
from judgments.models.chains.content import Head, content, digest
from judgments.models.chains.sealing import NewSeal, append
from judgments.models.locks import lock_campaign

from .rows import read_screens
from .screens import ImportedScreen

# Namespace of the judgments of files, so that the same judgment of the same campaign has the same
# key.
NAMESPACE = uuid.UUID("6d0a4f0e-5d1b-4c62-9a53-0f6c0b3a7f1d")
KEYS_AT_ONCE = 5_000
# The name of an annotator, and whether it is of third judgments.
Batch = tuple[str, bool]
FILES_NAMED = 100
KNOWN_KEYS = "SELECT client_key::text FROM judgments_judgment WHERE client_key = ANY(%s::uuid[])"


@dataclass(frozen=True)
class ImportedJudgments:
    """Counts of an import."""

    judgments: int
    observations: int
    annotators: int
    left_out: int = 0  # rows


@transaction.atomic
def import_judgments(
    campaign: Campaign, source: Source, leave_out: float | None = None
) -> ImportedJudgments:
    """Add all judgments of a file to a campaign, or none.

    Every annotator of the file gets a task with these items, all of them judged; a name that no
    member of the campaign has becomes an annotator without a password. leave_out: percentage of the
    rows that may be left out if they cannot be read. If there are more, raise ImportProblem for the
    first, with the number of others.
    """
    writer = JudgmentWriter(campaign)
    problems = Problems()
    screens, n_rows = read_screens(writer.campaign, source, problems)
    if leave_out is not None or not problems:
        writer.write(screens, problems.add)
    share = problems.share_of(n_rows - len(problems.rows))
    if problems and (leave_out is None or share is None or share > leave_out):
        raise problems.as_one()
    added = writer.finish()
    note_import(campaign, added, [name_of(source)], problems.first, len(problems.rows))
    return replace(added, left_out=len(problems.rows))


def note_import(
    campaign: Campaign,
    added: ImportedJudgments | None,
    files: Collection[str],
    left_out: Iterable[ImportProblem],
    n_left_out: int,
    notes: Sequence[str] = (),
) -> None:
    """Store the origin of imported judgments, and the rows left out; their number is stored in the
    campaign's options, from which every figure reports it."""
    ImportRecord.objects.create(
        campaign=campaign,
        files=sorted(files)[:FILES_NAMED],
        notes=notes,
        n_judgments=added.judgments if added else 0,
        n_left_out=n_left_out,
        left_out=[[each.file, each.row, each.column, each.reason] for each in left_out],
    )
    if n_left_out:
        locked = lock_campaign(campaign.pk)
        n = locked.options.get("rows_left_out", 0) + n_left_out
        campaign.options = locked.options = {**locked.options, "rows_left_out": n}
        locked.save(update_fields=["options"])
        record.note(campaign.pk, "rows left out", "campaign")


class JudgmentWriter:
    """Adds judgments to a campaign in chunks, within one transaction.

    keep: False for a trial, which finds the same problems and the same numbers. It stores and locks
    nothing, as others work in the campaign. n_judgments, n_observations: numbers added so far.
    """

    def __init__(self, campaign: Campaign, *, keep: bool = True) -> None:
        # One import at a time: two of the same file would both find its judgments new.
        self.campaign = lock_campaign(campaign.pk) if keep else campaign
        self.keep = keep
        self.annotators: set[str] = set()
        self.users: dict[str, int] = {}
        self.tasks: dict[Batch, Task] = {}
        self.keys: set[str] = set()
        self.n_judgments = 0
        self.n_observations = 0

    def write(
        self,
        screens: list[ImportedScreen],
        leave_out: Callable[[ImportProblem], object] | None = None,
    ) -> None:
        """Add screens. A judgment that already exists raises ImportProblem, or is left out and
        reported to `leave_out`; an annotator's name that belongs to another member raises
        ImportProblem."""
        keys = [judgment_key(self.campaign, screen) for screen in screens]
        # What is stored is found in the database.
        again = dict(_known_already(screens, keys, set() if self.keep else self.keys))
        for problem in again.values():
            if leave_out is None:
                raise problem
            leave_out(problem)
        if again:
            fresh_ones = [n for n in range(len(screens)) if n not in again]
            screens, keys = [screens[n] for n in fresh_ones], [keys[n] for n in fresh_ones]
        fresh = [screen for screen in screens if screen.annotator not in self.annotators]
        members = _members_named(self.campaign, fresh)
        self.annotators |= {screen.annotator for screen in fresh}
        self.n_judgments += len(screens)
        self.n_observations += sum(
            len(each.ratings) + len(each.preferences) + len(each.spans) for each in screens
        )
        if self.keep:
            self.users |= _annotators(self.campaign, fresh, members)
            self.store(screens, keys)

    def store(self, screens: list[ImportedScreen], keys: list[str]) -> None:
        """Store screens with their batches. keys: of the screens."""
        batches = list(map(batch_of, screens))
        added = [each for each in dict.fromkeys(batches) if each not in self.tasks]
        self.tasks |= _add_tasks(self.campaign, added, self.users)
        tasks = [self.tasks[batch] for batch in batches]
        items = _add_items(self.campaign, screens, tasks)
        _add_judgments(self.campaign, screens, keys, items, tasks)
        _add_remarks(screens, items, self.users)
        for screen, task in zip(screens, tasks, strict=True):
            self.count(screen, task)

    def count(self, screen: ImportedScreen, task: Task) -> None:
        task.n_items += 1
        task.n_judged += 1
        task.active_ms += screen.active_ms or 0
        if screen.submitted_at is not None:
            task.last_judged_at = max(
                task.last_judged_at or screen.submitted_at, screen.submitted_at
            )

    def finish(self) -> ImportedJudgments:
        """Update the counters of the tasks, and return the numbers."""
        if self.keep:
            self.update_tasks()
        return ImportedJudgments(self.n_judgments, self.n_observations, len(self.annotators))

    def update_tasks(self) -> None:
        columns = ["n_items", "n_judged", "active_ms", "last_judged_at"]
        Task.objects.bulk_update(self.tasks.values(), columns, batch_size=1000)
        tables = ErrorSpan, Item, ItemOutput, Judgment, Preference, Rating, Task
        analyze(*tables, added=max(self.n_judgments, self.n_observations))
        record.note_work(self.campaign.pk, "judgments brought")


def batch_of(screen: ImportedScreen) -> Batch:
    return screen.annotator, screen.kind == Kind.THIRD


def judgment_key(campaign: Campaign, screen: ImportedScreen) -> str:
    """Return the client key of an imported judgment, a hash of all its data in the file."""
    content = (
        campaign.pk,
        screen.annotator,
        screen.name,
        screen.segment_id,
        screen.kind,
        screen.part,
        *([screen.control, screen.control_kind] if screen.control else []),
        *([sorted(screen.altered.items())] if screen.altered else []),
        sorted(screen.ratings.items()),
        # As before strengths were supported, so that a file imported then is recognized.
        [row if row[3] else row[:3] for row in screen.preferences],
        *([screen.spans] if screen.spans else []),
        str(screen.started_at),
        str(screen.submitted_at),
        screen.active_ms,
    )
    return str(uuid.uuid5(NAMESPACE, repr(content)))


def _known_already(
    screens: list[ImportedScreen], keys: list[str], seen: set[str]
) -> Iterator[tuple[int, ImportProblem]]:
    """Yield the places of judgments that exist in the campaign already or occur twice, with the
    error. seen: the keys of earlier chunks, to which these are added."""
    for start in range(0, len(keys), KEYS_AT_ONCE):
        piece = keys[start : start + KEYS_AT_ONCE]
        with connection.cursor() as cursor:
            cursor.execute(KNOWN_KEYS, [piece])
            found = {key for (key,) in cursor.fetchall()}
        for n, key in enumerate(piece, start):
            if key in seen:
                yield n, screens[n].problem("", "this judgment occurs in the file twice")
            elif key in found:
                reason = "this judgment is already in the campaign: was the file imported before?"
                yield n, screens[n].problem("", reason)
            seen.add(key)


def _members_named(campaign: Campaign, screens: list[ImportedScreen]) -> dict[str, Membership]:
    """Return {alias: membership} of the annotators in the file who are members already. Raise
    ImportProblem for a member who is no annotator."""
    names = {screen.annotator for screen in screens}
    members = {m.alias: m for m in campaign.memberships.filter(alias__in=names)}
    for screen in screens:
        known = members.get(screen.annotator)
        if known is not None and known.role != Role.ANNOTATOR:
            reason = f"{shortened(known.alias)} is this campaign's {known.role}, not an annotator."
            raise screen.problem("annotator", reason)
    return members


def _annotators(
    campaign: Campaign, screens: list[ImportedScreen], members: dict[str, Membership]
) -> dict[str, int]:
    """Return {alias: user id} of all annotators in the file; create accounts for those who are not
    among the members."""
    names = dict.fromkeys(screen.annotator for screen in screens)
    User = get_user_model()
    fresh = [name for name in names if name not in members]
    users = User.objects.bulk_create(
        User(username=f"imported-{secrets.token_hex(8)}", password=make_password(None))
        for _ in fresh
    )
    Membership.objects.bulk_create(
        Membership(campaign=campaign, user=user, role=Role.ANNOTATOR, alias=name)
        for name, user in zip(fresh, users, strict=True)
    )
    ids = {name: user.pk for name, user in zip(fresh, users, strict=True)}
    return {name: ids.get(name) or members[name].user_id for name in names}


def _add_tasks(campaign: Campaign, wanted: list[Batch], users: dict[str, int]) -> dict[Batch, Task]:
    """Return new, empty batches. Third judgments have a separate one, as they do not count as
    progress."""
    last = campaign.tasks.aggregate(last=Max("batch"))["last"] or 0
    tasks = [
        Task(campaign=campaign, batch=batch, annotator_id=users[name], is_adjudication=is_third)
        for batch, (name, is_third) in enumerate(wanted, last + 1)
    ]
    Task.objects.bulk_create(tasks)
    return dict(zip(wanted, tasks, strict=True))


def _add_items(campaign: Campaign, screens: list[ImportedScreen], tasks: list[Task]) -> list[int]:
    """Return item ids, one for each screen; an annotator's items are in the order of the file.
    tasks: of the screens."""
    ids = new_ids(Item, len(screens))
    positions = {task.id: count(task.n_items) for task in tasks}
    copy_rows(
        Item,
        [
            *("id", "task", "position", "segment", "kind", "part"),
            *("control_output", "control_kind", "is_judged"),
        ],
        (
            (
                *(pk, task.id, next(positions[task.id]), s.segment_id, s.kind),
                *(s.part, s.control, s.control_kind, True),
            )
            for pk, task, s in zip(ids, tasks, screens, strict=True)
        ),
    )
    altered = _add_altered(campaign, screens)
    copy_rows(
        ItemOutput,
        ["item", "output", "position", "altered"],
        (
            (pk, output, place, altered.get((output, (screen.altered or {}).get(output, ""))))
            for pk, screen in zip(ids, screens, strict=True)
            for place, output in enumerate(screen.outputs)
        ),
    )
    return ids


def _add_altered(campaign: Campaign, screens: list[ImportedScreen]) -> dict[tuple[int, str], int]:
    """Return {(output, text): altered output}: each text shown instead of an output once, including
    those that the campaign already has."""
    wanted = {pair for screen in screens if screen.altered for pair in screen.altered.items()}
    if not wanted:
        return {}
    known = AlteredOutput.objects.filter(campaign=campaign, output__in={pk for pk, _ in wanted})
    found = {(output, text): pk for pk, output, text in known.values_list("pk", "output", "text")}
    made = AlteredOutput.objects.bulk_create(
        AlteredOutput(campaign=campaign, output_id=output, text=text, rule=Alteration.IMPORTED)
        for output, text in sorted(wanted - found.keys())
    )
    return found | {(each.output_id, each.text): each.pk for each in made}


def _add_judgments(
    campaign: Campaign,
    screens: list[ImportedScreen],
    keys: list[str],
    items: list[int],
    tasks: list[Task],
) -> None:
    """Add judgments with observations and chains, one per annotator, in the order of the file.
    keys, items, tasks: of the screens."""
    ids = new_ids(Judgment, len(screens))
    copy_rows(
        Judgment,
        [
            *("id", "item", "campaign", "annotator", "revision", "client_key"),
            *("started_at", "submitted_at", "active_ms", "guideline_version"),
        ],
        (
            (
                *(pk, item, campaign.id, task.annotator_id, 1, key),
                *(s.started_at, s.submitted_at, s.active_ms, campaign.guideline_version),
            )
            for pk, item, key, task, s in zip(ids, items, keys, tasks, screens, strict=True)
        ),
    )
    copy_rows(
        Rating,
        ["judgment", "output", "dimension", "value", "is_copy"],
        (
            (pk, output, dimension, value, output in screen.copies)
            for pk, screen in zip(ids, screens, strict=True)
            for (output, dimension), value in screen.ratings.items()
        ),
    )
    copy_rows(
        Preference,
        ["judgment", "output_a", "output_b", "value", "strength"],
        (
            (pk, *preference)
            for pk, screen in zip(ids, screens, strict=True)
            for preference in screen.preferences
        ),
    )
    copy_rows(
        ErrorSpan,
        ["judgment", "output", "side", "start", "end", "severity", "category", "is_copy"],
        (
            (pk, *span, span[0] in screen.copies)
            for pk, screen in zip(ids, screens, strict=True)
            for span in screen.spans
        ),
    )
    entries = [
        NewSeal(task.id, pk, _digest(campaign, s, key, item, task))
        for pk, key, item, task, s in zip(ids, keys, items, tasks, screens, strict=True)
    ]
    append(campaign.pk, entries)


def _add_remarks(screens: list[ImportedScreen], items: list[int], users: dict[str, int]) -> None:
    """Add the comments of annotators, as resolved: they ask nobody here for anything."""
    names = ("comment", "output_id", "side", "start", "end", "quote")
    now = timezone.now()
    Note.objects.bulk_create(
        Note(
            item_id=item,
            annotator_id=users[screen.annotator],
            kind=NoteKind.FLAG,
            resolved_at=now,
            **dict(zip(names, remark, strict=True)),
        )
        for item, screen in zip(items, screens, strict=True)
        for remark in screen.remarks
    )


def _digest(campaign: Campaign, screen: ImportedScreen, key: str, item: int, task: Task) -> bytes:
    """Return the hash of the content of a screen's judgment."""
    assert task.annotator_id
    head = Head(
        campaign=campaign.id,
        task=task.id,
        item=item,
        annotator=task.annotator_id,
        key=key,
        started=screen.started_at,
        submitted=screen.submitted_at,
        active_ms=screen.active_ms,
        guideline=campaign.guideline_version,
    )
    said: dict[str, Sequence[tuple]] = {
        "ratings": [
            (output, dimension, value, output in screen.copies)
            for (output, dimension), value in screen.ratings.items()
        ],
        "preferences": screen.preferences,
        # Nothing was suggested: no span was derived from another.
        "spans": [(*span, None, span[0] in screen.copies) for span in screen.spans],
    }
    return digest(content(head, said))
