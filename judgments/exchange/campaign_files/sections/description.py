"""What a campaign is called, and what annotators are told."""

from __future__ import annotations

from django.conf import settings
from django.core.exceptions import ValidationError

from judgments.files import markdown
from judgments.files.languages import language_name
from judgments.files.texts import LONGEST_NAME
from judgments.models.corpus import language_tag

from ..nodes import within
from ..section import FileSection
from ..shapes import SOME_TEXT, nearest


def is_tag(code: str) -> bool:
    try:
        language_tag(code)
    except ValidationError:
        return False
    return True


class NameSection(FileSection):
    key = "name"
    is_required = True
    follows = False

    def schema(self):
        return {
            "type": "string",
            "pattern": SOME_TEXT,
            "maxLength": LONGEST_NAME,
            "description": "What the campaign is called, on pages and in exports.",
        }

    def apply(self, campaign, value, desk):
        campaign.name = value.strip()

    def export(self, campaign):
        return campaign.name


class InstructionsSection(FileSection):
    """By the language of the annotators' pages. Without them the preset's own are taken, which a
    person would find in the form; an empty text in English is none."""

    key = "instructions"
    follows = False

    def schema(self):
        text = {"type": "string", "maxLength": markdown.LONGEST}
        said = {
            "type": "object",
            "additionalProperties": text,
            "properties": {
                code: {**text, "description": f"In {language_name(code)}."}
                for code, _ in settings.LANGUAGES
            },
            "maxProperties": 100,
        }
        return {
            "anyOf": [text, said],
            "description": "What annotators are told, in Markdown: in English, or in each language "
            "of their pages. Without it: the instructions of the preset.",
        }

    def read(self, node, desk):
        if node is None:
            return None
        texts = node.plain()
        if isinstance(texts, str):
            texts = {"en": texts}
        for code, text in texts.items():
            path = self.key if isinstance(node.value, str) else within(self.key, code)
            if not is_tag(code):
                known = [known for known, _ in settings.LANGUAGES]
                desk.fault(path, f"this is no tag of a language; {nearest(code, known)}")
            if problem := markdown.problem_with(text):
                desk.fault(path, problem)
        return {code: text for code, text in texts.items() if text.strip()}

    def apply(self, campaign, value, desk):
        preset = desk.values["preset"]
        own = {"en": preset.instructions} if preset.instructions else {}
        campaign.instructions = own if value is None else value

    def export(self, campaign):
        return dict(campaign.instructions)


class SimulatedSection(FileSection):
    key = "simulated"
    follows = False

    def schema(self):
        return {
            "type": "boolean",
            "description": "Whether a program makes the judgments up; pages then say so.",
        }

    def apply(self, campaign, value, desk):
        campaign.simulated = bool(value)

    def export(self, campaign):
        return True if campaign.simulated else None
