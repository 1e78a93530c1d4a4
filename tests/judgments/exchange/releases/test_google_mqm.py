"""Google's tables of MQM and Marot's, read into records, into the database and out again."""

import gzip
from collections import Counter, defaultdict
from dataclasses import replace

import pytest
from django.core.management import call_command
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from judgments.exchange.releases import registry
from judgments.exchange.releases.google_mqm import GoogleMqm
from judgments.exchange.releases.importer import import_release
from judgments.exchange.releases.marot import Marot
from judgments.exchange.releases.out import write
from judgments.exchange.releases.records import Problems, Remark
from judgments.files.uploads import Folder, opened
from judgments.models import Campaign, ErrorSpan, Rating
from judgments.results.scores.figures import system_scores
from judgments.results.selection.selection import Selection
from tests.shared import read_tsv, shared_data

HEADER = "system\tdoc\tdoc_id\tseg_id\trater\tsource\ttarget\tcategory\tseverity"


def read(*paths, answers=None):
    with opened(paths) as files:
        problems = Problems()
        found, rest = registry.recognize(files)
        release = registry.read(files, answers or {}, problems)
    return release, problems, [each.slug for each, _ in found], rest


def real(name):
    return shared_data("10_as_released", "google-mqm", name)


def content(release):
    """What somebody judged, in any order."""
    return Counter(
        (
            screen.annotator, screen.segment, tuple(screen.outputs), tuple(screen.ratings),
            tuple(sorted(screen.spans)), screen.submitted, screen.active_ms,
        )
        for part in release.judgments
        for screen in part.screens()
    )  # fmt: skip


def texts(release):
    return {
        segment.key: (segment.document, segment.source, dict(segment.outputs))
        for part in release.texts
        for segment in part.segments()
    }


class TestReal:
    def test_ted(self):
        """810 rows without an error, 59 marks in the source: counted in the file itself."""
        release, problems, slugs, _ = read(real("mqm_ted_zhen.first2000.tsv.gz"))
        assert not problems.n and slugs == ["google-mqm"]
        (part,) = release.texts
        assert (part.source_language, part.target_language) == ("zh", "en")
        segments = list(part.segments())
        assert [segment.key for segment in segments] == [str(n) for n in range(84, 187)]
        assert len({name for segment in segments for name in segment.outputs}) == 15
        screens = list(release.judgments[0].screens())
        assert len(screens) == 1538
        assert sum(not screen.spans for screen in screens) == 810
        assert len({screen.annotator for screen in screens}) == 9
        spans = [span for screen in screens for span in screen.spans]
        assert Counter(span.side for span in spans) == {"target": 1131, "source": 59}
        assert Counter(span.severity for span in spans) == {"Major": 745, "Minor": 445}
        first = screens[0]
        assert (first.annotator, first.segment, first.outputs) == ("rater3", "84", ["Borderline"])
        start, end = first.spans[0][2:4]
        assert segments[0].outputs["Borderline"][start:end] == "take a moment"

    def test_header_and_cells_that_do_not_line_up(self):
        """Nine names over seven cells: neither segment nor rater is in the rows."""
        release, problems, _, _ = read(real("mqm_newstest2020_zhen.source-errors.first400.tsv.gz"))
        assert not problems.n
        screens = list(release.judgments[0].screens())
        assert sum(len(screen.spans) for screen in screens) == 193
        assert {span.category for screen in screens for span in screen.spans} == {"Source error"}
        assert release.judgments[0].options["weights"]["*/source error"] == 0
        segments = {segment.key: segment for segment in release.texts[0].segments()}
        assert len(segments) == 50
        (span,) = screens[1].spans
        output = segments["chubun-zh.1093:9"].outputs["Human-B.0"]
        assert output[span.start : span.end] == "films"
        assert any("segment and rater" in note for note in release.notes)
        # Five outputs have words twice in some rows, ten a quotation mark at one end or the other.
        assert any("reads differently" in note for note in release.notes)

    @pytest.mark.parametrize("name", ["data.tsv", "data.csv.gz", "data"])
    def test_by_content(self, tmp_path, name):
        data = gzip.decompress(real("mqm_ted_zhen.first2000.tsv.gz").read_bytes())
        (tmp_path / name).write_bytes(gzip.compress(data) if name.endswith(".gz") else data)
        answers = {"source-language": "zh", "target-language": "en"}
        release, problems, slugs, _ = read(tmp_path / name, answers=answers)
        assert slugs == ["google-mqm"] and not problems.n
        assert release.texts[0].source_language == "zh"
        names = ["source-language", "target-language", "weights"]  # it has source errors
        assert [q.name for q in release.questions] == names

    def test_ted_out_again(self, tmp_path):
        path = real("mqm_ted_zhen.first2000.tsv.gz")
        release, *_ = read(path)
        GoogleMqm().write(release, Folder(tmp_path))
        given = Counter(gzip.decompress(path.read_bytes()).decode().split("\n"))
        assert Counter((tmp_path / "mqm_zh-en.tsv").read_text("utf-8").split("\n")) == given


