"""An empty output is an answer: it is shown, judged and counted in every protocol."""

import json
import re

import pytest
from django.urls import reverse

from judgments.judging.screen import open_item
from judgments.models import ErrorSpan, Item, ItemOutput, Judgment, Output, PostEdit
from judgments.plans import design
from judgments.plans.settings import PlanSettings
from judgments.protocols import PRESETS, protocol_of
from judgments.protocols.spans.form import SpansField
from judgments.protocols.spans.marking import NON_TRANSLATION
from tests import factory
from tests.gates.blind_walk import answers_to, make_texts, options_for
from tests.judgments.judging.judge_pages import rows_in
from tests.presets import EACH

pytestmark = pytest.mark.django_db
WORDS = '<span class="empty-text" lang="{}" dir="{}">{}</span>'
TOKEN = WORDS.format("en", "ltr", "empty translation")
BESIDE = {"acceptability"}  # shows an edit in the place of the output


class Work:
    """One annotator with all items of a campaign, in which the first system said nothing."""

    def __init__(self, client, slug, **more):
        self.owner = factory.make_user("owner", is_staff=True)
        self.annotator = factory.make_user("annotator")
        self.test_set = make_texts(self.owner)
        preset = PRESETS[slug]
        options = options_for(preset, self.test_set, self.owner)
        self.system = self.test_set.systems.order_by("name").first()
        Output.objects.filter(system=self.system).update(text="")
        self.campaign = factory.make_campaign(
            self.test_set, preset=slug, owner=self.owner, annotators=[self.annotator],
            options=options | more,
        )  # fmt: skip
        self.client = client
        client.force_login(self.annotator)
        if protocol_of(self.campaign).slug == "questions":
            for position, document in enumerate(self.test_set.documents.all()):
                self.campaign.questions.create(
                    document=document, position=position, level=1, text="Who?",
                    choices=["left", "right"], right=["left"],
                )  # fmt: skip
        design.plan(self.campaign, PlanSettings(batch_items=40, seats=1))
        self.campaign.tasks.update(annotator=self.annotator)

    @property
    def membership(self):
        return self.campaign.memberships.select_related("campaign").get(user=self.annotator)

    def n_items(self):
        return Item.objects.filter(task__campaign=self.campaign).count()

    def open(self, number, **extra):
        response = self.client.get(reverse("judge-item", args=[self.campaign.pk, number]), **extra)
        assert response.status_code == 200
        return response.content.decode()

    def row(self, number):
        """Return the row as a script fetches it."""
        address = reverse("judge-item", args=[self.campaign.pk, number])
        (row,) = rows_in(self.client.get(address, headers={"X-Rows": str(number)}))
        return row

    def form(self, number):
        return open_item(self.membership, number, None).form()

    def send(self, number, data):
        ticket = re.search(r'name="ticket" value="([^"]+)"', self.open(number))[1]
        address = reverse("judge-item", args=[self.campaign.pk, number])
        return self.client.post(address, data | {"ticket": ticket, "active_ms": "1200"})

    def shows_empty(self, number):
        """Whether an item has an output of no words."""
        shown = open_item(self.membership, number, None).shown
        return any(not row.output.text for row in shown)


def answer(form) -> dict[str, str]:
    """An answer to every question, also to those about an output without words."""
    data = answers_to(form)
    for name, field in form.fields.items():
        if isinstance(field, SpansField) and not field.texts["target"]:
            data[name] = json.dumps([empty_error(field)])
        elif name.endswith("-links") and not field.target:
            data |= {name: "", name.replace("-links", "-none"): "on"}
    return data


def empty_error(field) -> dict:
    marking = field.marking
    error = {"side": "missing", "start": 0, "end": 0, "severity": marking.worst}
    if "missing" not in marking.sides:
        return error | {"category": NON_TRANSLATION}
    return error | {"category": next(iter(marking.slugs), "")}


@pytest.mark.parametrize("slug", EACH)
def test_it_is_shown_judged_and_counted(client, slug):
    work = Work(client, slug)
    protocol = protocol_of(work.campaign)
    n_empty = 0
    for number in range(1, work.n_items() + 1):
        is_empty = work.shows_empty(number)
        n_empty += is_empty
        is_marked = is_empty and protocol.slug not in BESIDE
        # The whole page may have other rows of the document, whose outputs are empty too.
        assert (TOKEN in work.row(number)) == is_marked
        assert (TOKEN in work.open(number)) >= is_marked
        assert work.send(number, answer(work.form(number))).status_code == 302
        assert (TOKEN in work.row(number)) == is_marked
    assert n_empty
    assert Judgment.objects.filter(campaign=work.campaign).count() == work.n_items()
    client.force_login(work.owner)
    for page in protocol.pages:
        address = reverse(page.address, args=[work.campaign.pk])
        assert client.get(address).status_code == 200, page
    for name in ("exports", "export-observations", "export-json"):
        assert client.get(reverse(name, args=[work.campaign.pk])).status_code == 200


