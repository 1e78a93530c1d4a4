"""Which texts are judged: a test set that is there, files in any format that the page Import takes,
or the texts themselves."""

from __future__ import annotations

from django.core.exceptions import ValidationError

from judgments.exchange.releases.importer import Findings, bring_in
from judgments.exchange.releases.language_answers import SOURCE_LANGUAGE, TARGET_LANGUAGE
from judgments.exchange.releases.registry import BY_SLUG
from judgments.files import ImportProblem
from judgments.files.texts import COLUMNS, LONGEST_NAME, from_rows
from judgments.models import TestSet
from judgments.test_sets.corpus import import_test_set

from ..nodes import within
from ..rows import rows_of, schema_of
from ..section import FileSection
from ..shapes import SOME_TEXT, any_of, by_name, list_of, mapping, one_of, shape, some_text

MOST_FILES = 1_000
MOST_SEGMENTS = 20_000
LONGEST_NOTE = 2_000
LANGUAGE = "A tag such as de, pt-BR, zh-Hant."
NEW = {
    "name": some_text(LONGEST_NAME, "What the new test set is called."),
    "source_language": shape("string", LANGUAGE, maxLength=35),
    "target_language": shape("string", LANGUAGE, maxLength=35),
    "gloss_language": shape("string", "That of the column gloss, as a tag.", maxLength=35),
    "note": shape("string", "Where the texts come from.", maxLength=LONGEST_NOTE),
}
FILES = {
    "files": list_of(
        shape("string", pattern=SOME_TEXT),
        MOST_FILES,
        "Files, folders and archives in any format that the site imports; the paths go from this "
        "file's folder.",
        minItems=1,
    ),
    "format": one_of(BY_SLUG, "Where the files could be of several formats."),
    "part": some_text(LONGEST_NAME, "Which test set, where the files contain several."),
    "answers": by_name(
        shape("string"),
        "Answers to what the files do not say, as manage.py import_release asks for it.",
        maxProperties=MOST_FILES,
    ),
}
ROWS = {"rows": schema_of(COLUMNS, MOST_SEGMENTS)}


class TextsSection(FileSection):
    key = "texts"
    is_required = True

    def schema(self):
        return any_of(
            some_text(LONGEST_NAME, "The name of an existing test set."),
            shape("integer", "Its number.", minimum=1),
            mapping(FILES | NEW, required=["files"]),
            mapping(ROWS | NEW, required=["rows", "name", "source_language", "target_language"]),
            words="The texts that are judged: the name of a test set, files, or rows with a source "
            "and an output of every system.",
        )

    def read(self, value, desk):
        if isinstance(value, dict):
            desk.values["paths"] = [
                desk.file_named(f"texts.files.{n}", name)
                for n, name in enumerate(value.get("files", ()), 1)
            ]
            return value
        found = TestSet.objects.visible_to(desk.user)
        if isinstance(value, str):
            named = found.filter(name=value.strip())
        else:  # a whole number, which JSON may also write as 1.0
            named = found.filter(pk=int(value)) if value < 2**31 else found.none()
        if len(named) == 1:
            return named[0]
        words = f"there is no test set {value}."
        if len(named) > 1:
            numbers = ", ".join(str(each.pk) for each in named[:10])
            words = f"{len(named)} test sets have this name; write the number: {numbers}."
        desk.fault(self.key, words)
        return None

    def apply(self, campaign, value, desk):
        if isinstance(value, TestSet):
            campaign.test_set = value
            return
        try:
            bring = brought if "files" in value else written
            if found := bring(value, desk):
                campaign.test_set = found
        except ImportProblem as problem:
            desk.import_fault("texts.rows", problem)
        except ValidationError as error:
            for name, words in error.message_dict.items():
                desk.fault(within(self.key, name), " ".join(words))

    def export(self, campaign):
        test_set = campaign.test_set
        if TestSet.objects.filter(name=test_set.name).count() > 1 or test_set.name.isdecimal():
            return test_set.pk
        return test_set.name


def written(said: dict, desk) -> TestSet:
    """Return a test set of rows that stand in the document. Raise ImportProblem,
    ValidationError."""
    new = {name: said.get(name, "").strip() for name in NEW}
    rows = rows_of(said["rows"], COLUMNS)
    return import_test_set(TestSet(owner=desk.user, **new), from_rows(rows))


def brought(said: dict, desk) -> TestSet | None:
    """Return a test set from files, by the door of all imports; None, and faults, where there is
    none."""
    answers = dict(said.get("answers", {}))
    asked = {SOURCE_LANGUAGE: "source_language", TARGET_LANGUAGE: "target_language"}
    if "part" not in said:
        asked["test-set-1"] = "name"
    answers = {question: said[key] for question, key in asked.items() if key in said} | answers
    findings = bring_in(
        desk.values["paths"], desk.user, answers=answers, only=said.get("format", ""),
        texts_only=True,
    )  # fmt: skip
    if not findings.written:
        tell(findings, desk)
        return None
    sets = list(findings.written.test_sets.values())
    if "part" in said:
        sets = [each for each in sets if each.name == said["part"].strip()]
    if len(sets) != 1:
        names = ", ".join(f"“{each.name}”" for each in findings.written.test_sets.values())
        key = "texts.part" if "part" in said else "texts.files"
        desk.fault(key, f"the files contain several test sets; say which as `part`: {names}.")
        return None
    (found,) = sets
    found.name = said.get("name", found.name).strip()
    found.note = said.get("note", found.note)
    found.full_clean()
    found.save()
    return found


def tell(findings: Findings, desk) -> None:
    for problem in findings.problems.first:
        desk.fault("texts.files", str(problem))
    for question in findings.questions:
        if question.name in findings.unanswered:
            choices = ", ".join(value for value, _ in question.choices)
            words = f"{question.label}? Answer “{question.name}” in `answers`"
            desk.fault("texts.answers", f"{words}: {choices}." if choices else f"{words}.")
    if not (findings.problems or findings.unanswered):
        desk.fault("texts.files", "the files contain no texts.")
