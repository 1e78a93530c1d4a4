"""Campaigns of Pearmut: plans of tasks, and the protocols that they ask for."""

import json

import pytest

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
