"""Content and questions of a screen as messages to a language model. They contain no name of a
system."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, cast

from judgments.files.languages import language_name
from judgments.judging.context import ContextRow, context_of
from judgments.judging.screen import on_screen, painted, reference_of, with_texts
from judgments.models import Campaign, Item, ItemOutput, Segment
from judgments.protocols import Protocol
from judgments.protocols.model_questions import ModelQuestion
from judgments.protocols.screen_form import ScreenForm

AROUND = 5  # segments of the document before an item, and as many after it


@dataclass(frozen=True)
class AskedScreen:
    """One item as prepared for a model. rows: all its outputs; shown: those with a place."""

    protocol: Protocol
    item: Item
    rows: Sequence[ItemOutput]
    shown: Sequence[ItemOutput]
    reference: str
    context: Sequence[ContextRow]

    @property
    def campaign(self) -> Campaign:
        return self.protocol.campaign

    @property
    def painted(self) -> bytes:
        return painted(self.protocol, self.shown)

    @cached_property
    def form(self) -> ScreenForm:
        return cast(ScreenForm, self.protocol.form(self.item, self.shown))

    @cached_property
    def questions(self) -> list[ModelQuestion]:
        return self.form.model_questions()

    @cached_property
    def source(self) -> str:
        return self.item.segment.source if self.protocol.visible(self.item)[0] else ""

    @property
    def languages(self) -> tuple[str, str]:
        """The names of source and target language, in English."""
        test_set = self.campaign.test_set
        return language_name(test_set.source_language), language_name(test_set.target_language)


def screen_for(protocol: Protocol, item: Item) -> AskedScreen:
    """Return an item with everything that its screen shows."""
    rows = list(with_texts(ItemOutput.objects.filter(item=item)).order_by("position"))
    item = rows[0].item
    shows_source, shows_reference = protocol.visible(item)
    found = reference_of(item, rows) if shows_reference else None
    context: Sequence[ContextRow] = ()
    if protocol.options.context == "document":
        outputs = [(item.pk, row.output.segment_id, row.output.system_id) for row in rows]
        around = context_of([item], outputs, show_source=shows_source)
        here = item.segment.position
        # Questions about a whole document need the whole document.
        is_last = bool(item.part) and item.part == protocol.last_part
        most = math.inf if is_last else AROUND
        context = [row for row in around if abs(row.position - here) <= most and not row.n_left]
    shown = on_screen(protocol, rows, item.control_output_id)
    return AskedScreen(protocol, item, rows, shown, found.text if found else "", context)


def texts_of(screen: AskedScreen) -> str:
    """Return context, source, reference and translations, each with its heading."""
    source, target = screen.languages
    parts: list[str] = []
    if screen.context:
        parts.append("What stands around it in the document, only to be read:")
        for near in screen.context:
            lines = [f"{source}: {near.source}"] if near.source else []
            lines += [f"{target}: {near.output}"] if near.output else []
            parts.append("\n".join(lines))
    parts += [f"{heading}:\n{text}" for heading, text in screen.form.model_context()]
    if asked := screen.item.segment.document.instructions:
        parts.append(f"What translators were asked to do with this document:\n{asked}")
    if screen.source:
        parts.append(f"Source ({source}):\n{screen.source}")
    if screen.reference:
        parts.append(f"A reference translation ({target}):\n{screen.reference}")
    sources, references = screen.protocol.texts_by_output()
    own = [row.output.segment_id for row in screen.shown]
    segments = Segment.objects.in_bulk(own) if sources else {}
    texts = screen.form.model_texts([row.text for row in screen.shown])
    for place, row in enumerate(screen.shown, 1):
        if sources:
            parts.append(f"Source {place} ({source}):\n{segments[row.output.segment_id].source}")
        if references and (text := vars(row).get("reference")):
            parts.append(f"Reference {place} ({target}):\n{text}")
        parts.append(f"Translation {place} ({target}):\n{texts[place - 1]}")
    return "\n\n".join(parts)


def instructions_of(screen: AskedScreen) -> str:
    """Return the instructions for people: the campaign's own, or those of its protocol."""
    texts = screen.campaign.instructions
    own = next((texts[code] for code in ("en", *texts) if texts.get(code)), "")
    return own or screen.protocol.instructions()


def questions_of(screen: AskedScreen) -> str:
    """Return the questions, each under the name of its answer."""
    return "\n".join(f"- {each.name}: {each.words}" for each in screen.questions)


def example_of(questions: Sequence[ModelQuestion]) -> str:
    """Return the shape of an answer, for endpoints without support of JSON Schema."""
    return json.dumps({each.name: shape_of(each.schema) for each in questions})


def shape_of(schema: Any) -> Any:
    if schema["type"] == "array":
        return [shape_of(schema["items"])]
    if schema["type"] == "object":
        return {name: shape_of(part) for name, part in schema["properties"].items()}
    return "|".join(schema["enum"]) if "enum" in schema else schema["type"]
