"""Annotations of Pearmut: errors, scores and sliders, and files that are none."""

import json

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from judgments.exchange.releases import registry
from judgments.exchange.releases.pearmut import Pearmut
from judgments.exchange.releases.pearmut_annotations import error_of, spans_of
from judgments.exchange.releases.records import MarkedSpan, Problems
from judgments.files.uploads import Folder, opened

from .pearmut_files import ANSWERS, GARDEN, HOUSE, content, entry, item, lines, read, said, texts


class TestAnnotations:
    def test_errors_and_scores(self, tmp_path):
        answers = [
            {"A": said(90), "B": said(20, (5, 8, "major"), (9, 9, "minor"))},
            {"A": said(100), "B": said(0, (0, 2, "minor"))},
        ]
        path = lines(tmp_path / "c.jsonl", entry("u1", [HOUSE, GARDEN], answers))
        release, problems = read(path)
        assert not problems.n
        (part,) = release.judgments
        assert part.preset == "released-errors"
        assert part.options["score"] and part.options["outputs_per_item"] == 2
        first, second = part.screens()
        assert first.outputs == ["A", "B"] and first.ratings == [("A", "esa", 90), ("B", "esa", 20)]
        assert first.spans == [
            MarkedSpan("B", "target", 5, 9, "major"),
            MarkedSpan("B", "missing", 0, 0, "minor"),
        ]
        assert second.ratings[1] == ("B", "esa", 0)
        # 10.5 s and a pause that counts as 61 s, of two segments.
        assert first.active_ms == second.active_ms == 35_750
        assert first.submitted.timestamp() == 300
        assert texts(release)["s2"] == ("s1", "a garden", {"A": "ein Garten", "B": "der Garten"})

    def test_scores_alone(self, tmp_path):
        path = lines(tmp_path / "c.jsonl", entry("u1", [HOUSE], [{"A": said(70.5)}]))
        release, _ = read(path)
        (part,) = release.judgments
        assert part.preset == "custom-rating"
        (screen,) = part.screens()
        assert screen.ratings == [("A", "score", 70.5)] and screen.spans is None

    def test_sliders(self, tmp_path):
        path = lines(
            tmp_path / "c.jsonl", entry("u1", [HOUSE], [{"A": said(None, **{"How fluent": 3})}])
        )
        release, _ = read(path)
        (screen,) = release.judgments[0].screens()
        assert screen.ratings == [("A", "how_fluent", 3)]

    def test_said_again_and_taken_back(self, tmp_path):
        path = lines(
            tmp_path / "c.jsonl",
            entry("u1", [HOUSE], [{"A": said(10), "B": said(10)}]),
            entry("u1", [HOUSE], [{"B": said(30)}]),
            entry("u2", [HOUSE], [{"A": said(10)}]),
            {"annotation": "__RESET__", "user_id": "u2"},
        )
        release, _ = read(path)
        (screen,) = release.judgments[0].screens()
        assert screen.ratings == [("A", "score", 10), ("B", "score", 30)]

    def test_other_models_of_an_item_are_another_screen(self, tmp_path):
        """Of `dynamic` campaigns Pearmut logs the item with the models that it showed."""

        def shown(*models):
            return HOUSE | {"tgt": dict.fromkeys(models, "ein Haus")}

        path = lines(
            tmp_path / "c.jsonl",
            entry("u1", [shown("A", "B", "C")], [{m: said(10) for m in "ABC"}]),
            entry("u1", [shown("D", "E")], [{m: said(20) for m in "DE"}], times=(900.0, 910.0)),
            entry("u1", [shown(*"ABCDE")], [{"E": said(30)}], times=(990.0, 999.0)),
        )
        release, problems = read(path)
        assert not problems.n
        first, second = release.judgments[0].screens()
        assert first.outputs == ["A", "B", "C"] and first.submitted.timestamp() == 300
        assert second.ratings == [("D", "score", 20), ("E", "score", 30)]
        assert first.item != second.item

    def test_what_is_no_work(self, tmp_path):
        check = HOUSE | {"validation": {"A": {"score": [0, 10]}}}
        path = lines(
            tmp_path / "c.jsonl",
            entry("u1", [GARDEN], [{"A": said(50)}]),
            entry("u1", [HOUSE], [{"A": said(50)}], "welcome_0"),
            entry("u1", [check], [{"A": said(50)}], 1, validations=[False]),
            entry("u1", [{"text": "Age?", "form": "number"}], [30], 2),
            entry("u1", [HOUSE], [None], 3),
        )
        release, problems = read(path)
        assert not problems.n and len(list(release.judgments[0].screens())) == 1
        words = "2 tutorial items and checks are left out; 1 of their checks were failed."
        assert any(words in note for note in release.notes)
        assert any("1 forms" in note for note in release.notes)

    def test_downloaded(self, tmp_path):
        """All campaigns of a site in one file, as its dashboard gives them."""
        both = {
            "one": [entry("u1", [HOUSE], [{"A": said(1)}]), entry("u2", [HOUSE], [{"A": said(2)}])],
            "two": [entry("u1", [GARDEN], [{"A": said(3)}])],
        }
        (tmp_path / "annotations.json").write_text(json.dumps(both), "utf-8")
        release, problems = read(tmp_path / "annotations.json")
        assert not problems.n
        assert [part.name for part in release.judgments] == ["one", "two"]
        assert [len(list(part.screens())) for part in release.judgments] == [2, 1]

    def test_texts_from_the_campaign(self, tmp_path):
        """Annotations of older versions do not hold their items."""
        campaign = {
            "info": {"protocol": "DA", "assignment": "single-stream"},
            "campaign_id": "wmt25_#_en-cs_CZ",
            "data": [[HOUSE], [GARDEN]],
        }
        (tmp_path / "x.json").write_text(json.dumps(campaign), "utf-8")
        old = entry("u1", [], {"B": said(9)}, 1)
        del old["item"]
        release, problems = read(
            tmp_path / "x.json", lines(tmp_path / "wmt25_#_en-cs_CZ.jsonl", old)
        )
        assert not problems.n and not release.plans
        (screen,) = release.judgments[0].screens()
        assert screen.segment == "s2" and len(texts(release)) == 2
        assert release.texts[0].target_language == "de"  # as was answered; the name says cs-CZ

    def test_marks_beyond_the_text(self, tmp_path):
        """Pearmut 1.1.6 gives the token k of `special_tokens` the place n + k, n the text's length
        in units of UTF-16 (`setupCandidateBlock` in web/src/annotate.ts)."""
        house = item("s1", "a house", A="ein Haus 🏠")  # 11 units, 10 code points
        said_here = [{"A": said(40, *((n, n, "major") for n in (9, 11, 12, 13)))}]
        path = lines(tmp_path / "c.jsonl", entry("u1", [house], said_here))
        found = {"campaign_id": "c", "info": {"protocol": "cESA"}, "data": [[house]]}

        def spans(*tokens):
            found["info"]["special_tokens"] = tokens
            (tmp_path / "c.json").write_text(json.dumps(found), "utf-8")
            release, problems = read(path, tmp_path / "c.json")
            if problems.n:
                return [], problems
            (screen,) = release.judgments[0].screens()
            return [span[1:] for span in screen.spans], problems

        marks, problems = spans("[missing]", "[instructions fault]", "Untranslated")
        assert not problems.n
        assert marks == [
            ("target", 9, 10, "major", ""),
            ("missing", 0, 0, "major", ""),
            ("output", 0, 0, "major", "instructions fault"),
            ("output", 0, 0, "major", "Untranslated"),
        ]
        _, problems = spans("[missing]", "[instructions fault]")
        (problem,) = problems.first
        assert problem.row == 1 and problem.column == "error_spans"
        assert "place 13 is beyond the text, which has 11 units" in problem.reason

    def test_marks_that_nothing_names(self, tmp_path):
        """Without the campaign's file a question asks for the names."""
        path = lines(
            tmp_path / "c.jsonl",
            entry("u1", [HOUSE], [{"A": said(40, (8, 8, "major"), (9, 9, "minor"))}]),
        )
        release, _ = read(path)
        assert release.questions[0].name == "special-tokens"
        assert any("1 marks right behind a text" in note for note in release.notes)
        with opened([path]) as files:
            answers = ANSWERS | {"special-tokens": "[fluff], [instructions fault]"}
            release = registry.read(files, answers, Problems())
        (screen,) = release.judgments[0].screens()
        assert [span[1:] for span in screen.spans] == [
            ("output", 0, 0, "major", "fluff"),
            ("output", 0, 0, "minor", "instructions fault"),
        ]

    @pytest.mark.parametrize(
        ("bad", "words"),
        [
            ({"start_i": 3, "end_i": 1}, "is not a place"),
            ({"start_i": "x", "end_i": 1}, "is not a place"),
            ({"start_i": 0, "end_i": 1, "severity": 3}, "are texts"),
            ("x", "not an error"),
        ],
    )
    def test_errors_of_another_form(self, tmp_path, bad, words):
        answer = said(5) | {"error_spans": [bad]}
        good = entry("u1", [HOUSE], [{"A": said(5)}])
        path = lines(tmp_path / "c.jsonl", good, entry("u2", [HOUSE], [{"A": answer}]))
        _, problems = read(path)
        (problem,) = problems.first
        assert problem.row == 2 and words in problem.reason

    def test_a_model_that_the_item_lacks(self, tmp_path):
        """Of other items there is a translation by it."""
        garden = item("s2", "a garden", A="ein Garten")
        good = entry("u1", [HOUSE], [{"B": said(5)}])
        path = lines(tmp_path / "c.jsonl", good, entry("u2", [garden], [{"B": said(5)}]))
        _, problems = read(path)
        (problem,) = problems.first
        assert (problem.row, problem.column) == (2, "annotation")
        assert problem.reason == "“B” is not one of the models."

    def test_a_torn_line(self, tmp_path):
        path = lines(tmp_path / "c.jsonl", entry("u1", [HOUSE], [{"A": said(5)}]))
        path.write_text(path.read_text() + '{"annotation": [,], "user_id": "u"}\n')
        _, problems = read(path)
        assert [problem.row for problem in problems.first] == [2]


