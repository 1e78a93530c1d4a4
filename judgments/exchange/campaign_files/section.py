"""Base class of the sections of a campaign's file, and shared tools to read and write them."""

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
    """A campaign, or a part of it, cannot be described in such a file; the message, which is shown
    to the person who requested the file, says which."""


@dataclass
class Desk:
    """Context in which a file is read. user: the creator and owner of the campaign. folder:
    location of the files that it names, None without files. is_trusted: whether names may lead out
    of the folder, as in a command of the operator. values: values of the sections read so far."""

    user: Any
    root: FileMapping
    folder: Path | None = None
    is_trusted: bool = False
    faults: list[Fault] = field(default_factory=list)
    values: dict[str, Any] = field(default_factory=dict)

    def fault(self, path: str, reason: str, place: FilePlace | None = None) -> None:
        """Add an error at a path of the document, such as `plan.seats`."""
        found = Fault(*(place or place_in(self.root, path.split("."))), path, reason)
        if len(self.faults) < MOST_FAULTS and found not in self.faults:
            self.faults.append(found)

    def import_fault(self, path: str, problem: ImportProblem) -> None:
        """Add an error of a file that is named at a path. Rows of the document itself, whose file
        is "", are its lines."""
        if problem.file:
            self.fault(path, str(problem))
        else:
            place = FilePlace(problem.row or 0, 1)
            self.fault(within(path, problem.column), problem.reason, place)

    def form_faults(self, path: str, form: forms.BaseForm, named: Mapping[str, str] = {}) -> None:
        """Add the errors of a form at its fields. named: keys of fields that differ from their
        names."""
        for name, errors in form.errors.items():
            key = "" if name == "__all__" else named.get(name, name)
            for words in errors:
                self.fault(within(path, key), str(words))

    def file_named(self, path: str, name: str) -> Path | None:
        """Return a file that the document names; None, and add a fault, if it does not exist."""
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
        except OSError:  # an invalid name, or an unreadable folder
            pass
        self.fault(path, reason or f"there is no file {name}{self.files_there()}.")
        return None

    def files_there(self) -> str:
        """Return the first uploaded files, as the end of a sentence; "" for the operator's own
        folders."""
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
        """Return schemas of the whole document that restrict this one depending on other keys."""
        return []

    def read(self, value: Any, desk: Desk) -> Any:
        """Return the checked value from one that fits the schema; None: the file lacks the key.
        Errors are added to the desk."""
        return value

    @abstractmethod
    def apply(self, campaign: Campaign, value: Any, desk: Desk) -> None:
        """Apply the value. Called inside a transaction that is rolled back after a fault."""

    @abstractmethod
    def export(self, campaign: Campaign) -> Any:
        """Return the value for a file; None if it can be omitted. Raise NotInAFile."""
