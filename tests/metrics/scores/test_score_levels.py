"""Levels of score files, including people's scores, and that imports are exported unchanged."""

import io

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from judgments.files import ImportProblem
from judgments.models import Document, TestSet
from metrics.formats.people import is_file_of_people
from metrics.formats.spellings import Spelling, spelled
from metrics.models import MetricScore
from metrics.scores import exports
from metrics.scores.importing import Instructions, import_scores
from metrics.scores.importing.release import write_scores
from metrics.scores.recomputation import recomputed_scores
from metrics.scores.tables import score_table
from metrics.scoring import jobs
from metrics.scoring.choices import MetricChoice
from tests import factory

HIGHER = Instructions(higher_is_better=True)
SEGMENTS = "System-A\t0.5\nSystem-A\t0.25\nSystem-A\t1\nSystem-A\t0.25\n"
DOMAINS = "news\tSystem-A\t0.40\nsocial\tSystem-A\tNone\n"


@pytest.fixture
def test_set(db):
    """Four segments, doc0 of news and doc1 of social, systems A, B and C, the reference "ref"."""
    test_set = factory.make_test_set(factory.make_user("owner", is_staff=True))
    Document.objects.filter(test_set=test_set, name="doc0").update(domain="news")
    Document.objects.filter(test_set=test_set, name="doc1").update(domain="social")
    return test_set


def named(name: str, text: str) -> io.BytesIO:
    file = io.BytesIO(text.encode())
    file.name = name  # type: ignore[attr-defined]
    return file


def bring(test_set: TestSet, files: dict[str, str], instructions=HIGHER):
    return import_scores(test_set, [named(*item) for item in files.items()], instructions)


def written(test_set: TestSet) -> dict[str, list[str]]:
    """Return the lines of every exported file, in order."""
    files: dict[str, str] = {}
    exports.write_metric_scores(test_set, files.__setitem__)
    return {name.rpartition("/")[2]: sorted(text.splitlines()) for name, text in files.items()}


@pytest.mark.parametrize("finer", ["seg", "doc"])
def test_missing_scores_of_systems_are_the_means_of_the_others(test_set, finer):
    lines = SEGMENTS.splitlines(keepends=True)[: 4 if finer == "seg" else 2]
    bring(test_set, {f"M-ref.{finer}.score": "".join(lines), "M-ref.sys.score": "System-A\tNone\n"})
    mean = MetricScore.objects.get()
    assert mean.score == (0.5 if finer == "seg" else 0.375)
    assert mean.statistics is not None


class TestDomains:
    def test_they_belong_to_the_metric_and_go_out_as_they_came(self, test_set):
        files = {
            "M-ref.seg.score": SEGMENTS,
            "M-ref.domain.score": DOMAINS,
            "M-ref.sys.score": "System-A\t0.50\n",
        }
        imported = bring(test_set, files)
        assert imported.labels == ["M (uploaded)"] and imported.n_scores == 1
        score = MetricScore.objects.get()
        assert score.levels["domain"] == {"news": "0.40", "social": None}
        assert written(test_set) == {n: sorted(t.splitlines()) for n, t in files.items()}

    def test_lower_is_better_goes_out_with_the_sign_turned_and_every_digit(self, test_set):
        """mt-metrics-eval takes higher as better."""
        files = {
            "E-ref.seg.score": "System-A\t0.50\nSystem-A\t0.00\nSystem-A\tNone\nSystem-A\t-1.25\n",
            "E-ref.domain.score": DOMAINS,
            "E-ref.sys.score": "System-A\t0.310\n",
        }
        bring(test_set, files, Instructions(higher_is_better=False))
        assert written(test_set) == {
            "E-ref.seg.score": [
                "System-A\t-0.50",
                "System-A\t0.00",
                "System-A\t1.25",
                "System-A\tNone",
            ],
            "E-ref.domain.score": ["news\tSystem-A\t-0.40", "social\tSystem-A\tNone"],
            "E-ref.sys.score": ["System-A\t-0.310"],
        }

    def test_an_unknown_one_is_refused_by_name(self, test_set):
        with pytest.raises(ImportProblem, match=r"row 1: .* no domain “x”. It has news, social"):
            bring(test_set, {"M-ref.domain.score": "x\tSystem-A\t1\n"})

    def test_alone_they_say_nothing_of_systems(self, test_set):
        with pytest.raises(ImportProblem, match="scores of domains, but none of systems"):
            bring(test_set, {"M-ref.domain.score": DOMAINS})

    def test_a_line_without_a_domain(self, test_set):
        with pytest.raises(ImportProblem, match="row 2: “System-A” is not a domain, a system"):
            bring(test_set, {"M-ref.domain.score": "news\tSystem-A\t1\nSystem-A\n"})

    def test_a_system_that_only_domains_have(self, test_set):
        files = {"M-ref.sys.score": "System-A 1\n", "M-ref.domain.score": "news System-B 1\n"}
        with pytest.raises(ImportProblem, match="no score of “System-A” for domains"):
            bring(test_set, files)

    def test_of_our_own_they_are_scores_over_their_segments(self, test_set):
        jobs.work_on(jobs.create_job(test_set, [MetricChoice("chrf")], ["ref"]).pk)
        score = MetricScore.objects.get(system__name="System-B")
        column = score_table(test_set, statistics=True).columns[0]
        expected = float(column.scorer().score(score.statistics[2:].sum(axis=0)))
        assert f"social\tSystem-B\t{expected!r}" in written(test_set)["chrF-ref.domain.score"]