class TestThreeRaters:
    """The tidy copy of three ratings per segment: the same shape under other names."""

    @pytest.fixture
    def three(self):
        return read(shared_data("04_mqm_3raters_wmt23_en-de", "ratings.en-de.tsv.gz"))

    def test_what_is_found(self, three):
        release, problems, slugs, _ = three
        assert not problems.n and slugs == ["google-mqm"]
        assert (release.texts[0].source_language, release.texts[0].target_language) == ("en", "de")
        screens = list(release.judgments[0].screens())
        assert len(screens) == 3_120
        assert len({screen.annotator for screen in screens}) == 10
        assert any("245 rows of attention checks" in note for note in release.notes)
        assert all(screen.submitted and screen.active_ms is not None for screen in screens)

    def test_published_segments(self, three):
        """The means over three raters that the release's metadata holds, to 1e-6."""
        from judgments.protocols.spans.marking import Marking

        release = three[0]
        marking = Marking.read(release.judgments[0].options)
        scores = defaultdict(list)
        for screen in release.judgments[0].screens():
            errors = [(span.severity, span.category) for span in screen.spans]
            scores[screen.outputs[0], screen.segment].append(-marking.score_of(errors))
        rows = read_tsv(shared_data("04_mqm_3raters_wmt23_en-de", "published_segments.en-de.tsv"))
        assert len(rows) == 240
        for row in rows:
            given = scores[row["system"], row["seg_id"]]
            assert len(given) == 3
            assert sum(given) / 3 == pytest.approx(float(row["mqm_mean_of_raters"]), abs=1e-6)

    @pytest.mark.proof
    @pytest.mark.parametrize("format_", [GoogleMqm(), Marot()])
    def test_out_again(self, three, tmp_path, format_):
        format_.write(three[0], Folder(tmp_path))
        again, problems, slugs, _ = read(tmp_path / format_.file, answers={
            "source-language": "en", "target-language": "de",
        })  # fmt: skip
        assert slugs == [format_.slug] and not problems.n
        assert texts(again) == texts(three[0])
        if format_.slug == "marot":
            assert content(again) == content(three[0])
        else:
            # The table has no columns for times.
            assert Counter(key[:5] for key in content(again)) == Counter(
                key[:5] for key in content(three[0])
            )


def table(tmp_path, *rows, header=HEADER):
    path = tmp_path / "mqm_x_ende.tsv"
    path.write_text("\n".join([header, *rows]) + "\n", "utf-8")
    return path