CHARACTERS = st.characters(exclude_categories=["C", "Zl", "Zp"])

TEXT = st.text(CHARACTERS, min_size=1, max_size=12).filter(lambda text: text.strip() == text)


@given(st.data())
@settings(max_examples=100, deadline=None)
def test_offsets(data):
    """Units of UTF-16 in Pearmut, code points here: there and back."""
    text = data.draw(TEXT)
    start = data.draw(st.integers(0, len(text) - 1))
    end = data.draw(st.integers(start + 1, len(text)))
    span = MarkedSpan("A", "target", start, end, "minor", "")
    tokens = ["[missing]", "[instructions fault]"]
    error = error_of(span, text, tokens)
    units = text.encode("utf-16-le")[2 * error["start_i"] : 2 * error["end_i"] + 2]
    assert units.decode("utf-16-le") == text[start:end]
    assert spans_of("A", text, error, tokens) == [span]
    for side, category in (("missing", ""), ("output", "instructions fault/style")):
        mark = MarkedSpan("A", side, 0, 0, "minor", category)
        assert spans_of("A", text, error_of(mark, text, tokens), tokens) == [mark]


@st.composite
def entries(draw):
    items = [
        item(f"s{n}", draw(TEXT), A=draw(TEXT), B=draw(TEXT))
        for n in range(draw(st.integers(1, 3)))
    ]
    found = []
    for user in draw(st.lists(st.sampled_from(["u1", "u2", "u3"]), unique=True, min_size=1)):
        answers = []
        for each in items:
            answer = {}
            for model, text in each["tgt"].items():
                n = len(text.encode("utf-16-le")) // 2
                spans = []
                for start in draw(st.lists(st.integers(0, n), max_size=2)):
                    end = draw(st.integers(start, n)) if start < n else n
                    spans.append((start, end, draw(st.sampled_from(["Minor", "Major"]))))
                answer[model] = said(draw(st.integers(0, 100) | st.floats(0, 100)), *spans)
            answers.append(answer)
        found.append(entry(user, items, answers))
    return found


@given(entries())
@settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
def test_in_out_in(tmp_path, found):
    first, problems = read(lines(tmp_path / "c.jsonl", *found))
    assert not problems.n
    folder = tmp_path / "out"
    Pearmut().write(first, Folder(folder))
    again, problems = read(*sorted(folder.iterdir()))
    assert not problems.n
    assert content(again) == content(first)
    assert texts(again) == texts(first)