PEOPLE = {
    "en-de.mqm.seg.score": "wmt23/human-scores",
    "en-de.da-sqm.sys.score": "",
    "zh-en.wmt-appraise-z.domain.score": "",
    "en-de.merged.of.raters.seg.score.gz": "",
    "mqm.seg.score": "",
    "DA_SQM.sys.score": "",
    "M-ref.seg.score": "/data/human-scores",
}


@pytest.mark.parametrize(("name", "folder"), PEOPLE.items(), ids=PEOPLE)
def test_scores_of_people_are_no_metric(test_set, name, folder):
    file = named(name, SEGMENTS)
    file.path = f"{folder}/{name}"  # type: ignore[attr-defined]
    with pytest.raises(ImportProblem, match=r"scores of people.*as a campaign.*import_release"):
        import_scores(test_set, [file], HIGHER)
    assert not MetricScore.objects.exists()


def test_a_table_that_calls_a_column_mqm_has_scores_of_people(test_set):
    with pytest.raises(ImportProblem, match="“mqm”: these are scores of people"):
        bring(test_set, {"s.tsv": "system\tmqm\nSystem-A\t-1\n"}, Instructions(True, references=()))


def test_metrics_may_have_such_names_in_them():
    for name, metric in (("GEMBA-MQM-src.seg.score", "GEMBA-MQM"), ("mqm-ref.seg.score", "mqm")):
        assert not is_file_of_people(name, metric, ("ref",))
    assert not is_file_of_people("COMET.seg.score", "COMET", None)


def test_a_reference_scored_like_a_system_needs_no_permission(test_set):
    imported = bring(test_set, {"M-src.sys.score": "System-A 1\nref 2\n"})
    assert (imported.skipped, imported.n_scores) == (["ref"], 1)


def test_a_reference_that_is_a_system_comes_in(test_set):
    test_set.systems.filter(name="System-B").update(name="ref")
    assert bring(test_set, {"M-src.sys.score": "System-A 1\nref 2\n"}).n_scores == 2


def test_a_release_says_which_systems_it_left_out(test_set, tmp_path):
    path = tmp_path / "M-ref.sys.score"
    path.write_text("System-A 1\nX 2\n")
    assert write_scores(test_set, [path]) == [
        "1 metric with 1 score of systems.",
        "Metric scores of X were left out: no outputs.",
    ]


def as_written(value: float, is_whole: bool) -> str:
    """Return the format by the test's own rules, without using the code under test."""
    text = repr(value)
    return text[:-2] if is_whole and text.endswith(".0") else text


class TestSpelling:
    @pytest.mark.parametrize(
        ("texts", "name"),
        [
            (["0.5", "1e-07", "2.0"], "shortest"),
            (["-25", "0.5", "0"], "whole"),
            (["0.958100", "1.000000"], "decimals:6"),
            (["0.50", "0.5"], "shortest"),  # by no rule: the number stays, not its format
        ],
    )
    def test_rules(self, texts, name):
        spelling = Spelling()
        for text in texts:
            spelling.see(text, float(text))
        assert spelling.name == name

    @given(
        st.lists(st.floats(-1e9, 1e9) | st.integers(-9, 9).map(float), min_size=1), st.booleans()
    )
    def test_a_file_by_one_rule_is_written_alike(self, values, is_whole):
        spelling = Spelling()
        texts = [as_written(value, is_whole) for value in values]
        for text, value in zip(texts, values, strict=True):
            spelling.see(text, value)
        assert [spelled(value, spelling.name) for value in values] == texts

    @given(st.integers(0, 12), st.lists(st.decimals(-999, 999, places=3), min_size=1))
    def test_decimals(self, places, numbers):
        spelling = Spelling()
        texts = [f"{float(number):.{places}f}" for number in numbers]
        for text in texts:
            spelling.see(text, float(text))
        assert [spelled(float(text), spelling.name) for text in texts] == texts


SCORES = st.one_of(
    st.none(),
    st.floats(-1e100, 1e100).map(repr),
    st.floats(-100, 100).map(lambda value: f"{value:.4f}"),
    st.integers(-30, 30).map(str),
)
SEGMENT_SCORES = st.one_of(st.none(), st.floats(-1e100, 1e100), st.integers(-25, 0).map(float))


