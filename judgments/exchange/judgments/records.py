"""The data of one screen in a file, with the names of segments, systems and annotators."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import NamedTuple

from judgments.files.problem import FileRow


class MarkedSpan(NamedTuple):
    """An error. Offsets are code points, the end exclusive; of omissions both are 0."""

    system: str
    side: str
    start: int
    end: int
    severity: str
    category: str = ""


class Remark(NamedTuple):
    """A comment of an annotator. system: of the output that it is about; "" if about the whole
    screen. side: source or target if it is about the words from start to end, otherwise ""."""

    comment: str
    system: str = ""
    side: str = ""
    start: int = 0
    end: int = 0


@dataclass(slots=True)
class JudgedScreen(FileRow):
    """One annotator's answer about one segment: the data of `models.Judgment` and its observations.

    outputs: systems in the order of the screen. item: distinguishes repeated judgments of the same
    outputs; empty if there are none. ratings: (system, dimension, value). copies: the systems whose
    output was not shown itself, because another one has the same text. control: the system whose
    output is a control among others, of control_kind; "" if there is none. altered: texts shown
    instead of the outputs of systems. preferences:
    (system a, system b, sign of a − b, strength or None). spans: the errors; None if errors were
    not asked for, an empty list if there were none. value_column: of the file, for messages.
    """

    annotator: str
    segment: str
    outputs: Sequence[str]
    item: str = ""
    kind: str = "regular"
    part: str = ""
    ratings: list[tuple[str, str, float]] = field(default_factory=list)
    copies: frozenset[str] = frozenset()
    preferences: list[tuple[str, str, int, int | None]] = field(default_factory=list)
    spans: list[MarkedSpan] | None = None
    started: datetime | None = None
    submitted: datetime | None = None
    active_ms: int | None = None
    control: str = ""
    control_kind: str = ""
    altered: dict[str, str] = field(default_factory=dict)
    remarks: list[Remark] = field(default_factory=list)
    value_column: str = "value"

    def kind_of(self, *systems: str) -> str:
        """Return the kind of observations on the outputs of these systems."""
        return self.control_kind if self.control and self.control in systems else self.kind

    def without_control(self) -> JudgedScreen:
        """Return the screen without the control, for formats that have no controls among others."""
        if not self.control:
            return self
        gone = self.control
        return replace(
            self,
            outputs=[system for system in self.outputs if system != gone],
            ratings=[row for row in self.ratings if row[0] != gone],
            copies=self.copies - {gone},
            preferences=[row for row in self.preferences if gone not in row[:2]],
            spans=self.spans and [span for span in self.spans if span.system != gone],
            control="",
            control_kind="",
            altered={system: text for system, text in self.altered.items() if system != gone},
            remarks=[remark for remark in self.remarks if remark.system != gone],
        )
