"""Glosses: a text under the source, in from every table of texts and out again."""

import json

import pytest
from django.core.management import call_command
from django.test import Client
from django.urls import reverse

from judgments.exchange.releases import from_database, registry
from judgments.exchange.releases.records import Problems, Release
from judgments.exchange.releases.tables.long_formats import LongTsv, ParquetTables, XlsxWorkbook
from judgments.exchange.releases.wmt_jsonl import WmtJsonl
from judgments.files.texts import from_table
from judgments.files.uploads import Folder, opened
from judgments.models import Reference, Segment, TestSet
from judgments.test_sets.corpus import add_texts, import_test_set
from tests import factory

pytestmark = pytest.mark.django_db
GLOSSES = ["the ferry lies in-the harbor", ""]
TABLE = (
    "segment\tsource\tgloss\treference\tsystem:A\n"
    f"1\tDie Fähre liegt im Hafen.\t{GLOSSES[0]}\tIt is in the harbor.\tThe ferry is in port.\n"
    "2\tSie schläft.\t \tShe sleeps.\tShe is asleep.\n"
)


@pytest.fixture
def owner():
    return factory.make_user("owner", is_staff=True)


@pytest.fixture
def table(tmp_path):
    path = tmp_path / "texts.tsv"
    path.write_text(TABLE)
    return path


@pytest.fixture
def test_set(owner, table):
    new = TestSet(
        name="Glossed", source_language="de", target_language="en", gloss_language="en-GB",
        owner=owner,
    )  # fmt: skip
    return import_test_set(new, from_table(table))


def stored(test_set):
    return list(test_set.segments.order_by("position").values_list("gloss", flat=True))


def test_a_column_of_a_table(test_set):
    assert stored(test_set) == GLOSSES


def test_the_command_takes_the_language_of_glosses(owner, table):
    call_command(
        "import_testset", "By command", "--source-language", "de", "--target-language", "en",
        "--gloss-language", "en", "--owner", "owner", "--table", str(table),
    )  # fmt: skip
    found = TestSet.objects.get()
    assert (stored(found), found.gloss_language) == (GLOSSES, "en")


def test_the_form_takes_the_language_of_glosses(owner, table):
    client = Client()
    client.force_login(owner)
    known = {"name": "By form", "source_language": "de", "target_language": "en"}
    for language, status in (("english, mostly", 422), ("en", 302)):
        with table.open("rb") as file:
            answer = client.post(
                reverse("test-set-new"), {**known, "gloss_language": language, "table": file}
            )
        assert answer.status_code == status
    assert TestSet.objects.get().gloss_language == "en"


@pytest.mark.parametrize("form", [LongTsv, XlsxWorkbook, ParquetTables, WmtJsonl])
def test_out_and_in_again(test_set, tmp_path, form):
    test_set.documents.update(instructions="Say du <b>.")
    release = Release(texts=[from_database.texts_part(test_set)])
    form().write(release, Folder(tmp_path / "out"))
    problems = Problems()
    with opened([tmp_path / "out"]) as files:
        again = registry.read(files, {}, problems)
        (part,) = again.texts
        assert [each.gloss for each in part.segments()] == GLOSSES
        assert {each.instructions for each in part.segments()} == {"Say du <b>."}
        assert part.gloss_language == ("" if form is WmtJsonl else "en-GB")
    assert not problems.n


def test_tables_that_were_written_before_there_were_glosses(test_set, tmp_path):
    release = Release(texts=[from_database.texts_part(test_set)])
    LongTsv().write(release, Folder(tmp_path / "out"))
    for name, n in (("segments.tsv", 2), ("test_sets.tsv", 1)):  # with the instructions
        (path,) = (tmp_path / "out").rglob(name)
        rows = [line.split("\t")[:-n] for line in path.read_text().splitlines()]
        path.write_text("".join("\t".join(row) + "\n" for row in rows))
    with opened([tmp_path / "out"]) as files:
        (part,) = registry.read(files, {}, Problems()).texts
        assert [each.gloss for each in part.segments()] == ["", ""]
        assert [each.source for each in part.segments()][1] == "Sie schläft."


def test_a_table_with_columns_of_another_name(test_set, tmp_path):
    path = tmp_path / "any.csv"
    path.write_text("ID,Source,Source gloss,system:A\n7,eins,one,uno\n")
    problems = Problems()
    with opened([path]) as files:
        release = registry.read(files, {"source_language": "de", "target_language": "es"}, problems)
        assert [s.gloss for part in release.texts for s in part.segments()] == ["one"]


def test_glosses_come_with_the_texts_of_a_test_set_of_keys(owner, table):
    test_set = factory.make_test_set(owner, n_segments=2, n_systems=1, n_documents=1)
    Segment.objects.update(source="")
    for number, segment in enumerate(test_set.segments.order_by("position"), 1):
        segment.key = str(number)
        segment.save()
    test_set.systems.update(name="A")
    TestSet.objects.update(has_texts=False)
    Reference.objects.all().delete()
    add_texts(test_set, from_table(table))
    assert stored(test_set) == GLOSSES


def judged_page(test_set, *, options=None, number=1):
    annotator = factory.make_user("annotator")
    campaign = factory.make_campaign(
        test_set, preset="direct-assessment", annotators=[annotator], options=options or {}
    )
    factory.make_task(campaign, annotator, n_outputs=1)
    client = Client()
    client.force_login(annotator)
    return client.get(reverse("judge-item", args=[campaign.pk, number])).content.decode()


def test_the_screen_shows_it_under_the_source(test_set):
    page = judged_page(test_set)
    source = page.partition('data-part="source"')[2].partition("</details>")[0]
    assert GLOSSES[0] in source
    assert '<span lang="en-GB" dir="ltr">' in source
    assert page.count('class="gloss"') == 1


def test_the_screen_shows_the_instructions_of_a_document(test_set):
    test_set.documents.update(instructions="Say <b>du</b>.")
    assert '<span dir="auto">Say &lt;b&gt;du&lt;/b&gt;.</span></div>' in judged_page(test_set)


def test_a_language_that_nobody_gave_is_unknown(test_set):
    TestSet.objects.update(gloss_language="")
    assert '<span lang="" dir="auto">' in judged_page(test_set)


def test_without_a_gloss_there_is_no_line(test_set):
    assert 'class="gloss"' not in judged_page(test_set, number=2)


def test_it_is_held_back_with_the_source(test_set):
    page = judged_page(test_set, options={"show_source": False, "show_reference": True})
    assert GLOSSES[0] not in page


def test_pages_of_the_desk_show_it(test_set, owner):
    client = Client()
    client.force_login(owner)
    assert GLOSSES[0] in client.get(reverse("test-set", args=[test_set.pk])).content.decode()
    campaign = factory.make_campaign(test_set, preset="direct-assessment", owner=owner)
    segment = test_set.segments.first()
    page = client.get(reverse("segment", args=[campaign.pk, segment.pk]))
    assert GLOSSES[0] in page.content.decode()
    texts = client.get(reverse("api-test-set-segments", args=[test_set.pk]))
    assert [each["gloss"] for each in json.loads(texts.content)["results"]] == GLOSSES


def test_markup_in_a_gloss_is_text(test_set):
    Segment.objects.update(gloss="<b>bold</b>")
    assert "&lt;b&gt;bold&lt;/b&gt;" in judged_page(test_set)