@st.composite
def folders(draw) -> dict[str, str]:
    """Draw files of one or two metrics: all levels for some systems, in any order of lines'
    systems."""
    files = {}
    for stem in draw(st.sampled_from([["M-ref"], ["M-src", "cushLEPOR(LM)-all"]])):
        systems = draw(st.permutations(["System-A", "System-B", "System-C"]))[
            : draw(st.integers(1, 3))
        ]
        is_whole = draw(st.booleans())

        def of(n: int, scores=SCORES) -> list:
            found = draw(st.lists(scores, min_size=n, max_size=n))
            return found if any(each is not None for each in found) else [*found[1:], "1.5"]

        levels = draw(st.sets(st.sampled_from(["seg", "doc", "domain"])))
        lines: dict[str, list[str]] = {"sys": [f"{s}\t{of(1)[0]}" for s in systems]}
        if "doc" in levels:
            lines["doc"] = [f"{s}\t{v}" for s in systems for v in of(2)]
        if "seg" in levels:
            values = {
                s: [float(v) if v is not None else None for v in of(4, SEGMENT_SCORES)]
                for s in systems
            }
            lines["seg"] = [
                f"{s}\t{'None' if v is None else as_written(v, is_whole)}"
                for s in systems
                for v in values[s]
            ]
        if "domain" in levels:
            given_ = [(s, of(2)) for s in systems]
            lines["domain"] = [
                f"{domain}\t{s}\t{v[i]}"
                for s, v in given_
                for i, domain in enumerate(["news", "social"])
            ]
        for level, each in lines.items():
            files[f"{stem}.{level}.score"] = "".join(line + "\n" for line in each)
    return files


@settings(
    max_examples=60,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(folders())
def test_what_comes_in_goes_out(test_set, files):
    """Except for the order of lines, file by file."""
    MetricScore.objects.all().delete()
    bring(test_set, files)
    assert written(test_set) == {n: sorted(t.splitlines()) for n, t in files.items()}


class TestRecomputation:
    """Expected: sacreBLEU's figures of the same texts, as `metrics.scorers` has them."""

    def test_what_a_release_says_of_a_metric_of_ours(self, test_set):
        import sacrebleu

        system = test_set.systems.get(name="System-B")
        outputs = [o.text for o in system.outputs.order_by("segment__position")]
        references = [s.references.get().text for s in test_set.segments.all()]
        chrf = sacrebleu.CHRF()
        whole = chrf.corpus_score(outputs, [references]).score
        social = chrf.corpus_score(outputs[2:], [references[2:]]).score
        segments = [
            chrf.sentence_score(o, [r]).score for o, r in zip(outputs, references, strict=True)
        ]
        segments[3] += 0.5
        bring(
            test_set,
            {
                "chrF-ref.sys.score": f"System-B\t{whole!r}\n",
                "chrF-ref.domain.score": f"news\tSystem-B\t1.5\nsocial\tSystem-B\t{social!r}\n",
                "chrF-ref.seg.score": "".join(f"System-B\t{each!r}\n" for each in segments),
                "COMET-ref.sys.score": "System-B\t0.5\n",
            },
        )
        rows = {(row.figure, row.of): row for row in recomputed_scores(test_set)}
        row = rows["chrF of a system", "System-B"]
        assert float(row.own) == pytest.approx(whole) and row.published == repr(whole)
        assert row.verdict in ("same", "floats") and row.file == "chrF-ref.sys.score"
        row = rows["chrF of a domain", "System-B in social"]
        assert float(row.own) == pytest.approx(social) and row.verdict in ("same", "floats")
        row = rows["chrF of a domain", "System-B in news"]
        assert row.verdict == "differs" and "does not say" in row.reason
        row = rows["chrF of segments", "System-B in 4"]
        assert float(row.own) == pytest.approx(segments[3] - 0.5) and row.verdict == "differs"
        assert row.reason == "1 of 4 segments differ; this one most."
        assert len(rows) == 4

    def test_a_domain_without_outputs_is_not_compared(self, test_set):
        system = test_set.systems.get(name="System-B")
        system.outputs.filter(segment__document__domain="social").delete()
        files = {"sys": "System-B\t1\n", "domain": "news\tSystem-B\t2\nsocial\tSystem-B\t3\n"}
        bring(test_set, {f"chrF-ref.{level}.score": text for level, text in files.items()})
        rows = {row.of: (row.verdict, row.own != "") for row in recomputed_scores(test_set)}
        assert rows == {
            "System-B": ("differs", True),
            "System-B in news": ("differs", True),
            "System-B in social": ("none", False),
        }

    def test_metrics_of_errors_are_turned(self, test_set):
        bring(test_set, {"TER-ref.sys.score": "System-C\t-1\n"})
        (row,) = recomputed_scores(test_set)
        assert float(row.own) < 0 and row.verdict == "differs"

    def test_what_cannot_be_computed_here_says_why(self, test_set, monkeypatch):
        monkeypatch.setattr(
            "metrics.scores.recomputation.KNOWN", {"bleu": ("bleu", {"tokenize": "no-such"})}
        )
        bring(test_set, {"BLEU-ref.sys.score": "System-C\t1\n"})
        (row,) = recomputed_scores(test_set)
        assert (row.own, row.verdict) == ("", "none") and "no-such" in row.reason
