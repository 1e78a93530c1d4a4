"""The languages of a release whose files may not say them: asked for, and checked."""

from __future__ import annotations

from collections.abc import Mapping

from django.core.exceptions import ValidationError

from judgments.files.problem import ImportProblem
from judgments.models.corpus import language_tag

from .records import OpenQuestion

SOURCE_LANGUAGE, TARGET_LANGUAGE = "source-language", "target-language"


def language_questions(source: str = "", target: str = "") -> list[OpenQuestion]:
    """Return for formats whose files may not say their languages; with what they do say."""
    return [
        OpenQuestion(SOURCE_LANGUAGE, "Language of the source", "Such as de or pt-BR.", (), source),
        OpenQuestion(TARGET_LANGUAGE, "Language of the translations", "Such as en.", (), target),
    ]


def languages_of(answers: Mapping[str, str], source: str = "", target: str = "") -> tuple[str, str]:
    """Return the languages that the files or the answers say. Raise ImportProblem for what is no
    tag."""
    found = []
    for question, known in ((SOURCE_LANGUAGE, source), (TARGET_LANGUAGE, target)):
        tag = answers.get(question, "").strip() or known
        try:
            language_tag(tag) if tag else None
        except ValidationError as error:
            raise ImportProblem(question, None, "", error.messages[0]) from None
        found.append(tag)
    return found[0], found[1]
