"""*Download the texts* and *Upload the scores*: the file that Python runs, and what comes back."""

import gzip
import io
import json
import math
import subprocess
import sys
import zipfile

import numpy as np
import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from judgments.files import ImportProblem
from judgments.models import Output, Reference, System
from metrics.models import MetricScore, MetricSpans
from metrics.neural.row_hash import row_hash
from metrics.scorers.neural import Neural
from metrics.scores import kits
from metrics.scores.importing import Instructions, import_scores
from metrics.scores.upload_views import sentence
from tests.base import CastTestCase

from .score_files import HIGHER, stored

OWN_METRIC = """
def length(sources, outputs, references):
    assert len(sources) == len(outputs) == len(references)
    return [len(output) / 2 for output in outputs]


def marking(sources, outputs, references):
    spans = [{"start": 0, "end": 1, "severity": "minor"}]
    return [{"score": len(text[0]), "spans": spans} for text in references]


def undefined(sources, outputs, references):
    return [float("nan"), None, *range(len(outputs) - 2)]


def short(sources, outputs, references):
    return []


def words(sources, outputs, references):
    return outputs
"""


ERROR = {"start": 0, "end": 1, "severity": "minor"}


class Kit:
    """The file of texts in a folder, next to a custom metric."""

    def __init__(self, test_set, folder):
        self.folder = folder
        (folder / "texts.zip").write_bytes(kits.kit(test_set))
        (folder / "own.py").write_text(OWN_METRIC)

    def __call__(self, *arguments):
        """Return the exit code, and the output."""
        # -S -E: none of the installed packages, in particular not Django.
        line = [sys.executable, "-S", "-E", "texts.zip", *arguments]
        done = subprocess.run(line, cwd=self.folder, capture_output=True, text=True, check=False)
        return done.returncode, done.stdout + done.stderr


@pytest.fixture
def kit(test_set, tmp_path):
    return Kit(test_set, tmp_path)


@pytest.fixture
def scores_file(kit):
    """The file of scores of a function of OWN_METRIC."""

    def make(function, *arguments):
        code, said = kit("--callable", f"own:{function}", "--out", "own.scores.jsonl", *arguments)
        assert code == 0, said
        return kit.folder / "own.scores.jsonl"

    return make


def lines_of(file):
    return [json.loads(line) for line in file.read_text().splitlines()]


def rewritten(file, change):
    """Return the file with its lines changed in place by a function."""
    lines = lines_of(file)
    change(lines)
    file.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return file


class TestTheFile:
    def test_it_lists_what_it_holds(self, kit, test_set):
        code, said = kit("--list")
        assert code == 0, said
        assert "Systems: System-A, System-B, System-C" in said and "References: ref" in said
        assert "comet: COMET, Unbabel/wmt22-comet-da" in said and "xcomet: XCOMET-XL" in said

    def test_all_neural_metrics_are_in_it(self, test_set):
        from metrics.scorers import SCORERS

        neural = {slug for slug, kind in SCORERS.items() if issubclass(kind, Neural)}
        assert set(kits.metrics_for(test_set)) == neural | {"xcomet"}

    def test_the_same_texts_make_the_same_bytes(self, test_set):
        assert kits.kit(test_set) == kits.kit(test_set)

    def test_nothing_of_the_site_is_in_it(self, test_set):
        with zipfile.ZipFile(io.BytesIO(kits.kit(test_set))) as packed:
            code = b"".join(packed.read(n) for n in packed.namelist() if n.endswith(".py"))
        for module in (b"django", b"judgments", b"metrics.s", b"numpy"):
            assert b"import " + module not in code and b"from " + module not in code

    def test_a_copy_of_a_reference_is_no_system(self, test_set):
        test_set.systems.filter(name="System-C").update(copies_reference="ref")
        with zipfile.ZipFile(io.BytesIO(kits.kit(test_set))) as packed:
            head = json.loads(packed.read("texts.jsonl").partition(b"\n")[0])
        assert head["systems"] == ["System-A", "System-B"]

    def test_texts_that_were_changed_are_refused(self, kit, test_set):
        (kit.folder / "texts.jsonl").write_bytes(kits.texts_of(test_set) + b"{}\n")
        code, said = kit("--list", "--texts", "texts.jsonl")
        assert code == 1 and "changed or not copied completely; download" in said

    @pytest.mark.parametrize(
        ("arguments", "words"),
        [
            (["--metric", "bleu"], "There is no metric 'bleu'"),
            (["--callable", "own"], "is not MODULE:FUNCTION"),
            (["--callable", "own:none"], "own:none cannot be used"),
            (["--callable", "nothing:none"], "nothing:none cannot be used"),
            (["--callable", "own:length", "--reference", "x"], "no reference 'x'; there is: ref"),
            (["--callable", "own:length", "--system", "x"], "no system 'x'; there is: System-A"),
            (["--callable", "own:short"], "own.short gave 0 scores for 4 outputs"),
            (["--callable", "own:words"], "which is not a number"),
        ],
    )
    def test_what_cannot_be_done_is_said(self, kit, arguments, words):
        code, said = kit(*arguments)
        assert code == 1 and words in said and "Traceback" not in said
        assert not list(kit.folder.glob("*.jsonl"))


