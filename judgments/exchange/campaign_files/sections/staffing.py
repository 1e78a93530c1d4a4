"""What is settled with the people: consent, questions, completion codes, names, pay."""

from __future__ import annotations

from judgments.people.staffing import settings as staffing
from judgments.people.staffing.settings import plain, read, set_staffing, staffing_of

from ..section import FileSection

TEXTS = {"type": "object", "additionalProperties": {"type": "string"}}


class StaffingSection(FileSection):
    key = "staffing"

    def schema(self):
        return {
            "type": "object",
            "additionalProperties": False,
            "description": "What is settled with annotators before they begin, and when they end.",
            "properties": {
                "consent": {
                    "type": "object",
                    "additionalProperties": False,
                    "description": "What they accept before the first item.",
                    "properties": {
                        "texts": TEXTS | {"description": "Markdown by language, such as en."}
                    },
                },
                "questions": {
                    "type": "array",
                    "maxItems": staffing.MOST_QUESTIONS,
                    "items": question_schema(),
                    "description": "Asked once, about the person.",
                },
                "codes": {
                    "type": "object",
                    "additionalProperties": False,
                    "description": "Completion codes, shown when all is judged.",
                    "properties": {name: {"type": "string"} for name in ("pass", "fail")},
                },
                "redirect": {
                    "type": "string",
                    "description": "An https address with {code} in it, to go back to.",
                },
                "batches": {
                    "type": ["integer", "null"],
                    "minimum": 1,
                    "maximum": staffing.MOST_BATCHES,
                    "description": "How many batches one person may take.",
                },
                "typed_names": {
                    "type": "boolean",
                    "default": True,
                    "description": "Whether annotators may type names of their own.",
                },
                "pay": pay_schema(),
            },
        }

    def read(self, node, desk):
        if node is None:
            return None
        value = node.plain()
        try:
            read(value)
        except ValueError as problem:
            desk.fault(self.key, str(problem))
        return value

    def apply(self, campaign, value, desk):
        if value:
            set_staffing(campaign, value)

    def export(self, campaign):
        found = plain(staffing_of(campaign))
        if "consent" in found:
            found["consent"] = {"texts": found["consent"]["texts"]}
        return found or None


def question_schema() -> dict:
    return {
        "type": "object",
        "required": ["name", "label"],
        "additionalProperties": False,
        "properties": {
            "name": {"type": "string", "description": "Short, of a-z, 0-9, - and _."},
            "label": {"type": ["string", "object"], "description": "A text, or texts by language."},
            "kind": {"type": "string", "enum": list(staffing.KINDS), "default": "text"},
            "choices": {"type": "array", "items": {"type": "string"}},
            "required": {"type": "boolean", "default": False},
        },
    }


def pay_schema() -> dict:
    amount = {"type": "string", "description": "An amount in quotes, such as '12.50'."}
    return {
        "type": "object",
        "required": ["amount", "currency"],
        "additionalProperties": False,
        "description": "What is paid, and which hourly wage was promised.",
        "properties": {
            "per": {"type": "string", "enum": list(staffing.PIECES), "default": "hour"},
            "amount": amount,
            "currency": {"type": "string", "maxLength": 10},
            "promised": amount,
        },
    }
