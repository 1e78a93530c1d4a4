"""What a section of a campaign's file is, and what its reading and writing share."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar

from django import forms
from django.core.exceptions import BadRequest

from judgments.files import ImportProblem
from judgments.files.uploads import path_inside
from judgments.models import Campaign

from .nodes import MOST_FAULTS, Fault, FileMapping, FilePlace, place_in, within
from .shapes import Shape


class NotInAFile(BadRequest):
    """A campaign, or something of it, has no words in such a file; the message says which, and
    whoever asked for the file reads it."""


@dataclass
class Desk:
    """What a file is read with. user: who makes the campaign, and owns it. folder: where the files
    lie that it names, None where none came along. is_trusted: whether names may lead out of the
    folder, as in a command of the operator. values: what the sections have read so far."""

    user: Any
    root: FileMapping
    folder: Path | None = None
    is_trusted: bool = False
    faults: list[Fault] = field(default_factory=list)
    values: dict[str, Any] = field(default_factory=dict)

    def fault(self, path: str, reason: str, place: FilePlace | None = None) -> None:
        """Say what is wrong at a path of the document, such as `plan.seats`."""
        found = Fault(*(place or place_in(self.root, path.split("."))), path, reason)
        if len(self.faults) < MOST_FAULTS and found not in self.faults:
            self.faults.append(found)

    def import_fault(self, path: str, problem: ImportProblem) -> None:
        """A problem with a file that is named at a path. Rows of the document itself, whose file
        is "", are its lines."""
        if problem.file:
            self.fault(path, str(problem))
        else:
            place = FilePlace(problem.row or 0, 1)
            self.fault(within(path, problem.column), problem.reason, place)

    def form_faults(self, path: str, form: forms.BaseForm, named: Mapping[str, str] = {}) -> None:
        """The errors of a form, each at its field. named: the keys of fields that have others."""
        for name, errors in form.errors.items():
            key = "" if name == "__all__" else named.get(name, name)
            for words in errors:
                self.fault(within(path, key), str(words))

    def file_named(self, path: str, name: str) -> Path | None:
        """Return a file that the document names; None, and a fault, where there is none."""
        if self.folder is None:
            self.fault(path, "no files came with it: name a test set, or write the rows here.")
            return None
        reason = ""
        try:
            found = self.folder / (name if self.is_trusted else path_inside(name))
            if found.exists():
                return found
        except ValueError as problem:
            reason = f"a file {problem}."
        except OSError:  # a name that no disk holds, or a folder that may not be read
            pass
        self.fault(path, reason or f"there is no file {name}{self.files_there()}.")
        return None

    def files_there(self) -> str:
        """Return the first files that came along, as the end of a sentence; nothing of the
        operator's own folders."""
        if self.is_trusted or self.folder is None:
            return ""
        names = sorted(each.name for each in self.folder.iterdir())
        more = f" and {len(names) - 5:,} more" if len(names) > 5 else ""
        return f"; the files are {', '.join(names[:5])}{more}" if names else ""


class FileSection(ABC):
    """One key of the document. is_required: whether a file must have it."""

    key: ClassVar[str]
    is_required: ClassVar[bool] = False

    @abstractmethod
    def schema(self) -> Shape:
        """Return the JSON Schema of the value."""

    def conditions(self) -> list[Shape]:
        """Return schemas of the whole document that tighten this one by what stands elsewhere."""
        return []

    def read(self, value: Any, desk: Desk) -> Any:
        """Return the checked value, of one that fits the schema; None: the file does not have the
        key. What is wrong is a fault at the desk."""
        return value

    @abstractmethod
    def apply(self, campaign: Campaign, value: Any, desk: Desk) -> None:
        """Make it so. Called inside a transaction that a fault at the desk undoes."""

    @abstractmethod
    def export(self, campaign: Campaign) -> Any:
        """Return the value as a file has it; None where it need not be said. Raise NotInAFile."""
