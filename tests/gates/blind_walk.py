"""An annotator walks through a campaign of any preset, in which all secrets are marked."""

import json

from django.urls import reverse

from judgments.judging.practice.practice import practice_screen
from judgments.judging.queue import free_seats
from judgments.judging.screen import open_item
from judgments.models import (
    Alteration,
    AlteredOutput,
    Campaign,
    Document,
    Item,
    ItemOutput,
    Kind,
    Output,
    PostEdit,
    Practice,
    PrefilledLink,
    PrefilledSpan,
    Question,
    Reference,
    Segment,
    Status,
    System,
    Task,
    TestSet,
)
from judgments.people.messages.messages import send
from judgments.people.staffing.settings import set_staffing
from judgments.people.workload.work import work_of
from judgments.plans import design
from judgments.plans.settings import PlanSettings
from judgments.protocols import protocol_of
from judgments.protocols.spans.form import SpansField
from tests import factory

from .blind import MARK, number_tables, secret_in, whole

JUDGING = {
    *("judge", "judge-item", "judge-note", "judge-practice", "judge-skipped", "judge-items"),
    "judge-star",
    *("judge-instructions", "judge-return", "judge-consent", "judge-questionnaire"),
    "judge-messages",
}
CODE = f"{MARK}code"
# With control items of every kind, if the protocol has them.
PLAN = PlanSettings(
    batch_items=40,
    seats=2,
    repeats=1,
    references=1,
    degraded=1,
    loud_checks=1,
    silent_checks=1,
    beside_checks=1,
    seed=3,
)
OTHER_TEXTS = ["Alpha one", "Beta two", "Gamma three"]


def make_texts(owner) -> TestSet:
    """Return two systems, three segments in two documents; every name and key is marked."""
    test_set = factory.make_test_set(owner, n_segments=3, n_systems=2, name=f"{MARK}set")
    for model, field in (
        (System, "name"), (Document, "name"), (Document, "domain"), (Segment, "key"),
        (Reference, "name"),
    ):  # fmt: skip
        for number, row in enumerate(model.objects.all()):
            setattr(row, field, f"{MARK}{field}{number}x")
            row.save()
    for number, output in enumerate(Output.objects.all()):
        output.text = f"{OTHER_TEXTS[number % 2]} of {number} stands here."
        output.save()
    return test_set


def make_edits(test_set, owner) -> Campaign:
    """Return a campaign whose edits another one judges, by an editor who is not among its
    annotators."""
    editor = factory.make_user(f"{MARK}editor")
    editing = factory.make_campaign(
        test_set, preset="sentence-editing", owner=owner, annotators=[editor], name=f"{MARK}edits"
    )
    for item in factory.make_task(editing, editor, n_outputs=1).items.all():
        judgment = factory.judge(item, {}, annotator=editor)
        output = item.shown.get().output
        PostEdit.objects.create(
            judgment=judgment, output=output, outcome="edited", text=f"Mended {output.text}"
        )
    return editing


def options_for(preset, test_set, owner) -> dict:
    """Return the preset's options, with those that managers have to add before it can be used."""
    options = dict(preset.options)
    protocol = type(protocol_of(Campaign(protocol=preset.protocol, preset=preset.slug)))
    named = {option.slug for option in protocol.option_fields(preset)}
    if "dimensions" in named:
        options["dimensions"] = [{"slug": "quality", "low": 1, "high": 5}]
    if "edits_of" in named:
        options["edits_of"] = str(make_edits(test_set, owner).pk)
    return options