class TestRows:
    @pytest.mark.parametrize(
        ("target", "words"),
        [
            ("ein <v>Haus", "has no “</v>” after it"),
            ("ein Haus</v>", "has no “<v>” before it"),
            ("<v>ein <v>Haus</v></v>", "inside another"),
        ],
    )
    def test_marks_that_are_no_pairs(self, tmp_path, target, words):
        good = "A\td\t1\t1\tr\ta house\tein Haus\tNo-error\tNo-error"
        bad = f"B\td\t1\t1\tr\ta house\t{target}\tFluency\tMajor"
        release, problems, _, _ = read(table(tmp_path, good, bad))
        (problem,) = problems.first
        assert problem.row == 3 and problem.column == "target" and words in problem.reason
        assert len(list(release.judgments[0].screens())) == 1

    def test_a_tab_in_a_text_is_a_problem_of_its_row(self, tmp_path):
        """The cells after it would be those of the columns before."""
        good = "A\td\t1\t1\tr\ta house\tein Haus\tNo-error\tNo-error"
        rows = [good.replace("A\t", f"A{n}\t", 1) for n in range(60)]
        bad = "B\td\t1\t1\tr\ta house\tein\t<v>Haus</v>\tFluency\tMajor"
        release, problems, _, _ = read(table(tmp_path, *rows, bad))
        (problem,) = problems.first
        assert problem.row == 62 and "10 cells for 9 columns" in problem.reason
        assert len(list(release.judgments[0].screens())) == 60

    def test_several_marks_are_one_error(self, tmp_path):
        row = "A\td\t1\t1\tr\ta house\t<v>ein</v> gutes <v>Haus</v>\tFluency\tMajor"
        release, problems, _, _ = read(table(tmp_path, row))
        (screen,) = release.judgments[0].screens()
        assert not problems.n and screen.spans[0][1:4] == ("target", 0, len("ein gutes Haus"))

    @pytest.mark.parametrize("severity", ["Style/Awkward", "Major/", "/", "very  bad"])
    def test_a_severity_is_one_word(self, tmp_path, severity):
        row = f"A\td\t1\t1\tr\ta house\tein <v>Haus</v>\tFluency\t{severity}"
        more = "B\td\t1\t1\tr\ta house\tein <v>Haus</v>\tFluency\tMajor"
        release, problems, _, _ = read(table(tmp_path, more, *[row] * 41))
        assert not problems.n and len(list(release.judgments[0].screens())) == 2
        assert severity.lower().replace("/", " ").strip() in release.judgments[0].options["weights"]

    def test_no_mark_is_something_missing(self, tmp_path):
        row = "A\td\t1\t1\tr\ta house\tein Haus\tAccuracy/Omission\tMajor"
        release, *_ = read(table(tmp_path, row))
        (screen,) = release.judgments[0].screens()
        assert screen.spans[0][1:4] == ("missing", 0, 0)

    def test_quotes_as_csv_writes_them(self, tmp_path):
        """A row of newstest2020/ende, in which the mark stands around a quotation mark."""
        row = 'A\td\t1\t1\tr\t"""Oh."""\t"""<v>""</v>""Die ""Oh""."\tSource error/-\tMinor'
        release, *_ = read(table(tmp_path, row))
        (segment,) = release.texts[0].segments()
        assert (segment.source, segment.outputs["A"]) == ('"Oh."', '"""Die "Oh".')
        (screen,) = release.judgments[0].screens()
        assert screen.spans[0][1:4] == ("target", 1, 2)

    def test_quotation_marks_that_are_text(self, tmp_path):
        row = 'A\td\t1\t1\tr\t"Oh."\t"Ah", sagte "er"\tNo-error\tNo-error'
        release, *_ = read(table(tmp_path, row))
        (segment,) = release.texts[0].segments()
        assert (segment.source, segment.outputs["A"]) == ('"Oh."', '"Ah", sagte "er"')

    def test_another_text(self, tmp_path):
        rows = [
            "A\td\t1\t1\tr\ta house\tein Haus\tNo-error\tNo-error",
            "A\td\t1\t1\ts\ta house\tganz <v>anderes</v>\tFluency\tMajor",
        ]
        _, problems, _, _ = read(table(tmp_path, *rows, rows[0].replace("\tr\t", "\tq\t")))
        assert [problem.row for problem in problems.first] == [3]

    def test_rows_apart(self, tmp_path):
        first = "A\td\t1\t1\tr\ta house\t<v>ein</v> Haus\tFluency\tMajor"
        other = "B\td\t1\t1\tr\ta house\tein Haus\tNo-error\tNo-error"
        last = "A\td\t1\t1\tr\ta house\tein <v>Haus</v>\tFluency\tMinor"
        release, *_ = read(table(tmp_path, first, other, last))
        assert [len(screen.spans) for screen in release.judgments[0].screens()] == [2, 0]

    def test_marot_without_header(self, tmp_path):
        """Rows of somebody and of nobody, as the README of Marot describes them."""
        said = '{"timestamp": 1725456558197, "timing": {"a": {"count": 2, "timeMS": 1500}}}'
        about = '{"segment": {"references": {"ref_A": "ein Haus"}}}'
        rows = [
            f"A\td\t1\t0\tr\ta house\t<v>ein</v> Haus\tFluency\tMajor\t{said}",
            f"B\td\t2\t0\t\ta garden\tein Garten\t\t\t{about}",
        ]
        path = tmp_path / "x.tsv"
        path.write_text("\n".join(rows) + "\n", "utf-8")
        release, problems, slugs, _ = read(path)
        assert slugs == ["marot"] and not problems.n
        first, second = release.texts[0].segments()
        assert (first.key, second.key, second.references) == ("d:1", "d:2", {"ref_A": "ein Haus"})
        (screen,) = release.judgments[0].screens()
        assert screen.active_ms == 1500 and screen.submitted.timestamp() == 1725456558.197


