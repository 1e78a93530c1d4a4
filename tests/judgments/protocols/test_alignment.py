"""Word alignment: the input of its form, and what is stored."""

import pytest
from django.test import Client
from django.urls import reverse

from judgments.judging.practice.practice import KnowsExpected
from judgments.models import AlignmentLink, Judgment, PrefilledLink
from judgments.protocols.alignment.form import LinksField
from judgments.protocols.alignment.options import AlignmentOptions
from judgments.protocols.alignment.pharaoh import MOST_LINKS, read_links, write_links
from tests import factory

pytestmark = pytest.mark.django_db


class Work:
    """One item for one annotator: six words of German, six of English."""

    def __init__(self, **options):
        self.annotator = factory.make_user("annotator")
        test_set = factory.make_test_set(factory.make_user("owner"), n_segments=1, n_systems=1)
        self.campaign = factory.make_campaign(
            test_set, preset="word-alignment", annotators=[self.annotator]
        )
        self.campaign.options |= options
        self.campaign.save()
        self.item = factory.make_task(self.campaign, self.annotator).items.get()
        self.output = self.item.outputs.get()
        self.client = Client()
        self.client.force_login(self.annotator)
        self.url = reverse("judge-item", args=[self.campaign.pk, 1])

    def get(self):
        return self.client.get(self.url)

    def post(self, links="", none=False):
        page = self.get().content.decode()
        ticket = page.partition('name="ticket" value="')[2].partition('"')[0]
        data = {"ticket": ticket, "output1-links": links}
        return self.client.post(self.url, data | ({"output1-none": "on"} if none else {}))

    def stored(self):
        rows = AlignmentLink.objects.filter(judgment__superseded_by=None)
        return list(rows.values_list("source_token", "target_token", "is_sure").order_by("pk"))


def test_links_are_stored_and_shown_again():
    work = Work()
    assert [len(words) for words in (work.get().context["form"].source,)] == [6]
    assert work.post("5-4 0-0 1p1 2?2").status_code == 302
    assert work.stored() == [(0, 0, True), (1, 1, False), (2, 2, False), (5, 4, True)]
    (place,) = work.get().context["form"].places()
    assert (place.value, place.none) == ("0-0 1p1 2p2 5-4", False)
    work.post(" 0-0  1p1 2p2 5-4\n")
    assert Judgment.objects.count() == 1, "the same links are the same answer"
    work.post("0-0")
    assert work.stored() == [(0, 0, True)]


def test_no_word_corresponds():
    work = Work()
    assert work.post(none=True).status_code == 302
    assert (Judgment.objects.count(), work.stored()) == (1, [])
    (place,) = work.get().context["form"].places()
    assert (place.value, place.none) == ("", True)


@pytest.mark.parametrize(
    ("links", "words"),
    [
        ("", "Link words, or say"),
        ("   ", "Link words, or say"),
        ("0", "is not a link"),
        ("0-0,1-1", "is not a link"),
        ("0-x", "is not a link"),
        ("-1-0", "is not a link"),
        ("0--1", "is not a link"),
        ("1.5-0", "is not a link"),
        ("٠-٠", "is not a link"),
        ("0-" + "9" * 40, "is not a link"),
        ("<script>-0", "is not a link"),
        ('[{"s": 0}]', "is not a link"),
        ("6-0", "beyond the words"),
        ("0-6", "beyond the words"),
        ("0-0 0-0", "already linked"),
        ("0-0 0p0", "already linked"),
        ("0-0 " * 20_000, "at most 60000 characters"),
    ],
)
def test_bad_links(links, words):
    work = Work()
    response = work.post(links)
    assert response.status_code == 400
    (place,) = response.context["form"].places()
    assert words in place.error
    assert not Judgment.objects.exists()


def test_links_and_none_contradict_each_other():
    response = Work().post("0-0", none=True)
    assert "not true that none correspond" in response.context["form"].places()[0].error


def test_where_all_links_are_sure():
    work = Work(possible_links=False)
    assert "all links are sure" in work.post("0p0").context["form"].places()[0].error
    work.post("0-0")
    assert work.stored() == [(0, 0, True)]


def test_proposed_links_are_shown_until_there_is_an_answer():
    work = Work()
    for source, target, sure in ((1, 1, False), (0, 2, True)):
        PrefilledLink.objects.create(
            campaign=work.campaign,
            output=work.output,
            source_token=source,
            target_token=target,
            is_sure=sure,
        )
    assert work.get().context["form"].places()[0].value == "0-2 1p1"
    work.post("0-2")
    assert work.get().context["form"].places()[0].value == "0-2"


def test_texts_stay_texts():
    work = Work(tokenization="spaces")
    work.output.text = "<b>bold</b> &amp; ok"
    work.output.save()
    page = work.get()
    assert page.context["form"].targets == {1: ["<b>bold</b>", "&amp;", "ok"]}
    assert "&lt;b&gt;bold&lt;/b&gt;</button>" in page.content.decode()


def test_pharaoh():
    assert read_links("2-0 0?1 1p1", 3, 2) == [(0, 1, False), (1, 1, False), (2, 0, True)]
    assert write_links([(2, 0, True), (0, 1, False)]) == "0p1 2-0"
    many = " ".join(f"{i // 100}-{i % 100}" for i in range(MOST_LINKS + 1))
    with pytest.raises(ValueError, match="more than 5000 links"):
        read_links(many, 100, 100)


def test_a_tutorial_item_takes_sure_links_and_possible_ones():
    field = LinksField(["das", "ist", "es"], ["that", "is", "it"], possible=True)
    assert isinstance(field, KnowsExpected)
    for drawn, right in (
        ("0-0 1-1", True),
        ("0-0 1-1 2p2", True),
        ("0p0 1-1 2-2", True),
        ("0-0", False),
        ("0-0 1-1 0-2", False),
        ("", False),
    ):
        assert field.is_accepted(field.clean(drawn), "0-0 1-1 2p2") is right, drawn
    assert field.expected_words("0-0 2p2") == "das – that, es – it (possible)"
    assert field.in_words([]) == "no links"
    for accepted in (["0-0"], 5, "0-9", "x"):
        with pytest.raises(ValueError, match=r"link|words"):
            field.check_expected(accepted)


def test_sentences_begin_at_words():
    options = AlignmentOptions()
    text = "Hello, there. “Go!” he said. 3.5 is all. "
    words = options.words(text)
    begins = options.sentences(text, "en")
    assert [words[place] for place in begins] == ["Hello", "“", "3.5"]
    assert options.sentences("Only one.", "en") == []
    assert options.sentences("", "en") == []
    assert AlignmentOptions(tokenization="spaces").sentences("Go on. Stop it.", "en") == [0, 2]


def test_a_text_of_sentences_says_where_they_begin():
    work = Work()
    segment = work.item.segment
    segment.source = "Das ist eins. Das ist zwei."
    segment.save()
    page = work.get().content.decode()
    assert 'data-source data-begins="0 4"' in page
    assert 'data-target data-begins=""' in page