def add_material(campaign) -> None:
    """Add suggestions and questions for protocols that show them; expected answers are marked."""
    for output in Output.objects.filter(system__test_set=campaign.test_set):
        PrefilledSpan.objects.create(
            campaign=campaign, output=output, start=0, end=5, severity="major"
        )
        PrefilledLink.objects.create(
            campaign=campaign, output=output, source_token=0, target_token=1
        )
    for position, document in enumerate(campaign.test_set.documents.all()):
        for level, choices, right in (
            (1, ["left", "right"], ["left"]),
            (2, [], [f"{MARK}answer"]),
        ):
            Question.objects.create(
                campaign=campaign, document=document, position=10 * position + level, level=level,
                text=f"Question {level}?", choices=choices, right=right,
            )  # fmt: skip
    n_outputs = min(3, protocol_of(campaign).outputs_per_item()[1])
    for position in range(2):
        Practice.objects.create(
            campaign=campaign, position=position, source="Es regnet.", reference="It is raining.",
            outputs=OTHER_TEXTS[:n_outputs], feedback=f"{MARK}feedback",
            expected={"nothing": f"{MARK}expected"},
        )  # fmt: skip


def alter(shown: ItemOutput, rule: str) -> AlteredOutput:
    """Return another text in place of an output, with the same meaning when read alone."""
    first, *rest = shown.output.text.split()
    text = " ".join([first, "other", *rest[1:]])
    start = len(first) + 1
    shown.altered = AlteredOutput.objects.create(
        campaign_id=shown.item.task.campaign_id, output=shown.output, text=text, rule=rule,
        start=start, end=start + 5, donor=shown.output.segment,
    )  # fmt: skip
    shown.save()
    return shown.altered


def answers_to(form) -> dict[str, str]:
    """Return an answer to every question of a form, for any protocol."""
    data = {}
    for name, field in form.fields.items():
        if isinstance(field, SpansField):
            slugs = [slug for slug in field.marking.slugs if "non-translation" not in slug]
            severity = next(iter(field.marking.severities))
            data[name] = json.dumps(
                [{"side": "target", "start": 0, "end": 5, "severity": severity,
                  "category": slugs[0] if slugs else ""}]
            )  # fmt: skip
        elif name == "course":
            data[name] = "1 2\n3 end"
        elif name.endswith("-links"):
            data[name] = "0-0"
        elif name.endswith("-text") and hasattr(form, "originals"):
            data[name] = "Another text altogether."
        elif name.endswith("-outcome"):
            data[name] = "edited"
        elif name.endswith("-text"):
            data[name] = "In my words."
        elif name.endswith("-confirmed"):
            data[name] = "1"
        elif getattr(field, "choices", None):
            data[name] = str(field.choices[0][0])
        elif hasattr(field, "max_value"):
            data[name] = str(int(field.max_value))
    return data