class TestBringing:
    def test_a_metric_of_ones_own(self, scores_file, test_set):
        file = scores_file("length", "--name", "Half length", "--lower-is-better")
        imported = import_scores(test_set, [file], HIGHER)
        assert (imported.labels, imported.n_scores) == (["Half length (uploaded)"], 3)
        for system in test_set.systems.all():
            score = MetricScore.objects.get(system=system)
            texts = [o.text for o in system.outputs.order_by("segment__position")]
            expected = [len(text) / 2 for text in texts]
            assert score.segment_scores.tolist() == expected
            assert score.score == pytest.approx(np.mean(expected))
            assert score.references == [] and score.options["higher_is_better"] is False
            made_by = lines_of(file)[0]["signature"]
            assert score.signature.endswith(f"|{made_by}") and "callable:own.length@" in made_by

    def test_with_a_reference_and_marked_errors(self, scores_file, test_set):
        Reference.objects.filter(segment=test_set.segments.first()).delete()
        kit_file = scores_file("marking", "--reference", "ref")
        # One segment had a reference when the texts were taken, and has none now.
        with pytest.raises(ImportProblem, match="row 2, column texts: the source, the output"):
            import_scores(test_set, [kit_file], HIGHER)

    def test_errors_that_are_marked_are_kept(self, scores_file, test_set):
        imported = import_scores(test_set, [scores_file("marking", "--reference", "ref")], HIGHER)
        assert imported.n_spans == 12
        assert "Added 12 marked errors." in sentence(imported)
        kept = MetricSpans.objects.get(score__system__name="System-A")
        assert kept.data == [[[0, 1, "minor", "", None]]] * 4
        assert kept.n_errors == 4
        assert stored(system__name="System-A").references == ["ref"]

    def test_a_system_without_a_value_has_no_errors(self, scores_file, test_set):
        def change(lines):
            for line in lines[1:]:
                if line["system"] == "System-A":
                    line["score"] = None

        file = rewritten(scores_file("marking", "--reference", "ref"), change)
        assert import_scores(test_set, [file], HIGHER).n_spans == 8
        assert not MetricSpans.objects.filter(score__system__name="System-A").exists()

    def test_scores_without_value_are_missing(self, scores_file, test_set):
        import_scores(test_set, [scores_file("undefined")], HIGHER)
        score = stored(system__name="System-A")
        assert np.isnan(score.segment_scores).tolist() == [True, True, False, False]
        assert score.score == 0.5 and score.n_segments == 2

    def test_some_systems_packed(self, scores_file, test_set, tmp_path):
        file = scores_file("length", "--system", "System-B")
        packed = tmp_path / "own.scores.jsonl.gz"
        packed.write_bytes(gzip.compress(file.read_bytes()))
        assert import_scores(test_set, [packed], HIGHER).n_scores == 1

    def test_again_only_when_asked(self, scores_file, test_set):
        file = scores_file("length")
        import_scores(test_set, [file], HIGHER)
        with pytest.raises(ImportProblem, match="there are already scores of “length”"):
            import_scores(test_set, [file], HIGHER)
        import_scores(test_set, [file], Instructions(higher_is_better=True, replace=True))
        assert MetricScore.objects.count() == 3

    def test_two_files_of_one_metric_are_refused(self, scores_file, test_set):
        files = []
        for system in ("System-A", "System-B"):
            file = scores_file("length", "--system", system)
            files.append(file.rename(file.with_name(f"{system}.scores.jsonl")))
        asked = Instructions(higher_is_better=True, replace=True)
        with pytest.raises(ImportProblem, match="score all systems into one file"):
            import_scores(test_set, files, asked)
        table = io.BytesIO(b"System-A\t1\n")
        table.name = "length-src.sys.score"
        with pytest.raises(ImportProblem, match="score all systems into one file"):
            import_scores(test_set, [files[0], table], asked)
        assert not MetricScore.objects.exists()

    def test_a_text_that_has_changed_is_named(self, scores_file, test_set):
        file = scores_file("length")
        output = Output.objects.get(system__name="System-B", segment__position=2)
        Output.objects.filter(pk=output.pk).update(text=output.text + "!")
        with pytest.raises(ImportProblem) as error:
            import_scores(test_set, [file], HIGHER)
        row = next(
            i for i, line in enumerate(lines_of(file), 1)
            if line.get("system") == "System-B" and line.get("segment") == output.segment.key
        )  # fmt: skip
        assert f"row {row}, column texts" in str(error.value)
        assert f"segment “{output.segment.key}” of “System-B”" in str(error.value)
        assert not MetricScore.objects.exists()

    def test_a_system_that_has_gone(self, scores_file, test_set):
        file = scores_file("length")
        System.objects.filter(name="System-C").delete()
        with pytest.raises(ImportProblem, match="has no system “System-C”"):
            import_scores(test_set, [file], HIGHER)
        asked = Instructions(higher_is_better=True, skip_unknown=True)
        assert import_scores(test_set, [file], asked).skipped == ["System-C"]