def test_notes_of_raters(tmp_path):
    """`note` in the metadata, or in place of them in older files (README of Marot)."""
    said = '{"note": "Odd.", "feedback": {"thumbs": "up"}, "marked_text": "ein"}'
    rows = [
        f"A\td\t1\t0\tr\ta house\t<v>ein</v> Haus\tOther\tMajor\t{said}",
        "A\td\t1\t0\tr\ta house\tein Haus\tOther\tMinor\tMissing.",
        "A\td\t1\t0\ts\ta house\tein Haus\tNo-error\tNo-error\tFine.",
    ]
    path = tmp_path / "x.tsv"
    path.write_text("\n".join(rows) + "\n", "utf-8")
    release, problems, slugs, _ = read(path)
    assert slugs == ["marot"] and not problems.n
    assert [note for note in release.notes if "not read" in note] == [
        f"{path.name}: metadata that are not read: feedback (1)."
    ]
    expected = [
        [Remark("Odd.", "A", "target", 0, 3), Remark("Missing.", "A")],
        [Remark("Fine.", "A")],
    ]
    assert [screen.remarks for screen in release.judgments[0].screens()] == expected
    Marot().write(release, Folder(tmp_path / "out"))
    again, problems, _, _ = read(tmp_path / "out" / "marot.tsv")
    assert not problems.n
    assert [set(screen.remarks) for screen in again.judgments[0].screens()] == [
        {Remark("Odd.\nMissing.", "A", "target", 0, 3)},  # with the first error: see the guide
        {Remark("Fine.", "A")},
    ]


def test_judged_twice_by_the_same(tmp_path):
    """Repeats keep apart in Marot, which has `repeat` in its metadata for it."""
    row = "A\td\t1\t1\tr\ta house\t<v>ein</v> Haus\tFluency\tMajor"
    release, *_ = read(table(tmp_path, row))
    (part,) = release.judgments
    release.judgments = [replace(part, screens=lambda: [*part.screens(), *part.screens()])]
    Marot().write(release, Folder(tmp_path))
    again, problems, _, _ = read(tmp_path / "marot.tsv")
    assert not problems.n
    assert [len(screen.spans) for screen in again.judgments[0].screens()] == [1, 1]


WORDS = st.text(
    st.characters(exclude_categories=["C", "Zl", "Zp", "Zs"], exclude_characters="<"),
    min_size=1, max_size=6,
)  # fmt: skip
TEXT = st.lists(WORDS | st.just('"'), min_size=1, max_size=5).map(" ".join)


@st.composite
def rows(draw):
    """Judgments of a few outputs, in any order of their rows."""
    sources = draw(st.lists(TEXT, min_size=1, max_size=3))
    outputs = {
        (system, n): draw(TEXT) for system in "AB" for n in range(len(sources))
    }  # fmt: skip
    found = []
    for (system, n), text in outputs.items():
        for rater in draw(st.lists(st.sampled_from(["r", "s", "t"]), unique=True)):
            head = [system, f"d{n % 2}", str(n + 1), str(n + 1), rater]
            n_errors = draw(st.integers(0, 3))
            for _ in range(n_errors):
                side = draw(st.sampled_from(["source", "target", "missing"]))
                shown = {"source": sources[n], "target": text}
                if side != "missing":
                    start = draw(st.integers(0, len(shown[side]) - 1))
                    end = draw(st.integers(start + 1, len(shown[side])))
                    t = shown[side]
                    shown[side] = f"{t[:start]}<v>{t[start:end]}</v>{t[end:]}"
                kind = draw(st.sampled_from(["Fluency/Grammar", "Source error", "Other"]))
                severity = draw(st.sampled_from(["Major", "Minor", "Neutral"]))
                found.append([*head, shown["source"], shown["target"], kind, severity])
            if not n_errors:
                found.append([*head, sources[n], text, "No-error", "No-error"])
    return draw(st.permutations(found))


