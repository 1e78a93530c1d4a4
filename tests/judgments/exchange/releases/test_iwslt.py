"""Outputs of speech translation as IWSLT's tools write them, in and out.

The keys are those of OmniSTEval's example `instances.resegmented.jsonl` and of SimulEval's log.
"""

import json

import pytest
from hypothesis import given, settings

from judgments.exchange.releases import registry
from judgments.exchange.releases.iwslt import Iwslt
from judgments.exchange.releases.records import Problems, Release, TextsPart
from judgments.files.problem import ImportProblem
from judgments.files.texts import SegmentTexts
from judgments.files.uploads import Folder, opened

from .test_texts_in import part_of, texts_of

LANGUAGES = {"source-language": "en", "target-language": "de"}
RESEGMENTED = {"source_length": 9050.0, "emission_cu": [4067.0], "emission_ca": [7211.5]}
SIMULEVAL = {"delays": [1.0], "elapsed": [2.0], "prediction_length": 1, "source_length": 3.0}


def lines(*rows):
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)


def read(folder, answers=LANGUAGES):
    problems = Problems()
    with opened(sorted(folder.iterdir())) as files:
        release = registry.read(files, answers, problems)
        (part,) = release.texts
        return part, list(part.segments()), problems


@pytest.fixture
def folder(tmp_path):
    texts = ("Hallo, ich bin Elena.", "Hallo, hier ist Elena."), ("", "Was ist das?")
    for system, at in (("KIT", 0), ("CUNI", 1)):
        (tmp_path / system).mkdir()
        rows = (
            {"index": n, "docid": 0, "segid": n, "prediction": prediction[at],
             "reference": f"Referenz {n}", **RESEGMENTED}
            for n, prediction in enumerate(texts)
        )  # fmt: skip
        (tmp_path / system / "instances.resegmented.jsonl").write_text(lines(*rows))
    (tmp_path / "source.txt").write_text("Hello, this is Elena.\nWhat is that?\n")
    return tmp_path


def test_outputs_that_were_set_to_segments(folder):
    part, rows, problems = read(folder)
    assert (part.source_language, part.target_language) == ("en", "de")
    assert texts_of(rows) == [
        ("0", "", "", "Hello, this is Elena.", {"ref": "Referenz 0"},
         {"CUNI": "Hallo, hier ist Elena.", "KIT": "Hallo, ich bin Elena."}),
        ("0", "", "", "What is that?", {"ref": "Referenz 1"}, {"CUNI": "Was ist das?", "KIT": ""}),
    ]  # fmt: skip
    assert any("emission_cu" in sentence for sentence in problems.unused())


def test_a_log_of_simuleval_names_its_recordings(tmp_path):
    rows = (
        {"index": n, "prediction": "Hallo", "reference": "Moin", **SIMULEVAL,
         "source": [f"/data/talk{n}.wav", "samplerate: 16000"]}
        for n in range(2)
    )  # fmt: skip
    (tmp_path / "NAIST.log").write_text(lines(*rows))
    (tmp_path / "source.txt").write_text("Hello\nHi\n")
    _, found, _ = read(tmp_path)
    assert [row.document for row in found] == ["talk0.wav", "talk1.wav"]
    assert found[0].outputs == {"NAIST": "Hallo"}


@pytest.mark.parametrize(
    ("file", "text", "words"),
    [
        ("source.txt", "one\n", "source.txt: the file ends after 1 lines, before others do"),
        ("source.txt", "one\n\n", "row 2, column source: there is no text of the source"),
        ("KIT/instances.resegmented.jsonl",
         '{"prediction": "a", "reference": "Referenz 0"}\n', "the file ends after 1 lines"),
        ("KIT/instances.resegmented.jsonl",
         '{"prediction": "a", "reference": "Referenz 0"}\n{"prediction": "", "reference": "x"}\n',
         "row 2, column reference: the reference differs from"),
        ("KIT/instances.resegmented.jsonl",
         '{"prediction": "a", "reference": "Referenz 0"}\n{"reference": "Referenz 1"}\n',
         "row 2, column prediction: the value should be a text"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_told_with_its_place(folder, file, text, words):
    (folder / file).write_text(text)
    with pytest.raises(ImportProblem, match=words):
        read(folder)


def test_without_the_text_of_the_source_it_says_what_to_bring(folder):
    (folder / "source.txt").unlink()
    with pytest.raises(ImportProblem, match=r"upload a file source\.txt"):
        read(folder)


def test_out_and_in_again(tmp_path_factory):
    @settings(max_examples=60, deadline=None)
    @given(part=part_of())
    def holds(part):
        folder = tmp_path_factory.mktemp("out")
        Iwslt().write(Release(texts=[part]), Folder(folder))
        found, rows, problems = read(folder, {})
        assert not problems.n and not problems.unused()
        assert (found.source_language, found.target_language) == ("de", "en")
        assert texts_of(rows) == texts_of(part.segments())
        for path in folder.iterdir():
            for number, line in enumerate(path.read_text().splitlines()):
                row = json.loads(line)
                assert row["index"] == number
                assert {type(row["docid"]), type(row["segid"])} == {int}
                assert isinstance(row["prediction"], str) and isinstance(row["reference"], str)

    holds()


def test_places_in_documents_count_from_zero(tmp_path):
    rows = [
        SegmentTexts("x", n, str(n), document, "a", {"ref": "b"}, {"S": "c"})
        for n, document in enumerate(("d1", "d1", "d2"), 1)
    ]
    Iwslt().write(Release(texts=[TextsPart("k", "n", "de", "en", lambda: rows)]), Folder(tmp_path))
    found = [json.loads(line) for line in (tmp_path / "system-1.jsonl").read_text().splitlines()]
    assert [(row["docid"], row["segid"]) for row in found] == [(0, 0), (0, 1), (1, 0)]