def with_head(**values):
    return lambda lines: lines[0].update(values)


def with_row(**values):
    return lambda lines: lines[1].update(values)


class TestHostileFiles:
    @pytest.mark.parametrize(
        ("change", "words"),
        [
            (lambda lines: lines.pop(), "“System-C” has no score of segment"),
            (lambda lines: lines.pop(1), "“System-A” has no score of segment"),
            (lambda lines: lines.append(lines[-1]), "has a second score of segment"),
            (lambda lines: lines.__delitem__(slice(1, None)), "has no score"),
            (with_row(texts="0" * 16), "row 2, column texts"),
            (with_row(texts=None), "row 2, column texts"),
            (with_row(segment="none"), "the test set has no segment “none”"),
            (with_row(segment=1), "column segment: the value should be a text"),
            (with_row(system="System-X"), "the first line does not name this system"),
            (with_row(system="x" * 500), "column system"),
            (with_row(score="1"), "column score: the value should be a number"),
            (with_row(score=True), "column score: the value should be a number"),
            (with_row(score=math.nan), "row 2: not a JSON object: NaN is not a JSON value"),
            (with_row(score=math.inf), "Infinity is not a JSON value"),
            (with_row(score=10**200), "is too large a number for a score"),
            (with_row(score=10**400), "is not a finite number"),
            (with_row(spans="x"), "column spans: the value should be a list"),
            (with_row(spans=[3]), "column spans: an error has start and end"),
            (with_row(spans=[{"start": 0, "end": 1}]), "column spans: an error has start and end"),
            (with_row(spans=[ERROR | {"start": True}]), "column spans: an error has"),
            (with_row(spans=[ERROR | {"start": 1}]), "column end: it goes from 1 to 1"),
            (with_row(spans=[ERROR | {"end": 10**6}]), "column end: an error ends at 1000000"),
            (with_row(spans=[ERROR | {"severity": "x" * 21}]), "column severity"),
            (with_row(spans=[ERROR | {"confidence": 2}]), "column confidence"),
            (with_row(spans=[ERROR | {"confidence": 10**400}]), "column confidence"),
            (with_row(spans=[ERROR] * 1001), "at most 1,000 errors"),
            (with_head(mteval_scores=2), "comes from a different version of this site"),
            (with_head(metric="a|b"), "contains “|”"),
            (with_head(metric=""), "column metric"),
            (with_head(metric="x" * 101), "column metric"),
            (with_head(signature="x" * 201), "column signature"),
            (with_head(signature="x" * 200, metric="y" * 100), "at most 300 are possible"),
            (with_head(signature="a\nb"), "column signature"),
            (with_head(higher_is_better="yes"), "column higher_is_better"),
            (with_head(references=["other"]), "there is no reference “other” now"),
            (with_head(references="ref"), "column references"),
            (with_head(references=["ref"]), "row 2, column texts"),
            (with_head(references=["\ud800"]), "column references"),
            (with_head(systems=[3]), "column systems"),
            (with_head(systems=[0]), "column systems"),
            (with_head(systems=["\ud800"]), "column systems"),
            (with_head(systems=["System-A"] * 2000), "at most 1,000 names"),
        ],
    )
    def test_it_is_refused_with_its_place(self, scores_file, test_set, change, words):
        file = rewritten(scores_file("length"), change)
        with pytest.raises(ImportProblem) as error:
            import_scores(test_set, [file], HIGHER)
        assert words in str(error.value).encode().decode()
        assert not MetricScore.objects.exists()

    def test_a_line_that_is_cut(self, scores_file, test_set):
        file = scores_file("length")
        file.write_bytes(file.read_bytes()[:-20])
        with pytest.raises(ImportProblem, match="row 13: not a JSON object"):
            import_scores(test_set, [file], HIGHER)

    def test_a_file_that_is_too_large(self, scores_file, test_set, settings):
        file = scores_file("length")
        settings.MAX_UPLOAD_BYTES = file.stat().st_size - 10
        with pytest.raises(ImportProblem, match="the files are larger than"):
            import_scores(test_set, [file], HIGHER)


