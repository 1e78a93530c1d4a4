"""Campaigns of Pearmut: plans of tasks, and the protocols that they ask for."""

import json

import pytest

from judgments.exchange.releases.pearmut import Pearmut
from judgments.exchange.releases.records import Expectation
from judgments.files.uploads import Folder

from .pearmut_files import GARDEN, HOUSE, campaign, item, read


class TestCampaigns:
    def plan(self, tmp_path, found):
        (tmp_path / "c.json").write_text(json.dumps(found), "utf-8")
        release, problems = read(tmp_path / "c.json")
        assert not problems.n
        (plan,) = release.plans
        return release, plan

    def test_tasks(self, tmp_path):
        _, plan = self.plan(tmp_path, campaign())
        assert (plan.preset, plan.options["outputs_per_item"]) == ("contrastive-esa", 2)
        assert plan.instructions == "Look\nwell."
        batches = [[(i.segment, i.outputs, i.kind) for i in batch] for batch in plan.batches()]
        assert batches == [
            [("s1", ("A", "B"), "regular"), ("s2", ("A", "B"), "regular")],
            [("s1", ("A", "B"), "regular"), ("c1", ("A", "B"), "check")],
        ]
        assert list(plan.batches())[1][1].expected == (Expectation("B", "esa", 0, 9),)
        (lesson,) = plan.practice
        assert lesson["expected"] == {
            "output1-esa": {"from": 95, "to": 100},
            "output1-spans": [{"start": 6, "end": 9, "severity": "minor"}],
        }
        assert lesson["feedback"] == "This one is perfect."

    @pytest.mark.parametrize(
        ("info", "preset"),
        [
            ({"protocol": "DA"}, "contrastive-da"),
            ({"protocol": "cESA"}, "contrastive-esa"),
            ({"protocol": "MQM", "mqm_severities": ["Minor", "Critical"]}, "custom-errors"),
            (
                {"protocol": "DA", "sliders": [{"name": "X", "min": 0, "max": 5, "step": 1}]},
                "custom-rating",
            ),
        ],
    )
    def test_protocols(self, tmp_path, info, preset):
        info = {"assignment": "single-stream"} | info
        _, plan = self.plan(tmp_path, campaign(info=info, data=[[HOUSE], [GARDEN]]))
        assert plan.preset == preset
        assert [len(batch) for batch in plan.batches()] == [1, 1]

    def test_some_models_at_a_time(self, tmp_path):
        """Every model of a document comes, three on a screen, as many as `dynamic_models` says."""
        document = [item(key, key, **{m: f"{m} {key}" for m in "ABCDEFG"}) for key in ("s1", "s2")]
        found = campaign(
            campaign_id="eng_Latn---ces_Latn v3",
            info={"assignment": "dynamic", "protocol": "cESA", "dynamic_models": 3},
            data=[document],
        )
        release, plan = self.plan(tmp_path, found)
        assert (plan.name, plan.preset) == ("eng_Latn---ces_Latn v3", "contrastive-esa")
        assert plan.options["outputs_per_item"] == 3
        assert [question.default for question in release.questions] == ["en", "cs"]
        batches = list(plan.batches())
        assert [[each.segment for each in batch] for batch in batches] == [["s1", "s2"]] * 3
        assert all(one.outputs == two.outputs for one, two in batches)
        shown = [batch[0].outputs for batch in batches]
        assert {len(set(outputs)) for outputs in shown} == {3}
        assert set().union(*shown) == set("ABCDEFG")

    def test_instructions_of_a_document(self, tmp_path):
        guidance = HOUSE | {"instructions": "Keep it <b>short</b>.<br>Say du."}
        release, _ = self.plan(tmp_path, campaign(data=[[[guidance, GARDEN]]]))
        Pearmut().write(release, Folder(tmp_path / "out"))
        again, problems = read(*(tmp_path / "out").iterdir())
        assert not problems.n
        for each in (release, again):
            said = [segment.instructions for segment in each.texts[0].segments()]
            assert said == ["Keep it short.\nSay du."] * 2

    def test_labels_of_checks_are_no_systems(self, tmp_path):
        """What is shown now and then is a tutorial item with what it expects, here that one score
        is above another (`score_greaterthan`, validateResponse in Pearmut's web/src/utils.ts)."""
        rule = {"score": [50, 100], "score_greaterthan": "mixed", "warning": "Look again."}
        check = item("r1", "a dog", right="ein Hund", mixed="Hund ein") | {
            "validation": {"right": rule, "mixed": {"score": [0, 40]}}
        }
        info = {"assignment": "dynamic", "protocol": "cESA", "dynamic_models": 2}
        found = campaign(info=info, data=[[HOUSE], [check]], data_random=[[check]])
        release, plan = self.plan(tmp_path, found)
        (segment,) = release.texts[0].segments()
        assert set(segment.outputs) == {"A", "B"} and len(list(plan.batches())) == 1
        first, second = plan.practice
        assert first == second
        assert first["expected"] == {
            "output1-esa": {"from": 50, "to": 100, "above": "output2-esa"},
            "output2-esa": {"from": 0, "to": 40},
        }

    def test_checks_keep_the_scores_that_they_expect(self, tmp_path):
        """A range, one score, or above another model, by its name or from 0 on; what cannot be is
        named by its row, and the others come in."""
        rules = {"A": {"Fluency": [0, 1]}, "B": {"Fluency": 4, "Fluency_greaterthan": 0}}
        marked = {"A": {"error_spans": [{"start_i": 0, "end_i": 1}], "warning": "Mark it."}}
        checks = [HOUSE | {"item_id": f"c{n}"} for n in range(2)]
        slider = {"name": "Fluency", "min": 0, "max": 5, "step": 1}
        documents = [[checks[0] | {"validation": rules}], [checks[1] | {"validation": marked}]]
        info = {"protocol": "DA", "assignment": "task-based", "sliders": [slider]}
        release, plan = self.plan(tmp_path, campaign(info=info, data=[documents]))
        first, second = next(iter(plan.batches()))
        assert first.kind == "check"
        assert first.expected == (
            Expectation("A", "fluency", 0, 1),
            Expectation("B", "fluency", 4, 4, "A"),
        )
        assert (second.kind, second.expected) == ("control", ())
        assert any("1 attention checks that expect no scores" in note for note in release.notes)

    @pytest.mark.parametrize("other", [2, -1, "C", "B", 1, True, [0], ""])
    def test_greater_than_what_is_not_there(self, tmp_path, other):
        bad = HOUSE | {"validation": {"B": {"score": [50, 90], "score_greaterthan": other}}}
        found = campaign(data=[[[HOUSE], [bad], [GARDEN]]])
        (tmp_path / "c.json").write_text(json.dumps(found), "utf-8")
        release, problems = read(tmp_path / "c.json")
        (problem,) = problems.first
        assert (problem.row, problem.column) == (2, "validation")
        assert "is not another model of this item" in problem.reason
        (batch,) = release.plans[0].batches()
        assert [item.segment for item in batch] == ["s1", "s2"]

    def test_a_range_that_ends_before_it_begins(self, tmp_path):
        bad = HOUSE | {"validation": {"B": {"score": [90, 50]}}}
        (tmp_path / "c.json").write_text(json.dumps(campaign(data=[[[bad]]])), "utf-8")
        _, problems = read(tmp_path / "c.json")
        assert [problem.reason for problem in problems.first] == ["score of “B”: 90 is above 50."]

    def test_a_check_that_is_shown_in_parts(self, tmp_path):
        """Of a dynamic campaign a screen keeps what it can ask."""
        names = "ABCD"
        rules = {"A": {"score": [60, 100], "score_greaterthan": "B"}, "B": {"score": [0, 50]}}
        check = item("c1", "a dog", **{name: name for name in names})
        alike = item("s1", "a cat", **{name: name for name in names})
        info = {"assignment": "dynamic", "protocol": "cESA", "dynamic_models": 2}
        found = campaign(info=info, data=[[alike], [check | {"validation": rules}]])
        _, plan = self.plan(tmp_path, found)
        shown = [batch[0] for batch in plan.batches() if batch[0].segment == "c1"]
        assert sorted(name for each in shown for name in each.outputs) == list(names)
        for each in shown:
            above = "B" if "B" in each.outputs else ""
            every = (Expectation("A", "esa", 60, 100, above), Expectation("B", "esa", 0, 50))
            expected = tuple(one for one in every if one.system in each.outputs)
            assert each.expected == expected
            assert each.kind == ("check" if expected else "control")

    def test_one_score_with_the_instructions_of_xsts_rp(self, tmp_path):
        slider = {"name": "Overall", "min": 1, "max": 5, "step": 1}
        alone = item("s1", "eins", A="one")
        info = {"protocol": "XSTSRP", "assignment": "task-based", "sliders": [slider]}
        _, plan = self.plan(tmp_path, campaign(info=info, data=[[[alone]]]))
        assert plan.preset == "xsts-rp"
        wide = info | {"sliders": [slider | {"max": 7}]}
        _, plan = self.plan(tmp_path, campaign(info=wide, data=[[[alone]]]))
        assert plan.preset == "custom-rating"

    def test_same_name_of_different_items(self, tmp_path):
        other = item("s1", "another", A="anders")
        _, plan = self.plan(tmp_path, campaign(data=[[[HOUSE]], [[other]], [[HOUSE]]]))
        assert [batch[0].segment for batch in plan.batches()] == ["s1", "s1#2", "s1"]

    def test_items_without_names(self, tmp_path):
        items = [{"src": text, "tgt": {"A": "x"}} for text in ("one", "two", "one")]
        _, plan = self.plan(
            tmp_path, campaign(data=[[[items[0], items[1]]], [[items[2]]], [[items[0], items[1]]]])
        )
        keys = [[planned.segment for planned in batch] for batch in plan.batches()]
        assert keys == [["1", "2"], ["3"], ["1", "2"]]