@given(rows())
@settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
def test_in_out_in(tmp_path, given_rows):
    from judgments.exchange.releases.marked_text import quoted

    if not given_rows:
        return
    lines = ["\t".join(map(quoted, row)) for row in given_rows]
    first, problems, _, _ = read(table(tmp_path, *lines))
    assert not problems.n
    n_errors = sum(row[-1] != "No-error" for row in given_rows)
    assert sum(len(s.spans) for s in first.judgments[0].screens()) == n_errors
    for format_ in (GoogleMqm(), Marot()):
        folder = tmp_path / "mqm_ende" / format_.slug
        format_.write(first, Folder(folder))
        again, problems, slugs, _ = read(folder / format_.file_of(first.texts[0]))
        assert slugs == [format_.slug] and not problems.n
        assert content(again) == content(first)
        assert texts(again) == texts(first)


@pytest.mark.parametrize("slug", ["google-mqm", "marot"])
@pytest.mark.parametrize("pair", [("zh", "en"), ("en", "pt-BR"), ("zh-Hant", "ady"), ("de", "bar")])
@pytest.mark.parametrize("n", [1, 2])
def test_ours_come_back_without_a_question_of_languages(tmp_path, slug, pair, n):
    release, *_ = read(table(tmp_path, "A\td\t1\t1\tr\tein\t<v>a</v>\tOther\tMinor"))
    texts = replace(release.texts[0], source_language=pair[0], target_language=pair[1])
    release = replace(release, texts=[texts], judgments=release.judgments * n)
    registry.BY_SLUG[slug].write(release, Folder(tmp_path / "out"))
    again, problems, _, _ = read(tmp_path / "out")
    assert not problems.n
    languages = {(part.source_language, part.target_language) for part in again.texts}
    assert languages == {pair}
    assert all(question.default for question in again.questions)


@pytest.mark.django_db
class TestDatabase:
    @pytest.mark.parametrize(
        ("name", "n_judgments", "n_errors", "n_raters"),
        [
            ("mqm_ted_zhen.first2000.tsv.gz", 1538, 1190, 9),
            ("mqm_newstest2020_zhen.source-errors.first400.tsv.gz", 156, 193, 1),
        ],
    )
    def test_real(self, admin_user, name, n_judgments, n_errors, n_raters):
        outcome = import_release([real(name)], admin_user)
        assert not outcome.problems.n, outcome.problems.first
        ((campaign, added),) = outcome.written.campaigns
        assert (added.judgments, added.annotators) == (n_judgments, n_raters)
        spans = ErrorSpan.objects.filter(judgment__item__task__campaign=campaign)
        assert spans.count() == n_errors

    def test_published_segments(self, admin_user):
        """As above, from the stored scores and out of the database as Marot's table."""
        path = shared_data("04_mqm_3raters_wmt23_en-de", "ratings.en-de.tsv.gz")
        outcome = import_release([path], admin_user)
        assert not outcome.problems.n, outcome.problems.first
        ((campaign, _),) = outcome.written.campaigns
        rows = Rating.objects.filter(judgment__item__task__campaign=campaign, dimension="mqm")
        scores = defaultdict(list)
        columns = ("output__system__name", "output__segment__key", "value")
        for system, segment, value in rows.values_list(*columns):
            scores[system, segment].append(-value)
        published = shared_data("04_mqm_3raters_wmt23_en-de", "published_segments.en-de.tsv")
        for row in read_tsv(published):
            given = scores[row["system"], row["seg_id"]]
            assert len(given) == 3
            assert sum(given) / 3 == pytest.approx(float(row["mqm_mean_of_raters"]), abs=1e-6)

    @pytest.mark.proof
    def test_out_of_the_database(self, admin_user, tmp_path):
        path = shared_data("04_mqm_3raters_wmt23_en-de", "ratings.en-de.tsv.gz")
        outcome = import_release([path], admin_user)
        ((campaign, _),) = outcome.written.campaigns
        write([campaign], "marot", Folder(tmp_path))
        first, *_ = read(path)
        again, problems, _, _ = read(tmp_path / "marot.tsv")
        assert not problems.n
        assert content(again) == content(first)
        assert texts(again) == texts(first)

    def test_in_and_out_by_command(self, admin_user, tmp_path, capsys):
        """The same lines as in the file, but for their order."""
        path = real("mqm_ted_zhen.first2000.tsv.gz")
        call_command("import_release", str(path), owner=admin_user.get_username())
        assert "zh-en" in capsys.readouterr().out
        campaign = Campaign.objects.get()
        call_command("export_judgments", campaign.pk, format="google-mqm", to=tmp_path)
        (written,) = tmp_path.rglob("mqm_zh-en.tsv")
        given = Counter(gzip.decompress(path.read_bytes()).decode().split("\n"))
        assert Counter(written.read_text("utf-8").split("\n")) == given


