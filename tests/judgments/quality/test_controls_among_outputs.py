"""A control among the outputs of a screen, and a text in the place of an output."""

import numpy as np
from django.test import TestCase

from judgments.judging.document import outputs_of
from judgments.judging.observations import with_twins
from judgments.judging.screen import distinct
from judgments.models import AlteredOutput, Kind, Output, PrefilledSpan
from judgments.models.new_observations import Observations
from judgments.people.workload.words import words_of_items
from judgments.protocols.spans.form import place_shown
from judgments.quality.rules import figures as rules
from judgments.results import exports
from judgments.results.observations import observations
from judgments.results.observations.observations import KINDS
from judgments.results.scores import figures as scores
from judgments.results.selection.filters import Filters
from judgments.results.selection.selection import Selection
from tests import factory


class ControlsAmongOutputsTest(TestCase):
    """Three outputs on each screen; on the second one, the first output is a check."""

    @classmethod
    def setUpTestData(cls):
        cls.owner = factory.make_user("owner")
        cls.annotator = factory.make_user("annotator")
        cls.test_set = factory.make_test_set(cls.owner)
        cls.campaign = factory.make_campaign(
            cls.test_set, preset="direct-assessment", owner=cls.owner, annotators=[cls.annotator]
        )
        task = factory.make_task(cls.campaign, cls.annotator)
        cls.items = list(task.items.order_by("position"))
        check = cls.items[1]
        shown = check.shown.order_by("position").first()
        shown.altered = AlteredOutput.objects.create(
            campaign=cls.campaign, output=shown.output, text="Say nothing.", rule="loud"
        )
        shown.save()
        check.control_output, check.control_kind = shown.output, Kind.CHECK
        check.save()
        for item in cls.items:
            factory.judge(item, {"da": [3 if item == check else 80, 70, 60]})

    def selection(self, **filters):
        return Selection.of(self.campaign, filters=Filters(**filters))

    def kinds(self, observed):
        return [KINDS[code] for code in observed.ratings["kind"]]

    def test_each_row_has_its_kind(self):
        found = observations.load(Selection.of(self.campaign))
        assert (
            self.kinds(found) == ["regular"] * 3 + ["check", "regular", "regular"] + ["regular"] * 6
        )

    def test_a_check_never_enters_scores(self):
        found = scores.system_scores(Selection.of(self.campaign), "da")
        means = dict(zip(found.names.tolist(), found.mean.tolist(), strict=True))
        assert means == {"System-A": 80, "System-B": 70, "System-C": 60}
        assert sorted(found.n_judgments.tolist()) == [3, 4, 4]

    def test_exports_say_the_kind_of_each_row(self):
        selection = Selection.of(self.campaign)
        columns = exports.observation_columns(selection)
        rows = [dict(zip(columns, row, strict=True)) for row in exports.observation_rows(selection)]
        assert [(row["system"], row["segment"]) for row in rows if row["kind"] == "check"] == [
            ("System-A", "2")
        ]
        assert len(rows) == 12

    def test_filters_by_kind_are_of_the_row(self):
        for kinds, n in ((("check",), 1), (("regular",), 11), (("regular", "check"), 12)):
            selection = self.selection(kinds=kinds)
            assert len(observations.load(selection).ratings) == n
            assert len(list(exports.observation_rows(selection))) == n

    def test_the_annotator_reads_the_altered_text(self):
        _, texts, _ = outputs_of([self.items[1].pk])
        assert texts[self.items[1].pk][0] == "Say nothing."
        words = words_of_items([self.items[0].task])[self.items[0].task_id]
        plain = sum(len(text.split()) for text in texts[self.items[1].pk])
        assert words[1] == plain + len(self.items[1].segment.source.split())

    def test_a_control_is_nobodys_twin(self):
        item = self.items[2]
        rows = list(item.shown.select_related("output", "altered").order_by("position"))
        Output.objects.filter(pk__in=[row.output_id for row in rows[:2]]).update(text="Same.")
        rows = list(item.shown.select_related("output", "altered").order_by("position"))
        assert [row.position for row in distinct(rows)] == [0, 2]
        control = rows[0].output_id
        assert distinct(rows, control) == rows
        said = Observations(ratings=((control, "da", 5.0),))
        assert len(with_twins(said, rows).ratings) == 2
        assert with_twins(said, rows, control).ratings == said.ratings
        rows[1].altered = AlteredOutput(text="Same.")
        assert distinct(rows) == rows
        assert with_twins(said, rows).ratings == said.ratings

    def test_suggestions_follow_the_words(self):
        row = self.items[0].shown.select_related("output").first()
        row.output.text = "one two three four"
        row.altered = AlteredOutput(text="one planted three four", start=4, end=11)
        places = {(0, 3): (0, 3), (4, 7): None, (2, 9): None, (8, 13): (12, 17), (14, 18): (18, 22)}
        for (start, end), expected in places.items():
            span = PrefilledSpan(side="target", start=start, end=end)
            assert place_shown(span, row) == expected
        row.altered = AlteredOutput(text="other")
        assert place_shown(PrefilledSpan(side="target", start=0, end=3), row) is None
        assert place_shown(PrefilledSpan(side="source", start=0, end=3), row) == (0, 3)

    def test_checks_are_counted(self):
        (found,) = rules.quality(Selection.of(self.campaign)).annotators
        assert (found.checks.n_loud, found.checks.n_loud_passed, found.checks.n_silent) == (1, 1, 0)
        assert np.isnan(found.found.share)
