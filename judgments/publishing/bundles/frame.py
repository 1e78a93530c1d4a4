"""The rows of a campaign as files: its texts, annotators and items in order."""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Collection, Iterator
from datetime import datetime
from pathlib import Path
from typing import Any

from judgments.models import Campaign, Grade, Judgment, Membership, Role
from judgments.models.chains import publication
from judgments.people import pseudonyms
from judgments.publishing.report.facts import is_imported
from judgments.results.selection.selection import Selection

from .edits import JUDGED, edit_objects, judged_edits
from .orders import ORDERS, order_objects
from .rows import OF_JUDGMENTS, PEOPLE, BundledRows, all_rows

FOLDER = "rows"
JUDGMENTS = "judgments.jsonl"
GRADES = "grades"
IMPORTED = "imported"  # such a row exists if people judged elsewhere
AT_ONCE = 2000


def write_frame(campaign: Campaign, folder: Path, *, aliases: bool, notes: bool) -> None:
    """Write all rows and judgments of a campaign. aliases: with annotators' names in the campaign;
    otherwise those that the site did not generate are replaced."""
    names = names_of(campaign, aliases=aliases)
    write_lines(folder, PEOPLE, people(campaign, names))
    for rows in (*all_rows(notes=notes), *OF_JUDGMENTS):
        write_lines(folder, rows.name, row_objects(rows, campaign))
    write_lines(folder, JUDGED, edit_objects(campaign))
    write_lines(folder, GRADES, grades(campaign))
    write_lines(folder, ORDERS, order_objects(campaign))
    if is_imported(Selection.of(campaign).judgments()):
        write_lines(folder, IMPORTED, iter([{"id": campaign.pk}]))
    with (folder / JUDGMENTS).open("w", encoding="utf-8", newline="\n") as out:
        out.writelines(publication.lines(campaign, names))


def write_lines(folder: Path, name: str, rows: Iterator[dict[str, Any]]) -> None:
    """Write a file of JSON lines, if there are any rows."""
    first = next(rows, None)
    if first is None:
        return
    path = folder / FOLDER / f"{name}.jsonl"
    path.parent.mkdir(exist_ok=True)
    with path.open("w", encoding="utf-8", newline="\n") as out:
        out.write(line_of(first))
        out.writelines(map(line_of, rows))


def line_of(row: dict[str, Any]) -> str:
    return json.dumps(row, ensure_ascii=False, allow_nan=False) + "\n"


def names_of(campaign: Campaign, *, aliases: bool) -> dict[int, str]:
    """Return {user: name} of all who have judged or could: the campaign's names if they may be
    published, otherwise numbers in the order of the accounts."""
    known = dict(campaign.memberships.values_list("user_id", "alias"))
    users = set(campaign.memberships.filter(role=Role.ANNOTATOR).values_list("user_id", flat=True))
    users |= set(Judgment.objects.filter(campaign=campaign).values_list("annotator", flat=True))
    users |= set(campaign.tasks.exclude(annotator=None).values_list("annotator", flat=True))
    for decided in (campaign.decisions, campaign.annotator_states):
        users |= set(decided.values_list("annotator", flat=True))
    editors = set(judged_edits(campaign).values_list("judgment__annotator", flat=True)) - users
    users |= editors
    for user, alias in Membership.objects.filter(
        user__in=editors, campaign__judgments__edits__in=judged_edits(campaign)
    ).values_list("user_id", "alias"):
        known.setdefault(user, alias)
    width = len(str(len(users)))
    found = {}
    for number, user in enumerate(sorted(users), 1):
        alias = known.get(user, "")
        may_leave = alias and (aliases or pseudonyms.is_made(alias))
        found[user] = alias if may_leave else f"annotator {number:0{width}}"
    return found


def people(campaign: Campaign, names: dict[int, str]) -> Iterator[dict[str, Any]]:
    members = set(campaign.memberships.values_list("user", flat=True))
    for user, name in names.items():
        yield {"id": user, "name": name, "is_member": user in members}


def row_objects(rows: BundledRows, campaign: Campaign) -> Iterator[dict[str, Any]]:
    """Yield each row with its number, as JSON values; texts with their hashes."""
    columns = rows.columns
    found = rows.find(campaign).order_by("pk")
    names = [column.attname for column in columns]
    for pk, *values in found.values_list("pk", *names).iterator(chunk_size=AT_ONCE):
        row: dict[str, Any] = {"id": pk}
        for column, value in zip(columns, values, strict=True):
            row[column.name] = as_json(value)
            if column.name in rows.texts:
                row[f"{column.name}_sha256"] = sha256(value)
        yield row


def grades(campaign: Campaign) -> Iterator[dict[str, Any]]:
    """Yield grades of open answers, which are identified by judgment and question."""
    found = Grade.objects.filter(answer__judgment__campaign=campaign).order_by("pk")
    names = {"judgment": "answer__judgment", "question": "answer__question"}
    for row in found.values_list(*names.values(), "is_right"):
        yield dict(zip([*names, "is_right"], row, strict=True))


def as_json(value: Any) -> Any:
    if isinstance(value, datetime):
        return value.isoformat()
    if isinstance(value, bytes | memoryview):
        return base64.b64encode(value).decode()
    return value


def sha256(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


# ---- Hashes in place of texts --------------------------------------------------------------------


def hide_texts(folder: Path, *, notes: bool) -> None:
    """Replace the texts of written rows by their hashes and lengths."""
    for rows in all_rows(notes=notes):
        path = folder / FOLDER / f"{rows.name}.jsonl"
        if not rows.texts or not path.exists():
            continue
        hidden = path.with_suffix(".part")
        with path.open(encoding="utf-8") as lines, hidden.open("w", encoding="utf-8") as out:
            for line in lines:
                out.write(line_of(without_texts(json.loads(line), rows.texts)))
        hidden.replace(path)


def without_texts(row: dict[str, Any], names: Collection[str]) -> dict[str, Any]:
    """Return a row with hash and lengths in place of each of these texts."""
    kept = {name: value for name, value in row.items() if name not in names}
    for name in names:
        text = row[name]
        kept[f"{name}_sha256"] = sha256(text)
        kept |= {f"{name}_words": len(text.split()), f"{name}_characters": len(text)}
    return kept


def text_of(row: dict[str, Any], name: str) -> str:
    """Return the text of a row, or a placeholder: with as many words and characters, and the same
    for equal texts."""
    if name in row:
        return row[name]
    n_words, n_characters = row[f"{name}_words"], row[f"{name}_characters"]
    if not 0 <= n_words <= n_characters <= 10_000_000:
        raise ValueError("a text has fewer characters than words")
    if not n_words:
        return ""
    letters = (row[f"{name}_sha256"] * (n_characters // 64 + 1))[:n_characters]
    size = (n_characters - n_words + 1) // n_words
    words = [letters[i * size : (i + 1) * size] or "x" for i in range(n_words)]
    made = " ".join(words)
    return made + letters[: n_characters - len(made)]
