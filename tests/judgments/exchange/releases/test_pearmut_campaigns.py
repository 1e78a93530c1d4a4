"""Campaigns of Pearmut: plans of tasks, and the protocols that they ask for."""

import json

import pytest

from judgments.exchange.releases.pearmut import Pearmut
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
            [("s1", ("A", "B"), "regular"), ("c1", ("A", "B"), "control")],
        ]
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
        told = HOUSE | {"instructions": "Keep it <b>short</b>.<br>Say du."}
        release, _ = self.plan(tmp_path, campaign(data=[[[told, GARDEN]]]))
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
