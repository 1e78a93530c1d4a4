"""Annotators are blind: nothing sent to them reveals the system of an output, the kind of an item,
or the expected answer.

The presets come from the registry and the URLs from the resolver: new ones are included
automatically. There are two ways to find a leak. Names and numbers that occur nowhere else are
searched in every byte, with base64 decoded; and secrets are changed behind the page, which must
then stay the same.
"""

import base64
from itertools import cycle

import pytest
from django.core import signing
from django.db.models import Value
from django.db.models.functions import Concat
from django.urls import NoReverseMatch, get_resolver, reverse

from judgments.judging import views as judging
from judgments.models import (
    Alteration,
    AlteredOutput,
    Document,
    Item,
    ItemOutput,
    Judgment,
    Kind,
    Output,
    PostEdit,
    Practice,
    PrefilledLink,
    Question,
    Segment,
    System,
)
from judgments.protocols import PRESETS
from tests import factory
from tests.presets import EACH

from .blind import MARK, lasting, secret_in, whole
from .blind_walk import JUDGING, Walk, alter

pytestmark = [pytest.mark.django_db, pytest.mark.slow]


@pytest.mark.parametrize("slug", EACH)
def test_nothing_that_is_sent_tells_anything(client, slug):
    walk = Walk(client, PRESETS[slug])
    walk.everything()
    assert Judgment.objects.filter(annotator=walk.annotator).exists()
    assert walk.n_responses > 30


@pytest.mark.parametrize("slug", EACH)
def test_what_is_secret_changes_nothing_on_a_screen(client, slug):
    """The kind of an item, the system of a translation, the expected answer: each is changed behind
    the page, for a new screen and for a judged one."""
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


@pytest.mark.parametrize("slug", EACH)
def test_a_control_item_differs_in_its_text_only(client, slug):
    """The screen of an altered text, of every kind, is that of an output with the same text; before
    and after it was judged."""
    walk = Walk(client, PRESETS[slug])
    ItemOutput.objects.update(altered=None)
    Item.objects.update(kind=Kind.REGULAR, control_output=None, control_kind="")
    PrefilledLink.objects.all().delete()  # of the words of the output itself
    walk.campaign.memberships.update(n_practiced=2)
    walk.ask("judge", post={})
    walk.judge(2)
    for number in (1, 2):
        item = walk.item(number)
        shown = item.shown.select_related("output", "item__task").order_by("position").first()
        plain, before = page_of(walk, number), shown.output.text
        altered = alter(shown, Alteration.WMT16)
        pages = {page_of(walk, number)}
        for kind, rule in zip(Kind.values, cycle(Alteration.values), strict=False):
            AlteredOutput.objects.update(rule=rule)
            Item.objects.filter(pk=item.pk).update(kind=kind)
            pages.add(page_of(walk, number))
            among = {"control_output": shown.output, "control_kind": kind}
            Item.objects.filter(pk=item.pk).update(kind=Kind.REGULAR, **among)
            pages.add(page_of(walk, number))
        Item.objects.filter(pk=item.pk).update(control_output=None, control_kind="")
        ItemOutput.objects.update(altered=None)
        with factory.rewriting():
            Output.objects.filter(pk=shown.output_id).update(text=altered.text)
            edits = PostEdit.objects.filter(output=shown.output_id)
            edits.exclude(judgment__campaign=walk.campaign).update(text=altered.text)
        pages.add(page_of(walk, number))
        assert len(pages) == 1 and pages != {plain}
        with factory.rewriting():
            Output.objects.filter(pk=shown.output_id).update(text=before)


def page_of(walk, number) -> str:
    names = ("judge-item", "judge-note")
    return "\n".join(lasting(walk.ask(name, number, status=200)) for name in names)


def practice_of(walk, expected) -> str:
    Practice.objects.update(expected=expected)
    walk.campaign.memberships.update(n_practiced=0)
    return lasting(walk.ask("judge-practice", 1, status=200))


# Every other URL, with ids of other objects: nothing is revealed by the way.
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
    """Yield (name, route, its parameters) of all URLs except the operator's."""
    names = get_resolver().reverse_dict
    for name in names:
        if isinstance(name, str) and not name.startswith("admin"):
            for possibilities, *_ in names.getlist(name):
                for route, parameters in possibilities:
                    yield name, route, parameters


# The check itself: it finds what it should find.

KNOWN = {770_120_037}


@pytest.mark.parametrize(
    "leak",
    [
        f"<p>{MARK}name1x</p>",
        f"<p>{MARK.upper()}name</p>",
        "<p>&#84;elltale</p>",
        "/?next=%54elltale",
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
        secret_value = item.kind if secret == "kind" else item.shown.first().output.system_id
        response = render(request, template, context, **more)
        response.content += f"<!-- {secret_value} -->".encode()
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