class Walk:
    """All actions of an annotator in a campaign; each response is searched."""

    def __init__(self, client, preset):
        number_tables()
        self.owner = factory.make_user("owner", is_staff=True)
        self.other = factory.make_user(f"{MARK}other")
        self.annotator = factory.make_user("annotator")
        test_set = make_texts(self.owner)
        self.campaign = factory.make_campaign(
            test_set, preset=preset.slug, owner=self.owner, name="The campaign",
            annotators=[self.annotator, self.other],
            options=options_for(preset, test_set, self.owner),
        )  # fmt: skip
        add_material(self.campaign)
        self.protocol = protocol_of(self.campaign)
        self.visited: set[str] = set()
        self.n_responses = 0
        self.client = client
        client.force_login(self.annotator)
        design.plan(self.campaign, PLAN)
        self.mark_kinds()

    def settle(self) -> None:
        """Set up consent, a question, and codes, which are secret until everything is judged."""
        question = {"name": "native", "label": "Native?", "kind": "yes-no", "required": True}
        data = {
            "consent": {"texts": {"en": "We **store** what you say."}},
            "questions": [question],
            "codes": {"pass": CODE, "fail": f"{MARK}fail"},
        }
        set_staffing(self.campaign, data)

    def is_over(self) -> bool:
        """Return whether the annotator has judged all their items; only then do they see a code."""
        items = Item.objects.filter(task__annotator=self.annotator, task__campaign=self.campaign)
        is_open = Campaign.objects.get(pk=self.campaign.pk).is_open
        judged = items.exists() and not items.filter(is_judged=False).exists()
        has_codes = bool(self.membership.campaign.staffing)
        return has_codes and is_open and judged and not free_seats(self.membership).exists()

    def mark_kinds(self) -> None:
        """Mark every kind of item; some show an altered text, on some a control is among others."""
        for number, item in enumerate(Item.objects.filter(task__campaign=self.campaign)):
            item.kind = Kind.values[number % len(Kind.values)]
            shown = item.shown.select_related("output").first()
            if number % 2:
                alter(shown, Alteration.values[number // 2 % len(Alteration.values)])
            if item.shown.count() > 1 and number % 3 == 0:
                item.control_output, item.control_kind = shown.output, Kind.CHECK
            item.save()

    @property
    def membership(self):
        return self.campaign.memberships.select_related("campaign").get(user=self.annotator)

    def look(self, response, *, status=None, allowed=()):
        self.n_responses += 1
        text = whole(response)
        for words in allowed:
            text = text.replace(words, "")
        assert not (found := secret_in(text)), found
        assert response.status_code < 500
        if status:
            assert response.status_code == status, text[:3000]
        return response

    def ask(self, name, *args, post=None, status=None, allowed=(), **extra):
        self.visited.add(name)
        address = reverse(name, args=[self.campaign.pk, *args])
        send = self.client.get if post is None else self.client.post
        response = send(address, *([] if post is None else [post]), **extra)
        if name == "judge" and post is None and self.is_over():
            assert CODE in response.content.decode()
            allowed = (*allowed, CODE)
        return self.look(response, status=status, allowed=allowed)

    def ticket(self, response) -> str:
        return response.content.decode().split('name="ticket" value="')[1].split('"')[0]

    # The steps of an annotator, in order.

    def everything(self):
        self.before()
        self.ask("judge", status=302)
        self.practice()
        while Task.objects.filter(campaign=self.campaign, annotator=self.annotator).count() < 9:
            before = Task.objects.filter(annotator=self.annotator).count()
            self.ask("judge", status=200)
            self.ask("judge", post={}, status=302)
            if Task.objects.filter(annotator=self.annotator).count() == before:
                break
            self.work_through(before)
        self.around()
        assert self.visited == JUDGING

    def before(self):
        """Answer consent and questionnaire; no work can be opened before."""
        self.settle()
        for name in ("judge", "judge-item", "judge-note", "judge-practice"):
            self.ask(name, *([1] if name != "judge" else []), status=302)
        self.ask("judge-questionnaire", status=302)
        self.ask("judge-consent", status=200)
        self.ask("judge-consent", post={"consent": "refuse"}, status=200)
        self.ask("judge", post={}, status=302)
        assert not self.tasks()
        self.ask("judge-consent", post={"consent": "accept"}, status=302)
        self.ask("judge-questionnaire", status=200)
        self.ask("judge-questionnaire", post={}, status=422)
        self.ask("judge-questionnaire", post={"about-native": "yes"}, status=302)

    def practice(self):
        for number, practice in enumerate(self.campaign.practices.all(), 1):
            self.ask("judge-practice", number, status=200)

            def form(data=None, practice=practice, number=number):
                screen = practice_screen(self.campaign, practice, number, 2, None)
                return screen.form(data)

            # Feedback and the expected answer come after the answer, not before.
            for data in ({}, answers_to(form())):
                after = [practice.feedback] if form(data).is_valid() else []
                status = 200 if after else 400
                self.ask("judge-practice", number, post=data, status=status, allowed=after)
            assert after
        self.ask("judge-practice", 9, status=404)

    def item(self, number) -> Item:
        return open_item(self.membership, number, None).item

    def work_through(self, n_tasks):
        items = Item.objects.filter(task__annotator=self.annotator, task__campaign=self.campaign)
        first = 1 + sum(task.n_items for task in self.tasks()[:n_tasks])
        last = items.count()
        assert last >= first
        self.skip_and_flag(first)
        for number in range(first, last + 1):
            self.judge(number)
            self.asked_once_more()

    def asked_once_more(self):
        """Visit the question before returning a batch in which something was judged."""
        begun = work_of(self.membership).begun
        key = begun[0][0] if begun else ""
        self.ask("judge-return", post={"batch": key}, status=200 if begun else 302)

    def tasks(self):
        found = Task.objects.filter(annotator=self.annotator, campaign=self.campaign)
        return list(found.order_by("assigned_at", "pk"))

    def skip_and_flag(self, number):
        self.ask("judge-note", number, status=200)
        self.ask("judge-note", number, post={"kind": "skip"}, status=422)
        self.ask("judge-note", number, post={"kind": "flag", "comment": "Hm."}, status=302)
        self.ask("judge-note", number, post={"kind": "skip", "reason": "topic"}, status=302)
        self.ask("judge-items", status=200)
        self.ask("judge-star", number, post={"star": "yes"}, status=302)
        self.ask("judge-items", status=200)
        self.ask("judge-skipped", post={}, status=302)

    def judge(self, number):
        opened = self.ask("judge-item", number, status=200)
        for rows in (f"{number},{number + 1}", "list"):
            self.ask("judge-item", number, status=200, headers={"X-Rows": rows})
        ticket = self.ticket(opened)
        form = open_item(self.membership, number, None).form()
        data = answers_to(form) | {"ticket": ticket, "active_ms": "1200"}
        wants = {"headers": {"Accept": "application/json"}}
        for nothing, extra in (({"ticket": ticket}, {}), ({"ticket": ticket}, wants)):
            self.ask("judge-item", number, post=nothing, status=400, **extra)
        for stale, extra in ((data | {"ticket": "x"}, {}), ({"ticket": "x"}, wants)):
            self.ask("judge-item", number, post=stale, status=400, **extra)
        if number % 2:
            self.ask("judge-item", number, post=data, status=302)
        else:
            self.ask("judge-item", number, post=data, status=200, **wants)
        again = self.ask("judge-item", number, status=200)
        revised = data | {"ticket": self.ticket(again)}
        self.ask("judge-item", number, post=revised, status=302)

    def around(self):
        """Visit the pages in between, the downloads, and error pages."""
        for name in ("my-data", "my-data-file"):
            self.look(self.client.get(reverse(name)), status=200)
        for name in ("judge", "judge-items", "judge-instructions"):
            self.ask(name, status=200)
        self.ask("judge-item", 999, status=404)
        self.ask("judge-note", 999, status=404)
        self.messages()
        self.not_mine()
        Campaign.objects.filter(pk=self.campaign.pk).update(status=Status.PAUSED)
        ticket = self.own_ticket
        for extra in ({}, {"headers": {"Accept": "application/json"}}):
            self.ask("judge-item", 1, post={"ticket": ticket}, status=409, **extra)
        for name in ("judge", "judge-items", "judge-instructions"):
            self.ask(name, status=200)
        self.ask("judge-item", 1, status=302)
        self.ask("judge-note", 1, post={"kind": "flag", "comment": "Hm."}, status=422)
        Campaign.objects.filter(pk=self.campaign.pk).update(status=Status.OPEN)

    def messages(self):
        """Send a message: it is on the next page, also next to an item, until it is read."""
        message = send(self.campaign, [self.membership], text="See the example.", sender="olga")
        number = (str(message.pk),)  # needed by the button; it counts messages, not texts
        self.look(self.client.get(reverse("home")), status=200, allowed=number)
        self.ask("judge", status=200, allowed=number)
        page = self.ask("judge-messages", status=200, allowed=number)
        assert "See the example." in page.content.decode()
        self.ask("judge-messages", post={"message": "none"}, status=400)
        self.ask("judge-messages", post={"message": message.pk, "stays": "on"}, status=204)
        assert "See the example." not in self.ask("judge-messages", status=200).content.decode()

    def not_mine(self):
        """Answer an item that somebody else holds by now."""
        page = self.ask("judge-item", 1, status=200)
        self.own_ticket = self.ticket(page)
        task = self.tasks()[0]
        Task.objects.filter(pk=task.pk).update(annotator=None)
        for extra in ({}, {"headers": {"Accept": "application/json"}}):
            self.ask("judge-item", 1, post={"ticket": self.own_ticket}, status=409, **extra)
        Task.objects.filter(pk=task.pk).update(annotator=self.annotator)
