"""Watch of a project: the figures of each campaign's own pages, few statements, who sees what."""

import csv
import io
from datetime import timedelta

from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from judgments.files.guest_list import Guest
from judgments.models import Campaign, Project, ProjectRole, QualityRule, Task
from judgments.people.projects import links
from judgments.people.projects.overview import overviews
from judgments.people.staffing.pay import pay_of
from judgments.people.staffing.settings import set_staffing
from judgments.people.states import hold
from judgments.people.workload.valid import valid_counts
from judgments.quality.decisions.decisions import decide, decide_item
from judgments.quality.projects.tasks import compute_verdicts
from judgments.quality.rules.verdicts import write_rule
from tests import factory

from .test_watch import WatchTestCase


class ProjectWatchTest(WatchTestCase):
    """The campaign de-en, in which two people have judged four screens each, one of en-cs that is
    planned, and one without a plan."""

    def setUp(self):
        super().setUp()
        self.judge_all()
        texts = factory.make_test_set(
            self.owner, name="Czech", source_language="en", target_language="cs"
        )
        self.czech = factory.make_campaign(texts, owner=self.owner, name="Czech campaign")
        factory.make_task(self.czech)
        self.project = Project.objects.create(name="Year", slug="year", owner=self.owner)
        self.project.campaigns.add(self.campaign, self.pairwise, self.czech)
        pay = {"per": "item", "amount": "0.25", "currency": "EUR"}
        set_staffing(self.campaign, {"pay": pay})
        Task.objects.filter(campaign=self.campaign).update(active_ms=1_800_000)

    def leave_out(self):
        decide(self.campaign, self.annotator_1, excluded=True, reason="Hurried.", by=self.owner)

    def table(self, name="campaigns", user=None):
        response = self.get_as(user or self.owner, "project-watch-file", "year", name)
        rows = csv.DictReader(io.StringIO(response.content.decode("utf-8-sig")))
        key = "campaign" if name == "campaigns" else "pair"
        return {row[key]: row for row in rows}

    def test_refused_to_others(self):
        for user in (self.outsider, self.annotator_1):
            for name, args in (("project-watch", ()), ("project-watch-file", ("pairs",))):
                self.assertEqual(self.get_as(user, name, "year", *args).status_code, 404)
        self.assertEqual(
            self.get_as(self.owner, "project-watch-file", "year", "no").status_code, 404
        )

    def test_figures_are_those_of_the_campaigns(self):
        """Two people with four items of half an hour each, .25 EUR an item; one is left out."""
        self.leave_out()
        hold(self.campaign, self.annotator_2, reason="Fast.")
        row = self.table()[self.campaign.name]
        known = ("judged", "planned", "valid", "wanted", "missing", "annotators", "held", "out")
        self.assertEqual([row[name] for name in known], ["8", "8", "4", "8", "4", "2", "1", "1"])
        self.assertEqual((float(row["hours"]), float(row["pay_EUR"])), (1.0, 2.0))
        pay = pay_of(self.campaign)
        self.assertEqual((float(pay.hours), float(pay.total)), (1.0, 2.0))
        pairs = self.table("pairs")
        self.assertEqual([pairs["en-cs"][name] for name in known[:4]], ["0", "4", "0", "4"])
        self.assertEqual((pairs["en-cs"]["campaigns"], pairs["de-en"]["campaigns"]), ("1", "2"))
        page = self.get_as(self.owner, "project-watch", "year")
        self.assertContains(page, "1.0 hours of active time, 2.00 EUR.")

    def test_valid_counts_are_those_of_each_campaign(self):
        first, second, *_ = self.campaign.test_set.segments.all()
        campaigns = [self.campaign, self.czech]

        def check():
            for campaign, found in zip(campaigns, overviews(campaigns), strict=True):
                counts = valid_counts(campaign)
                self.assertEqual(
                    (found.n_wanted, found.n_counting, found.n_missing),
                    (counts.n_wanted, counts.n_counting, counts.n_missing),
                )

        check()
        decide_item(self.campaign, first, None, removed=True, reason="Broken.", by=self.owner)
        check()
        for system in self.campaign.test_set.systems.all():
            decide_item(self.campaign, second, system, removed=True, reason="No.", by=self.owner)
            check()
        self.assertEqual(overviews(campaigns)[0].n_wanted, 4)
        self.leave_out()
        check()
        self.assertEqual(overviews(campaigns)[0].n_missing, 2)
        self.campaign.annotator_states.create(
            annotator=self.annotator_1, state="replaced", reason="Hurried.", decided_by=self.owner
        )
        check()
        decide_item(self.campaign, first, None, removed=False, reason="Fine.", by=self.owner)
        check()

    def test_as_many_statements_for_three_campaigns_as_for_twenty_three(self):
        self.leave_out()
        self.get_as(self.owner, "project-watch", "year")
        counted = []
        for _ in range(2):
            with CaptureQueriesContext(
                connection,
            ) as captured:
                response = self.get_as(self.owner, "project-watch", "year")
            counted.append(len(captured))
            self.assertEqual(response.status_code, 200)
            for n in range(20):
                name = f"{n} more"
                more = factory.make_campaign(self.czech.test_set, owner=self.owner, name=name)
                factory.make_task(more)
                self.project.campaigns.add(more)
        self.assertEqual(counted[0], counted[1])
        self.assertLessEqual(counted[0], 20)

    def test_verdicts_once_a_worker_has_computed_them(self):
        QualityRule.objects.create(
            campaign=self.campaign, written_by=self.owner, n_judgments=8, seconds_per_word=0.0001
        )
        self.assertEqual(self.table()[self.campaign.name]["pass"], "")
        compute_verdicts.func(self.project.pk)
        row = self.table()[self.campaign.name]
        self.assertEqual(sum(int(row[name]) for name in ("pass", "fail", "open")), 2)
        self.assertEqual(self.table()["Czech campaign"]["pass"], "")
        self.assertContains(self.get_as(self.owner, "project-watch", "year"), "Verdicts are from")

    def test_verdicts_on_people_left_out_are_not_counted(self):
        write_rule(self.campaign, text="", by=self.owner, seconds_per_word=30)
        self.leave_out()
        compute_verdicts.func(self.project.pk)
        row = self.table()[self.campaign.name]
        self.assertEqual([row[name] for name in ("pass", "fail", "open", "out")], [*"0101"])
        self.assertEqual(self.table("pairs")["de-en"]["fail"], "1")

    def test_a_watcher_sees_their_pairs_and_no_results(self):
        (link,) = links.make_links(
            self.project,
            [(Guest(), ["en-cs"])],
            role=ProjectRole.WATCHER,
            by=self.owner,
            expires_at=timezone.now() + timedelta(days=1),
        )
        watcher = factory.make_user("watcher")
        answer = self.as_user(watcher).post(link.get_absolute_url())
        self.assertRedirects(answer, "/projects/year/watch/")
        self.assertEqual(list(self.table(user=watcher)), ["Czech campaign"])
        page = self.get_as(watcher, "project-watch", "year")
        self.assertContains(page, "2 campaigns of this project are not shown")
        self.assertNotContains(page, f"/campaigns/{self.czech.pk}/watch/")
        own = self.get_as(self.owner, "project-watch", "year")
        self.assertContains(own, f"/campaigns/{self.czech.pk}/watch/")

    def test_a_project_without_campaigns(self):
        Project.objects.create(name="None", slug="none", owner=self.owner)
        self.assertContains(
            self.get_as(self.owner, "project-watch", "none"), "No campaign to watch"
        )
        self.assertEqual(Campaign.objects.filter(projects__slug="none").count(), 0)