@pytest.mark.parametrize(
    ("code", "direction", "words"),
    [
        ("de", "ltr", "leere Übersetzung"),
        ("cs", "ltr", "prázdný překlad"),
        ("zh-hans", "ltr", "空译文"),
        ("ar", "rtl", "ترجمة فارغة"),
    ],
)
def test_the_words_are_those_of_the_reader_and_say_so(client, code, direction, words):
    work = Work(client, "adequacy-fluency")
    number = next(n for n in range(1, work.n_items() + 1) if work.shows_empty(n))
    page = work.open(number, headers={"Accept-Language": code})
    # The paragraph has the language of the translation, the words that of the page.
    token = WORDS.format(code, direction, words)
    assert f'<p class="segment-text" lang="en" dir="ltr">{token}</p>' in page


def test_only_what_is_missing_or_all_of_it_can_be_marked(client):
    work = Work(client, "esa")
    number = next(n for n in range(1, work.n_items() + 1) if work.shows_empty(n))
    place = 1 + [row.output.text for row in open_item(work.membership, number, None).shown].index(
        ""
    )
    data = answer(work.form(number))
    for mark in (
        {"side": "target", "start": 0, "end": 1, "severity": "major"},
        {"side": "target", "start": 0, "end": 0, "severity": "major"},
        {"side": "missing", "start": 0, "end": 1, "severity": "major"},
    ):
        wrong = data | {f"output{place}-spans": json.dumps([mark])}
        assert work.send(number, wrong).status_code == 400
    assert work.send(number, data).status_code == 302
    span = ErrorSpan.objects.get(output__text="")
    assert (span.side, span.start, span.end) == ("missing", 0, 0)


def test_a_whole_empty_output_is_no_translation_in_mqm(client):
    work = Work(client, "mqm")
    number = next(n for n in range(1, work.n_items() + 1) if work.shows_empty(n))
    assert work.send(number, answer(work.form(number))).status_code == 302
    span = ErrorSpan.objects.get(output__text="")
    assert (span.side, span.start, span.end, span.category) == ("missing", 0, 0, NON_TRANSLATION)


def test_an_empty_output_can_be_written_and_left_alone(client):
    work = Work(client, "post-editing")
    numbers = [n for n in range(1, work.n_items() + 1) if work.shows_empty(n)]
    shown = [len(open_item(work.membership, n, None).shown) for n in numbers]
    assert shown == [1] * len(numbers)
    wanted = [("edited", "What it should say."), ("no_correction", "")]
    for number, (outcome, text) in zip(numbers, wanted, strict=False):
        data = {"output1-text": text, "output1-outcome": outcome}
        assert work.send(number, data).status_code == 302
    assert list(PostEdit.objects.order_by("pk").values_list("outcome", "text")) == wanted


def test_two_empty_outputs_are_one_text_and_never_compared(client):
    work = Work(client, "pairwise")
    Output.objects.filter(segment__position=0).update(text="")
    work.campaign.tasks.update(annotator=None)
    design.clear(work.campaign)
    assert design.preview(work.campaign, PlanSettings(batch_items=9)).n_equal == 1


def test_a_row_of_a_document_shows_it_and_holds_back_what_it_must(client):
    work = Work(client, "direct-assessment", context="document")
    page = work.open(next(n for n in range(1, work.n_items() + 1) if work.shows_empty(n)))
    shown = re.findall(r'<span class="row-output" lang="en" dir="ltr">(.*?)</a>', page)
    here = ItemOutput.objects.filter(item__task__campaign=work.campaign)
    assert 0 < sum(TOKEN in row for row in shown) <= here.filter(output__text="").count()


def test_several_outputs_of_a_row_are_held_back(client):
    work = Work(client, "adequacy-fluency", context="document")
    page = work.open(next(n for n in range(1, work.n_items() + 1) if work.shows_empty(n)))
    assert "row-source" in page
    assert "row-output" not in page
