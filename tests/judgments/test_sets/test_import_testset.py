"""manage.py import_testset and the writes behind it."""

import gzip

import pytest
from django.core.management import CommandError, call_command

from judgments.files import texts
from judgments.models import Document, Output, Reference, Segment, System, TestSet
from judgments.test_sets.corpus import import_test_set
from judgments.test_sets.same_texts import SameTexts
from tests import factory

from ..files.files import upload, written

pytestmark = pytest.mark.django_db


@pytest.fixture
def owner():
    return factory.make_user("owner")


@pytest.fixture
def files(tmp_path):
    """Command-line options for three segments in two documents, two systems, one reference."""
    written(tmp_path / "src.txt", "eins", "zwei", "drei")
    written(tmp_path / "ref.txt", "one", "two", "three")
    written(tmp_path / "docs.txt", "d1", "d1", "d2")
    written(tmp_path / "A.txt", "a one", "a two", "a three")
    (tmp_path / "b.gz").write_bytes(gzip.compress(b"b\\one\nb\ttwo\nb three\n"))
    return {
        "--source": str(tmp_path / "src.txt"),
        "--reference": f"human={tmp_path / 'ref.txt'}",
        "--documents": str(tmp_path / "docs.txt"),
        "--system": [str(tmp_path / "A.txt"), f"online B={tmp_path / 'b.gz'}"],
    }


def run(files, *more, source="de", target="en", owner="owner"):
    options = []
    for option, values in files.items():
        for value in [values] if isinstance(values, str) else values:
            options += [option, value]
    call_command(
        *("import_testset", "News", "--source-language", source, "--target-language", target),
        *("--owner", owner, *options, *more),
    )


def nothing_there():
    models = (TestSet, Document, Segment, System, Reference, Output)
    return not any(model.objects.exists() for model in models)


def test_plain_text_files_become_a_test_set(owner, files, capsys):
    run(files, "--note", "Made up.")
    test_set = TestSet.objects.get(name="News")
    assert (test_set.owner, test_set.note, test_set.source_language) == (owner, "Made up.", "de")
    assert list(test_set.documents.values_list("name", "position")) == [("d1", 0), ("d2", 1)]
    assert list(test_set.segments.values_list("key", "position", "source", "document__name")) == [
        ("1", 0, "eins", "d1"),
        ("2", 1, "zwei", "d1"),
        ("3", 2, "drei", "d2"),
    ]
    assert test_set.reference_names == ["human"]
    outputs = Output.objects.order_by("system__name", "segment__position")
    assert list(outputs.values_list("system__name", "segment__key", "text")) == [
        ("A", "1", "a one"),
        ("A", "2", "a two"),
        ("A", "3", "a three"),
        ("online B", "1", "b\\one"),
        ("online B", "2", "b\ttwo"),
        ("online B", "3", "b three"),
    ]
    assert "3 segments in 2 documents, 2 systems, 6 outputs" in capsys.readouterr().out


def test_a_whole_folder_as_outputs_is_warned_about(owner, files, capsys):
    run(files)
    assert capsys.readouterr().err == ""
    files["--system"] = [*files["--system"], files["--source"]]
    files["--system"].append("human copy=" + files["--reference"].removeprefix("human="))
    run(files)
    warnings = capsys.readouterr().err.splitlines()
    assert len(warnings) == 2
    assert "The system “src” is identical to the source in every segment." in warnings[0]
    assert "“human copy” is identical to the reference “human” in every" in warnings[1]
    assert TestSet.objects.count() == 2


def test_a_table_becomes_a_test_set(owner, tmp_path):
    written(
        tmp_path / "t.jsonl",
        '{"segment": "n-1", "document": "d", "original_language": "de", "domain": "news",'
        ' "source": "eins", "reference": "one", "system:A": "uno\\nzwo\\\\"}',
    )
    run({"--table": str(tmp_path / "t.jsonl")})
    output = Output.objects.select_related("segment__document").get()
    assert (output.text, output.segment.key) == ("uno\nzwo\\", "n-1")
    assert (output.segment.document.domain, output.segment.document.original_language) == (
        "news",
        "de",
    )
    assert Reference.objects.get().name == "ref"


@pytest.mark.parametrize(
    ("file", "lines", "message"),
    [
        ("A.txt", ["a", "b"], "A.txt, row 3: the file has 2 lines, but src.txt has 3"),
        ("src.txt", ["a", "", "c"], "src.txt, row 2: the line is empty"),
        ("src.txt", ["a", "b", "\t"], "src.txt, row 3: the line is empty"),
        ("docs.txt", ["a", "", "b"], "docs.txt, row 2: the name is empty"),
        ("docs.txt", ["a", "b", "x" * 201], "docs.txt, row 3: “xxx"),
    ],
)
def test_one_bad_line_imports_nothing(owner, files, tmp_path, file, lines, message):
    written(tmp_path / file, *lines)
    with pytest.raises(CommandError) as caught:
        run(files)
    assert str(caught.value).startswith("Nothing was imported. ")
    assert message in str(caught.value)
    assert nothing_there()


