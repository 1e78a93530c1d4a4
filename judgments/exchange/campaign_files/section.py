"""What a section of a campaign's file is, and what its reading and writing share."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar

from django import forms

from judgments.files import ImportProblem
from judgments.files.uploads import path_inside
from judgments.models import Campaign

from .nodes import FilePlace, FoundFaults, Node, within


class NotInAFile(ValueError):
    """A campaign, or something of it, has no words in such a file; the message says which."""


@dataclass
class Desk:
    """What a file is read with. user: who makes the campaign, and owns it. folder: where the files
    lie that it names, None where none came along. is_trusted: whether names may lead out of the
    folder, as in a command of the operator. values: what the sections have read so far."""

    user: Any
    root: Node
    folder: Path | None = None
    is_trusted: bool = False
    faults: FoundFaults = field(default_factory=FoundFaults)
    values: dict[str, Any] = field(default_factory=dict)

    def fault(self, path: str, reason: str, *, file: str = "") -> None:
        """Say what is wrong at a path of the document, such as `plan.seats`."""
        self.faults.add(self.root.at(*path.split(".")), path, reason, file)

    def import_fault(self, path: str, problem: ImportProblem) -> None:
        """A problem with a file that is named at a path. Rows of the document itself, whose file
        is "", are its lines."""
        if not problem.file:
            column = within(path, problem.column)
            self.faults.add(FilePlace(problem.row or 0, 1), column, problem.reason)
        else:
            self.fault(path, str(problem))

    def form_faults(self, path: str, form: forms.BaseForm, named: Mapping[str, str] = {}) -> None:
        """The errors of a form, each at its field. named: the keys of fields that have others."""
        for name, errors in form.errors.items():
            key = "" if name == "__all__" else named.get(name, name)
            for words in errors:
                self.fault(within(path, key) if key else path, str(words))

    def file_named(self, path: str, name: str) -> Path | None:
        """A file that the document names; None, and a fault, where there is none."""
        if self.folder is None:
            self.fault(path, "no files came along: name a test set, or write the rows here.")
            return None
        try:
            found = self.folder / (name if self.is_trusted else path_inside(name))
            is_there = "\0" not in name and found.exists()
        except ValueError as problem:
            self.fault(path, f"a file {problem}.")
            return None
        except OSError:  # a name that no disk holds, or a folder that may not be read
            is_there = False
        if not is_there:
            self.fault(path, f"there is no file {name}{self.files_there()}.")
            return None
        return found

    def files_there(self) -> str:
        """The first files that came along, as the end of a sentence; nothing of the operator's own
        folders."""
        if self.is_trusted or self.folder is None:
            return ""
        names = sorted(each.name for each in self.folder.iterdir())
        more = f" and {len(names) - 5:,} more" if len(names) > 5 else ""
        return f"; what came along is {', '.join(names[:5])}{more}" if names else ""


class FileSection(ABC):
    """One key of the document.

    key: the key. is_required: whether a file must have it. follows: whether it is applied to the
    stored campaign; the others fill in its row before it is stored.
    """

    key: ClassVar[str]
    is_required: ClassVar[bool] = False
    follows: ClassVar[bool] = True

    @abstractmethod
    def schema(self) -> dict[str, Any]:
        """The JSON Schema of the value; `shapes` says which of its words there are."""

    def conditions(self) -> list[dict[str, Any]]:
        """Schemas of the whole document that tighten this one by what stands elsewhere, for
        editors; what they say, `read` checks too."""
        return []

    def read(self, node: Node | None, desk: Desk) -> Any:
        """The checked value of a node that fits the schema; None: the file does not have the key.
        What is wrong is a fault at the desk."""
        return node.plain() if node is not None else None

    @abstractmethod
    def apply(self, campaign: Campaign, value: Any, desk: Desk) -> None:
        """Make it so. Called inside a transaction that a fault at the desk undoes."""

    @abstractmethod
    def export(self, campaign: Campaign) -> Any:
        """The value as a file has it; None where it need not be said. Raises NotInAFile."""