WEIGHED = [
    "A\td\t1\t1\tr\t一。\t<v>One</v>.\tSource error\tMajor",
    "A\td\t2\t2\tr\t二。\tTwo.\tNo-error\tNo-error",
    "B\td\t1\t1\tr\t一。\t<v>Won</v>.\tStyle/Awkward\tMinor",
    "B\td\t2\t2\tr\t二。\tTwo.\tNo-error\tNo-error",
]


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("means", "answer", "mean_of_a"),
    [
        # By hand: of two segments one has a major source error, which Freitag et al. (2021) count.
        ({"A": "-2.5", "B": "-0.5"}, None, -2.5),
        ({"A": "0", "B": "-0.5"}, None, 0),
        ({"A": "0", "B": "-0.5"}, "freitag", -2.5),
        ({}, None, 0),
        ({}, "freitag", -2.5),
    ],
)
def test_weights_are_those_of_the_published_means(admin_user, tmp_path, means, answer, mean_of_a):
    (tmp_path / "mqm_small_zhen.tsv").write_text("\n".join([HEADER, *WEIGHED]) + "\n")
    if means:
        rows = ["system\tmqm", *("\t".join(row) for row in means.items())]
        (tmp_path / "published_zh-en.tsv").write_text("\n".join(rows) + "\n")
    answers = {"source-language": "zh", "target-language": "en"}
    answers |= {"weights": answer} if answer else {}
    outcome = import_release([tmp_path], admin_user, answers=answers)
    assert not outcome.problems.n, outcome.problems.first
    ((campaign, _),) = outcome.written.campaigns
    scores = system_scores(Selection.of(campaign), "mqm")
    assert dict(zip(scores.names, scores.mean, strict=True)) == {"A": mean_of_a, "B": -0.5}
    (asked,) = (each for each in outcome.questions if each.name == "weights")
    assert asked.default == ("freitag" if means.get("A") == "-2.5" else "google")
    if means:
        n = {"-2.5": (1, 2), "0": (2, 1)}[means["A"]]
        counts = "{} by Google's MQM at WMT20–23, {} by Freitag et al. (2021).".format(*n)
        assert any(note.endswith(counts) for note in outcome.notes)


def test_weights_are_asked_only_where_they_differ(tmp_path):
    (tmp_path / "mqm_small_zhen.tsv").write_text("\n".join([HEADER, *WEIGHED[1:]]) + "\n")
    release, *_ = read(tmp_path / "mqm_small_zhen.tsv")
    assert [each.name for each in release.questions] == ["source-language", "target-language"]


@pytest.mark.django_db
def test_a_severity_with_a_slash_is_one_severity(admin_user, tmp_path):
    rows = [*WEIGHED[:2], "B\td\t1\t1\tr\t一。\t<v>Won</v>.\tFluency\tStyle/Odd", WEIGHED[3]]
    (tmp_path / "mqm_small_zhen.tsv").write_text("\n".join([HEADER, *rows]) + "\n")
    answers = {"source-language": "zh", "target-language": "en"}
    outcome = import_release([tmp_path], admin_user, answers=answers)
    assert not outcome.problems.n, outcome.problems.first
    ((campaign, _),) = outcome.written.campaigns
    assert campaign.options["weights"]["style odd"] == 0
    scores = system_scores(Selection.of(campaign), "mqm")
    assert dict(zip(scores.names, scores.mean, strict=True)) == {"A": 0, "B": 0}
