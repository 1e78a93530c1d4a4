"""Annotators are blind: nothing they are sent tells which system wrote what, what kind an item is,
or what is expected of them.

The presets come from the registry and the addresses from the resolver: a new one of either is
walked as soon as it is there. There are two ways to find a leak. Names and numbers that stand
nowhere else are looked for in every byte, base64 unpacked; and what is secret is changed behind the
page, which must then read as before.
"""

import base64
import json

import numpy as np
import pytest
from django.core import signing
from django.db.models import Value
from django.db.models.functions import Concat
from django.urls import NoReverseMatch, get_resolver, reverse

from judgments.assignment import design
from judgments.assignment.practice import practice_screen
from judgments.assignment.screen import open_item
from judgments.models import (
    Campaign,
    Document,
    Item,
    Judgment,
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
from judgments.protocols import PRESETS, protocol_of
from judgments.protocols.spans.form import SpansField
from judgments.views import judging
from tests import factory
from tests.blind import MARK, lasting, number_tables, secret_in, whole

pytestmark = [pytest.mark.django_db, pytest.mark.slow]

JUDGING = {
    *("judge", "judge-item", "judge-note", "judge-practice", "judge-skipped", "judge-items"),
    "judge-instructions",
}
OTHER_TEXTS = ["Alpha one", "Beta two", "Gamma three"]


def make_texts(owner) -> TestSet:
    """Two systems, three segments in two documents; every name and key is marked."""
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
    """A campaign whose edits another one judges, by an editor who is not among its annotators."""
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
    """The preset's options, with what managers have to add before it can be used."""
    options = dict(preset.options)
    protocol = type(protocol_of(Campaign(protocol=preset.protocol, preset=preset.slug)))
    named = {option.slug for option in protocol.option_fields(preset)}
    if "dimensions" in named:
        options["dimensions"] = [{"slug": "quality", "low": 1, "high": 5}]
    if "edits_of" in named:
        options["edits_of"] = str(make_edits(test_set, owner).pk)
    return options


def add_material(campaign) -> None:
    """Proposals and questions for whoever shows them; what is expected is marked."""
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


def answers_to(form) -> dict[str, str]:
    """An answer to every question of a form, whichever protocol it is of."""
    data = {}
    for name, field in form.fields.items():
        if isinstance(field, SpansField):
            slugs = [slug for slug in field.marking.slugs if "non-translation" not in slug]
            severity = next(iter(field.marking.severities))
            data[name] = json.dumps(
                [{"side": "target", "start": 0, "end": 5, "severity": severity,
                  "category": slugs[0] if slugs else ""}]
            )  # fmt: skip
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
    """Everything an annotator does in a campaign; each response is looked through."""

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
        design.plan(self.campaign, batch_size=40, seats=2, rng=np.random.default_rng(3))
        self.mark_kinds()

    def mark_kinds(self) -> None:
        for number, item in enumerate(Item.objects.filter(task__campaign=self.campaign)):
            item.kind = Kind.values[number % len(Kind.values)]
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
        return self.look(response, status=status, allowed=allowed)

    def ticket(self, response) -> str:
        return response.content.decode().split('name="ticket" value="')[1].split('"')[0]

    # What happens to an annotator, in order.

    def everything(self):
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

    def practice(self):
        for number, practice in enumerate(self.campaign.practices.all(), 1):
            self.ask("judge-practice", number, status=200)

            def form(data=None, practice=practice, number=number):
                screen = practice_screen(self.campaign, practice, number, 2, None)
                return screen.form(data)

            # Feedback and what was expected come after the answer, and not before.
            for data in ({}, answers_to(form())):
                after = [practice.feedback] if form(data).is_valid() else []
                status = 200 if after else 400
                self.ask("judge-practice", number, post=data, status=status, allowed=after)
            assert after
        self.ask("judge-practice", 9, status=404)

    def work_through(self, n_tasks):
        items = Item.objects.filter(task__annotator=self.annotator, task__campaign=self.campaign)
        first = 1 + sum(task.n_items for task in self.tasks()[:n_tasks])
        last = items.count()
        assert last >= first
        self.skip_and_flag(first)
        for number in range(first, last + 1):
            self.judge(number)

    def tasks(self):
        found = Task.objects.filter(annotator=self.annotator, campaign=self.campaign)
        return list(found.order_by("claimed_at", "pk"))

    def skip_and_flag(self, number):
        self.ask("judge-note", number, status=200)
        self.ask("judge-note", number, post={"kind": "skip"}, status=422)
        self.ask("judge-note", number, post={"kind": "flag", "comment": "Hm."}, status=302)
        self.ask("judge-note", number, post={"kind": "skip", "reason": "topic"}, status=302)
        self.ask("judge-items", status=200)
        self.ask("judge-skipped", post={}, status=302)

    def judge(self, number):
        opened = self.ask("judge-item", number, status=200)
        self.ask("judge-item", number, status=200, headers={"X-Row": "1"})
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
        """The pages between, and what goes wrong."""
        for name in ("judge", "judge-items", "judge-instructions"):
            self.ask(name, status=200)
        self.ask("judge-item", 999, status=404)
        self.ask("judge-note", 999, status=404)
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

    def not_mine(self):
        """An answer to an item that somebody else holds by now."""
        page = self.ask("judge-item", 1, status=200)
        self.own_ticket = self.ticket(page)
        task = self.tasks()[0]
        Task.objects.filter(pk=task.pk).update(annotator=None)
        for extra in ({}, {"headers": {"Accept": "application/json"}}):
            self.ask("judge-item", 1, post={"ticket": self.own_ticket}, status=409, **extra)
        Task.objects.filter(pk=task.pk).update(annotator=self.annotator)


@pytest.mark.parametrize("slug", sorted(PRESETS))
def test_nothing_that_is_sent_tells_anything(client, slug):
    walk = Walk(client, PRESETS[slug])
    walk.everything()
    assert Judgment.objects.filter(annotator=walk.annotator).exists()
    assert walk.n_responses > 30


@pytest.mark.parametrize("slug", sorted(PRESETS))
def test_what_is_secret_changes_nothing_on_a_screen(client, slug):
    """The kind of an item, who wrote a translation, what is expected: each is changed behind the
    page, for a screen that is new and for one that was judged."""
    walk = Walk(client, PRESETS[slug])
    walk.ask("judge-practice", 1)
    Practice.objects.update(expected={})
    walk.campaign.memberships.update(n_practiced=2)
    walk.ask("judge", post={})
    walk.judge(2)
    for number in (1, 2):
        pages = {page_of(walk, number)}
        for kind in Kind.values:
            Item.objects.update(kind=kind)
            pages.add(page_of(walk, number))
        System.objects.update(name=Concat(Value("Z"), "name"))
        Document.objects.update(name=Concat(Value("Z"), "name"), domain="Z")
        Segment.objects.update(key=Concat(Value("Z"), "key"))
        Question.objects.update(right=["right"])
        pages.add(page_of(walk, number))
        assert len(pages) == 1
    tutorial = [practice_of(walk, expected) for expected in ({}, {"output1-da": 3, "a": "b"})]
    assert tutorial[0] == tutorial[1]


def page_of(walk, number) -> str:
    names = ("judge-item", "judge-note")
    return "\n".join(lasting(walk.ask(name, number, status=200)) for name in names)


def practice_of(walk, expected) -> str:
    Practice.objects.update(expected=expected)
    walk.campaign.memberships.update(n_practiced=0)
    return lasting(walk.ask("judge-practice", 1, status=200))


# Every other address, with numbers that are nobody's in its place: nothing is told in passing.
ARGUMENTS = {"campaign_id": None, "preset": "mqm", "slug": "bleu", "table": "scores", "kind": "svg"}
ARGUMENTS |= {"chart": "scores", "name": "scores", "token": "no-such-token", "page": "scores"}


def test_every_address_is_silent_to_annotators(client):
    walk = Walk(client, PRESETS["adequacy-fluency"])
    walk.everything()
    n_judging, n = 0, 0
    for name, route, parameters in addresses():
        arguments = {p: ARGUMENTS.get(p, 1) for p in parameters}
        if "campaign_id" in arguments:
            arguments["campaign_id"] = walk.campaign.pk
        if name.startswith("judge"):
            n_judging += 1
            assert name in walk.visited, f"{name} is not walked"
            continue
        try:
            address = reverse(name, kwargs=arguments)
        except NoReverseMatch:
            raise AssertionError(f"{name} needs a value for {route} in ARGUMENTS") from None
        for send in (client.get, client.post):
            response = send(address)
            assert not (found := secret_in(whole(response))), (name, found)
            n += 1
            if name == "logout":
                client.force_login(walk.annotator)
    assert n_judging == len(JUDGING) and n > 150


def addresses():
    """(name, route, its parameters) of all addresses but the operator's."""
    names = get_resolver().reverse_dict
    for name in names:
        if isinstance(name, str) and not name.startswith("admin"):
            for possibilities, *_ in names.getlist(name):
                for route, parameters in possibilities:
                    yield name, route, parameters


# The gate itself: it finds what it is there to find.

KNOWN = {770_120_037}


@pytest.mark.parametrize(
    "leak",
    [
        f"<p>{MARK}name1x</p>",
        f"<p>{MARK.upper()}name</p>",
        "<p>&#84;ellt</p>",
        "/?next=%54ellt",
        '<input value="770120037">',
        "770,120,037",
        "770\u202f120\u202f037",
        f"{770_120_037:x}",
        signing.dumps((770_120_037, 5, "x"), salt="a"),
        signing.dumps({"name": f"{MARK}system"}),
        base64.b64encode(b"abc" + (770_120_037).to_bytes(8, "big") + b"de").decode(),
        base64.urlsafe_b64encode((770_120_037).to_bytes(8, "little")).decode(),
    ],
    ids=[str(n) for n in range(12)],
)
def test_a_leak_is_found(leak):
    assert secret_in(f"<html>{leak}</html>", lambda: KNOWN)
    assert not secret_in("<html>770120038 and no mark</html>", lambda: KNOWN)


@pytest.mark.parametrize("secret", ["system", "kind"])
def test_a_leaking_page_fails_the_walk(client, monkeypatch, secret):
    """The real walk over the real page, to which one secret was added."""
    render = judging.render

    def leaking(request, template, context, **more):
        item = context["screen"].item
        told = item.kind if secret == "kind" else item.shown.first().output.system_id
        response = render(request, template, context, **more)
        response.content += f"<!-- {told} -->".encode()
        return response

    walk = Walk(client, PRESETS["direct-assessment"])
    walk.campaign.memberships.update(n_practiced=2)
    walk.ask("judge", post={})
    monkeypatch.setattr(judging, "render", leaking)
    if secret == "system":
        with pytest.raises(AssertionError, match=r"770[0-2]"):
            walk.ask("judge-item", 1)
    else:
        pages = set()
        for kind in Kind.values:
            Item.objects.update(kind=kind)
            pages.add(page_of(walk, 1))
        assert len(pages) == len(Kind.values)