def test_empty_outputs_and_missing_references_come_in(owner, files, tmp_path, capsys):
    written(tmp_path / "ref.txt", "one", "", "three")
    written(tmp_path / "A.txt", "a one", " ", "")
    written(tmp_path / "docs.txt", "news\td1", "news\td1", "social\td1")
    run(files)
    test_set = TestSet.objects.get()
    of_a = Output.objects.filter(system__name="A").order_by("segment__position")
    assert list(of_a.values_list("text", flat=True)) == ["a one", "", ""]
    there = Reference.objects.order_by("segment__position").values_list("segment__key", "text")
    assert list(there) == [("1", "one"), ("3", "three")]
    documents = test_set.documents.values_list("name", "domain")
    assert list(documents) == [("d1", "news"), ("social/d1", "social")]
    assert "6 outputs" in capsys.readouterr().out


def test_a_reference_with_blank_lines_chosen_as_a_system_is_warned_about(owner, files, tmp_path):
    written(tmp_path / "ref.txt", "one", "", "three")
    found = SameTexts(
        texts.from_lines(
            files["--source"],
            {"ref": tmp_path / "ref.txt"},
            {"A": tmp_path / "A.txt", "copy": tmp_path / "ref.txt"},
        )
    )
    assert len(list(found)) == 3
    (warning,) = found.warnings()
    assert "The system “copy” is identical to the reference “ref” in every segment" in warning


def segment(key, **outputs):
    return texts.SegmentTexts("f", int(key), key, "d", f"source {key}", {}, outputs)


def test_a_system_may_lack_segments_and_come_later(owner, monkeypatch):
    monkeypatch.setattr("judgments.test_sets.corpus.SEGMENTS_AT_ONCE", 1)
    test_set = TestSet(name="n", owner=owner, source_language="de", target_language="en")
    rows = [segment("1", a="1a"), segment("2", a="2a", b=""), segment("3", b="3b")]
    counted = SameTexts(rows)
    import_test_set(test_set, counted)
    outputs = Output.objects.order_by("system__name", "segment__position")
    assert list(outputs.values_list("system__name", "segment__key", "text")) == [
        ("a", "1", "1a"),
        ("a", "2", "2a"),
        ("b", "2", ""),
        ("b", "3", "3b"),
    ]
    assert counted.warnings() == []


def test_a_bad_line_after_many_good_ones_imports_nothing(owner):
    """The rows before it were written by then: the transaction takes them back."""
    content = b"source\tsystem:A\n" + b"a\tb\n" * 1200 + b"a\t\xff\n"
    test_set = TestSet(name="n", owner=owner, source_language="de", target_language="en")
    with pytest.raises(texts.ImportProblem) as caught:
        import_test_set(test_set, texts.from_table(upload("t.tsv", content)))
    assert (caught.value.row, "UTF-8" in caught.value.reason) == (1202, True)
    assert nothing_there()


@pytest.mark.parametrize(
    ("column", "values", "reason"),
    [
        ("domain", ["news", "speech"], "has a different domain in an earlier row"),
        ("original_language", ["de", "en"], "has a different original language"),
        ("original_language", ["German?", "en"], "Use a language tag"),
        ("domain", ["x" * 101, ""], "longer than 100 characters"),
    ],
)
def test_a_document_is_described_once(owner, column, values, reason):
    rows = "".join(f"d\t{value}\ts\to\n" for value in values)
    content = f"document\t{column}\tsource\tsystem:A\n{rows}".encode()
    test_set = TestSet(name="n", owner=owner, source_language="de", target_language="en")
    with pytest.raises(texts.ImportProblem) as caught:
        import_test_set(test_set, texts.from_table(upload("t.tsv", content)))
    assert (caught.value.column, reason in caught.value.reason) == (column, True)
    assert nothing_there()


def test_more_segments_than_the_site_takes(owner, settings):
    settings.MAX_IMPORT_ROWS = 600
    test_set = TestSet(name="n", owner=owner, source_language="de", target_language="en")
    with pytest.raises(texts.ImportProblem, match="more than 600 segments"):
        content = b"source\tsystem:A\n" + b"a\tb\n" * 700
        import_test_set(test_set, texts.from_table(upload("t.tsv", content)))
    assert nothing_there()


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"source": "Deutsch!"}, "source_language: Use a language tag"),
        ({"owner": "nobody"}, "There is no account “nobody”"),
    ],
)
def test_the_test_set_itself_is_checked(owner, files, changes, message):
    with pytest.raises(CommandError, match=message):
        run(files, **changes)
    assert nothing_there()


def test_options_that_do_not_go_together(owner, files, tmp_path):
    table = {"--table": str(written(tmp_path / "t.tsv", "source\tsystem:A", "a\tb"))}
    with pytest.raises(CommandError, match="either --table or"):
        run(files | table)
    with pytest.raises(CommandError, match="Give --source"):
        run({})
    twins = {"--system": [f"A={tmp_path / 'A.txt'}", str(tmp_path / "A.txt")]}
    with pytest.raises(CommandError, match="Two systems are named “A”"):
        run(files | twins)
    assert nothing_there()