def test_texts_that_differ_in_their_borders_have_other_digests():
    assert row_hash("a", "b", ["c"]) != row_hash("a", "b", []) != row_hash("a b", "", [])
    assert row_hash("a", "b", []) != row_hash("b", "a", [])
    # printf '["a","b"]' | sha256sum
    assert row_hash("a", "b", []) == "0473ef2dc0d324ab"


class PageTest(CastTestCase):
    def test_who_may(self):
        users = {None: 302, self.outsider: 404, self.annotator_1: 404, self.researcher: 403}
        for method in ("get", "post"):
            self.assert_refused("score-kit", self.test_set.pk, users=users, method=method)
        users = {None: 302, self.outsider: 404, self.annotator_1: 404, self.researcher: 200}
        for user, status in users.items():
            response = self.get_as(user, "score-kit-file", self.test_set.pk)
            self.assertEqual(response.status_code, status, str(user))

    def test_the_metrics_page_leads_there(self):
        address = reverse("score-kit", args=[self.test_set.pk])
        self.assertContains(self.get_as(self.owner, "test-set-metrics", self.test_set.pk), address)
        page = self.get_as(self.owner, "score-kit", self.test_set.pk)
        self.assertContains(page, reverse("score-kit-file", args=[self.test_set.pk]))
        self.assertContains(page, f"python texts-{self.test_set.pk}.zip --metric comet")

    def test_from_the_file_to_the_table(self):
        page = self.post(self.scores())
        self.assertEqual(page["Location"], reverse("test-set-metrics", args=[self.test_set.pk]))
        page = self.get_as(self.owner, "test-set-metrics", self.test_set.pk)
        self.assertContains(page, "Added 1 score of systems: Own (uploaded).")
        self.assertContains(page, "|model:a@1")
        self.assertEqual(self.post(self.scores()).status_code, 422)
        self.assertEqual(self.post(self.scores(), replace="on").status_code, 302)

    def test_other_files_are_sent_where_they_belong(self):
        page = self.post("System-A 1\n", name="M-ref.sys.score")
        self.assertContains(page, "was not written by a file of texts", status_code=422)
        for broken in ("", "\x00", '{"mteval_scores"'):
            self.assertEqual(self.post(broken).status_code, 422)

    def test_without_texts_there_is_nothing_to_take(self):
        type(self.test_set).objects.filter(pk=self.test_set.pk).update(has_texts=False)
        self.assertContains(self.get_as(self.owner, "score-kit", self.test_set.pk), "Add them")
        page = self.get_as(self.owner, "score-kit-file", self.test_set.pk)
        self.assertEqual(page.status_code, 404)

    def post(self, text, name="own.scores.jsonl", **data):
        data["files_of_scores"] = SimpleUploadedFile(name, text.encode())
        return self.post_as(self.owner, "score-kit", self.test_set.pk, data=data)

    def scores(self):
        head = {
            "mteval_scores": 1,
            "metric": "Own",
            "higher_is_better": True,
            "references": [],
            "systems": ["System-A"],
            "signature": "model:a@1",
        }
        system = self.test_set.systems.get(name="System-A")
        rows = [
            {
                "system": "System-A",
                "segment": output.segment.key,
                "score": 0.5,
                "texts": row_hash(output.segment.source, output.text, []),
            }
            for output in system.outputs.select_related("segment")
        ]
        return "".join(json.dumps(line) + "\n" for line in [head, *rows])
