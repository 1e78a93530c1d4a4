"""docs/guide/formats.md: it names every column, option and preset, and its examples import."""

import re
from pathlib import Path

import pytest
from django.core.management import call_command

from judgments.files import prefilled_spans, questions, reference_texts, texts
from judgments.files.output_texts import POST_EDITS, WORD_LINKS
from judgments.files.rows import import_rows
from judgments.models import (
    ErrorSpan,
    Judgment,
    Kind,
    Output,
    Preference,
    Rating,
    TargetedReference,
    TestSet,
)
from judgments.protocols import PRESETS, PROTOCOLS
from judgments.protocols.spans.table import ERRORS
from judgments.test_sets.prefilled_spans import SuggestedErrors
from metrics.formats import score_files, score_tables
from metrics.models import MetricScore, MetricSpans
from tests import factory

GUIDE = Path(__file__).resolve().parents[3] / "docs" / "guide" / "formats.md"
TABLES = {slug: protocol.table for slug, protocol in PROTOCOLS.items()}
LANGUAGES = ("--source-language", "de", "--target-language", "en", "--owner", "anna")


@pytest.fixture
def examples(tmp_path):
    """The examples of the guide as files, named by the words after ```."""
    blocks = re.findall(r"^```\w+ (\S+)\n(.*?)^```$", GUIDE.read_text(), re.M | re.S)
    for name, content in blocks:
        (tmp_path / name).write_text(content)
    return tmp_path


@pytest.mark.parametrize(
    "columns",
    [
        texts.COLUMNS,
        POST_EDITS.columns,
        reference_texts.COLUMNS,
        prefilled_spans.COLUMNS,
        WORD_LINKS.columns,
        questions.COLUMNS,
        score_tables.LONG,
        ERRORS,
        *(table.columns for table in TABLES.values()),
    ],
    ids=[
        "texts",
        "post-edits",
        "references",
        "suggestions",
        "links",
        "questions",
        "scores",
        "errors",
        *TABLES,
    ],
)
def test_every_column_is_described(columns):
    guide = GUIDE.read_text()
    names = [*columns.required, *columns.optional, *(p + "NAME" for p in columns.prefixes)]
    assert [name for name in names if f"`{name}`" not in guide] == []


def test_kinds_and_presets_are_named():
    guide = GUIDE.read_text()
    assert [word for word in (*Kind.values, *PRESETS) if f"`{word}`" not in guide] == []
    managers = GUIDE.with_name("manager.md").read_text()
    assert [preset for preset in PRESETS if f"`{preset}`" not in managers] == []


@pytest.mark.django_db
def test_the_example_of_suggestions_imports(examples):
    test_set = factory.make_test_set(factory.make_user("anna"), n_segments=3, n_systems=2)
    lines = examples.joinpath("plain.txt").read_text().splitlines()
    for system, name in zip(test_set.systems.order_by("name"), ("plain", "fancy"), strict=True):
        system.name = name
        system.save()
    for segment, text in zip(test_set.segments.all(), lines, strict=True):
        segment.outputs.update(text=text)
    campaign = factory.make_campaign(test_set, preset="esa-ai")
    rows = prefilled_spans.from_table(examples / "suggested.jsonl")
    assert import_rows(SuggestedErrors, campaign, rows).rows == 3


@pytest.mark.django_db
def test_the_examples_import(examples):
    factory.make_user("anna", is_staff=True)
    file = {path.name: str(path) for path in examples.iterdir()}
    call_command(
        *("import_testset", "Harbor", *LANGUAGES, "--source", file["source.txt"]),
        *("--reference", file["human.txt"], "--documents", file["documents.txt"]),
        *("--system", file["plain.txt"], "--system", file["fancy.txt"]),
    )
    test_set = str(TestSet.objects.get(name="Harbor").pk)
    for name in ("harbor.tsv", "harbor.jsonl"):
        call_command("import_testset", name, *LANGUAGES, "--table", file[name])
    assert Output.objects.count() == 6 + 6 + 2
    for name, preset, judgments in (
        ("ratings.tsv", "adequacy-fluency", 2),
        ("ratings-da.jsonl", "direct-assessment", 3),
        ("rankings.tsv", "relative-ranking", 2),
        ("preferences.tsv", "pairwise", 2),
        ("errors.tsv", "mqm", 2),
    ):
        call_command(
            *("import_judgments", file[name], "--create", name, "--test-set", test_set),
            *("--owner", "anna", "--preset", preset),
        )
        assert Judgment.objects.filter(campaign__name=name).count() == judgments
    assert (Rating.objects.count(), Preference.objects.count()) == (6 + 3 + 4 + 2, 2)
    assert ErrorSpan.objects.count() == 2


def test_levels_of_score_files_are_named():
    guide = GUIDE.read_text()
    assert [name for name in score_files.LEVELS if f"METRIC-REF.{name}.score" not in guide] == []


@pytest.mark.django_db
def test_the_examples_of_post_edits_and_scores_import(examples):
    factory.make_user("anna", is_staff=True)
    file = {path.name: str(path) for path in examples.iterdir()}
    call_command(
        *("import_testset", "Harbor", *LANGUAGES, "--source", file["source.txt"]),
        *("--reference", file["human.txt"], "--documents", file["documents.txt"]),
        *("--system", file["plain.txt"], "--system", file["fancy.txt"]),
    )
    test_set = TestSet.objects.get()
    corrected = ("--name", "human-errors", "--original", "human", "--step", "errors")
    call_command("import_reference", test_set.pk, file["corrected.csv"], *corrected)
    assert test_set.reference_names == ["human", "human-errors"]
    call_command("import_postedits", test_set.pk, "--table", file["post-edits.tsv"])
    assert TargetedReference.objects.count() == 3 and test_set.targeted_names == ["Jo", "Mia"]
    for name, n_scores in (
        ("COMET-22-human.seg.score", 2),
        ("TER-human.sys.score", 2),
        ("scores.tsv", 2),
    ):
        MetricScore.objects.all().delete()
        call_command("import_scores", test_set.pk, file[name], "--higher-is-better")
        assert MetricScore.objects.count() == n_scores, name
    MetricScore.objects.all().delete()
    call_command("import_scores", test_set.pk, file["wide.tsv"], "--higher-is-better")
    assert MetricScore.objects.get(options__name="MetricX-23", system__name="plain").score == -3.1
    call_command("import_scores", test_set.pk, file["scores.tsv"], "--higher-is-better")
    call_command("import_scores", test_set.pk, file["marked.tsv"], "--higher-is-better")
    of_systems = MetricSpans.objects.values_list("score__system__name", "n_errors")
    assert dict(of_systems) == {"plain": 1, "fancy": 0}
