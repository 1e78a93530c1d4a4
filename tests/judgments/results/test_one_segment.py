"""One segment with all that was said of it, in every protocol."""

import re

from django.urls import reverse

from judgments.models import (
    AlignmentLink,
    AlteredOutput,
    Answer,
    ErrorSpan,
    ItemOutput,
    Note,
    Output,
    PostEdit,
    Question,
)
from tests import factory

from .segment_pages import SegmentsCase


class OneSegmentTests(SegmentsCase):
    def test_ratings_side_by_side(self):
        for seat, row in ((1, [1, 2, 3]), (2, [2, 4, 3])):
            item = self.campaign.tasks.get(seat=seat).items.first()
            factory.judge(item, {"adequacy": row, "fluency": [4, 3, 3]})
        page = self.page(self.campaign)
        self.assertContains(page, "Quelltext Nummer 1 steht hier .")
        self.assertContains(page, "Source text number 1 stands here .")
        self.assertContains(page, '<p class="segment-text" lang="de" dir="ltr">')
        for system in self.test_set.systems.all():
            self.assertContains(page, f'id="system-{system.pk}"')
        body = " ".join(re.sub("<[^>]+>", " ", page.content.decode()).split())
        self.assertRegex(body, r"System-B Adequacy 3 \(n = 2\) Fluency 3 \(n = 2\)")
        self.assertRegex(body, r"annotator-1 Adequacy 2 Fluency 3 .* annotator-2 Adequacy 4")

    def test_only_what_is_selected(self):
        for seat, row in ((1, [1, 2, 3]), (2, [2, 4, 3])):
            item = self.campaign.tasks.get(seat=seat).items.first()
            factory.judge(item, {"adequacy": row, "fluency": [4, 3, 3]})
        page = self.page(self.campaign, query="?without=annotator-1&system=System-B")
        self.assertContains(page, "<strong>annotator-2</strong>", count=1)
        self.assertNotContains(page, "<strong>annotator-1</strong>")
        self.assertNotContains(page, "System-A</h4>")

    def test_what_is_revised_is_said_once(self):
        item = self.campaign.tasks.get(seat=1).items.first()
        old = factory.judge(item, {"adequacy": [1, 1, 1], "fluency": [1, 1, 1]})
        factory.judge(item, {"adequacy": [5, 5, 5], "fluency": [5, 5, 5]}, supersedes=old)
        page = self.page(self.campaign)
        self.assertContains(page, "<strong>annotator-1</strong>", count=3)

    def test_an_altered_copy_stands_apart(self):
        item = self.campaign.tasks.get(seat=1).items.first()
        row = item.shown.get(output__system__name="System-A")
        row.altered = AlteredOutput.objects.create(
            campaign=self.campaign, output=row.output, text="planted <b>", rule="wmt16"
        )
        row.save()
        item.kind = "degraded"
        item.save()
        factory.judge(item, {"adequacy": [1, 1, 3], "fluency": [3, 3, 3]})
        page = self.page(self.campaign)
        self.assertContains(page, "planted &lt;b&gt;")
        self.assertContains(page, "shown altered: Phrase replaced, lengths of WMT16")
        self.assertContains(page, f'id="altered-{row.altered.pk}"')
        self.assertContains(page, row.output.text)

    def test_comparisons(self):
        for seat, value in ((1, 1), (2, 0)):
            factory.judge(self.pairwise.tasks.get(seat=seat).items.first(), value)
        page = self.page(self.pairwise)
        self.assertContains(page, "annotator-1: System-A &gt; System-B")
        self.assertContains(page, "annotator-2: System-A = System-B")
        self.assertContains(page, "Share of wins")

    def test_rankings(self):
        campaign, items = self.made("relative-ranking")
        for item, row in zip(items, ([1, 2, 3], [2, 1, 3]), strict=True):
            factory.judge(item, {"rank": row})
        self.assertContains(self.listed(campaign), "1 segment was judged")
        self.assertContains(self.page(campaign), "Share of wins")
        self.assertContains(self.page(campaign), "<span>Rank <b>3</b></span>", count=2)

    def test_errors_are_marked_in_the_text_for_each_annotator(self):
        campaign, items = self.made("esa")
        kinds = ((0, 6, "target", "major"), (3, 11, "target", "minor"), (0, 9, "source", "minor"))
        judgment = factory.judge(items[0], {"esa": [40, 90, 90], "esa_spans": [-7, 0, 0]})
        for start, end, side, severity in kinds:
            ErrorSpan.objects.create(
                judgment=judgment, output=self.first(items[0]), start=start, end=end, side=side,
                severity=severity, category="accuracy/<i>",
            )  # fmt: skip
        ErrorSpan.objects.create(
            judgment=judgment, output=self.first(items[0]), start=0, end=0, side="missing",
            severity="major",
        )  # fmt: skip
        factory.judge(items[1], {"esa": [100, 90, 90], "esa_spans": [0, 0, 0]})
        page = self.page(campaign)
        self.assertContains(
            page,
            '<mark class="marked-error look-major">Sou</mark>'
            '<mark class="marked-error look-major">rce</mark>'
            '<span class="error-kind" dir="ltr" lang="en"> [major accuracy/&lt;i&gt;]</span>'
            '<mark class="marked-error look-minor"> text</mark>',
        )
        self.assertContains(page, '<mark class="marked-error look-minor">Quelltext</mark>')
        self.assertContains(page, "Missing from the translation: major")
        self.assertContains(page, "no error marked", count=5)
        listed = self.listed(campaign, "?severity=major")
        self.assertContains(listed, "1 segment where a major error is marked")

    def test_an_error_between_characters_and_one_beyond_the_text(self):
        campaign, items = self.made("mqm")
        judgment = factory.judge(items[0], {"mqm": [-2, 0, 0]})
        for start, end in ((2, 2), (5, 9999)):
            ErrorSpan.objects.create(
                judgment=judgment, output=self.first(items[0]), start=start, end=end,
                severity="odd", category="",
            )  # fmt: skip
        page = self.page(campaign)
        self.assertContains(page, 'So<mark class="marked-error look-minor"></mark>')
        self.assertContains(page, "[odd]", count=2)

    def test_edits_with_their_differences(self):
        campaign, items = self.made("post-editing", n_outputs=1)
        judgment = factory.judge(items[0], {})
        output = self.first(items[0])
        PostEdit.objects.create(
            judgment=judgment, output=output, outcome="edited", text="Source texts number 1 here"
        )
        unable = factory.judge(items[1], {})
        PostEdit.objects.create(judgment=unable, output=output, outcome="unable")
        self.assertContains(self.listed(campaign), "1 segment was judged")
        page = self.page(campaign)
        self.assertContains(page, 'Source <mark class="differs">texts</mark> number 1 here')
        self.assertContains(page, "Unable to correct")

    def test_answers_to_questions(self):
        campaign, items = self.made("comprehension", n_outputs=1)
        question = Question.objects.create(
            campaign=campaign, document=self.segments[0].document, position=0, level=1,
            text="How many swans?",
        )  # fmt: skip
        for item, text, right in ((items[0], "two <3", True), (items[1], "", None)):
            judgment = factory.judge(item, {})
            Answer.objects.create(
                judgment=judgment, output=self.first(item), question=question, text=text,
                is_right=right,
            )  # fmt: skip
        page = self.page(campaign)
        self.assertContains(page, "How many swans?", count=2)
        self.assertContains(page, "two &lt;3")
        self.assertContains(page, "does not say")
        self.assertContains(self.listed(campaign), "1 segment was judged")

    def test_word_links(self):
        campaign, items = self.made("word-alignment", n_outputs=1)
        judgment = factory.judge(items[0], {})
        for target, sure in ((0, True), (1, False), (500, True)):
            AlignmentLink.objects.create(
                judgment=judgment, output=self.first(items[0]), source_token=0,
                target_token=target, is_sure=sure,
            )  # fmt: skip
        page = self.page(campaign)
        words = re.sub("<[^>]+>", "", page.content.decode())
        self.assertIn("Quelltext – Source", words)
        self.assertIn("Quelltext – text (possible)", words)

    def test_a_whole_document_stands_with_its_first_segment(self):
        campaign, items = self.made("document-assessment", n_outputs=1)
        second = self.segments[1]
        ItemOutput.objects.create(
            item=items[0], output=second.outputs.get(system__name="System-A"), position=1
        )
        judgment = factory.judge(items[0], {})
        first = self.segments[0].outputs.get(system__name="System-A")
        judgment.ratings.create(output=first, dimension="document", value=70)
        page = self.page(campaign, second)
        self.assertContains(page, "The whole document was judged.")
        address = reverse("segment", args=[campaign.pk, self.segments[0].pk])
        self.assertContains(page, f'<a href="{address}">1</a>')
        self.assertEqual(self.listed(campaign).status_code, 200)

    def test_differences_of_two_outputs(self):
        a, b = (self.test_set.systems.get(name=f"System-{x}").pk for x in "AB")
        page = self.page(self.campaign, query=f"?compare={a}&with={b}")
        self.assertRegex(
            page.content.decode(), r'<mark class="differs">stands wrong( here)?</mark>'
        )
        for query in (f"?compare={a}&with={a}", "?compare=x&with=-1"):
            self.assertContains(self.page(self.campaign, query=query), "Choose two different")

    def test_right_to_left_and_empty_outputs(self):
        test_set = factory.make_test_set(self.owner, name="Arabic", target_language="ar")
        campaign = factory.make_campaign(test_set, owner=self.owner, annotators=[self.annotator_1])
        task = factory.make_task(campaign, self.annotator_1)
        Output.objects.filter(system=test_set.systems.first()).update(text="")
        factory.judge(task.items.first(), {"adequacy": [1, 2, 3], "fluency": [1, 2, 3]})
        page = self.page(campaign, test_set.segments.first(), user=self.owner)
        self.assertContains(page, 'lang="ar" dir="rtl"')
        self.assertContains(page, "empty translation")

    def test_without_texts(self):
        item = self.campaign.tasks.get(seat=1).items.first()
        factory.judge(item, {"adequacy": [1, 1, 3], "fluency": [3, 3, 3]})
        factory.take_texts(self.test_set)
        self.assertContains(
            self.page(self.campaign), "This test set has segment keys but no texts."
        )
        self.assertNotContains(self.page(self.campaign), "empty translation")
        self.assertContains(self.listed(self.campaign), "1 segment was judged")

    def test_notes_of_annotators(self):
        item = self.campaign.tasks.get(seat=1).items.first()
        Note.objects.create(
            item=item, annotator=self.annotator_1, kind="flag", reason="topic", comment="<hm>"
        )
        self.assertContains(self.page(self.campaign), "annotator-1, Flagged, I do not know enough")
        self.assertContains(self.page(self.campaign), "&lt;hm&gt;")
