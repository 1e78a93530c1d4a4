"""The name of a campaign, and its texts for annotators."""

from __future__ import annotations

from django.conf import settings
from django.core.exceptions import ValidationError

from judgments.files import markdown
from judgments.files.languages import language_name
from judgments.files.texts import LONGEST_NAME
from judgments.models.corpus import language_tag

from ..misfits import nearest
from ..nodes import within
from ..section import FileSection
from ..shapes import any_of, by_name, shape, some_text


class NameSection(FileSection):
    key = "name"
    is_required = True

    def schema(self):
        return some_text(LONGEST_NAME, "What the campaign is called, on pages and in exports.")

    def apply(self, campaign, value, desk):
        campaign.name = value.strip()

    def export(self, campaign):
        return campaign.name


class InstructionsSection(FileSection):
    """By the language of the annotators' pages. Without them the preset's own are used, as in the
    form; an empty text in English means no instructions."""

    key = "instructions"

    def schema(self):
        text = shape("string", maxLength=markdown.LONGEST)
        known = {
            code: {**text, "description": f"In {language_name(code)}."}
            for code, _ in settings.LANGUAGES
        }
        return any_of(
            text,
            by_name(text, properties=known, maxProperties=100),
            words="Instructions for annotators, in Markdown: in English, or in each language of "
            "their pages. If missing, the instructions of the preset.",
        )

    def read(self, value, desk):
        if value is None:
            return None
        texts = {"en": value} if isinstance(value, str) else value
        for code, text in texts.items():
            path = self.key if isinstance(value, str) else within(self.key, code)
            try:
                language_tag(code)
            except ValidationError:
                known = [known for known, _ in settings.LANGUAGES]
                desk.fault(path, f"this is not a language tag; {nearest(code, known)}")
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

    def schema(self):
        return shape("boolean", "Whether a program makes up the judgments; pages then say so.")

    def apply(self, campaign, value, desk):
        campaign.simulated = bool(value)

    def export(self, campaign):
        return True if campaign.simulated else None
