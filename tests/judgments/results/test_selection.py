"""Which judgments a figure is of: addresses, words, and the rows that pass."""

from datetime import UTC, date, datetime

import pytest
from django.db.models import Q
from django.http import QueryDict
from django.test import Client
from django.urls import reverse
from hypothesis import given, settings
from hypothesis import strategies as st

from judgments.files.words import n_words
from judgments.models import Document, Judgment, Preference, Rating
from judgments.quality.decisions.decisions import decide
from judgments.quality.rules import figures as rules
from judgments.results.agreement import figures as agreement
from judgments.results.observations.observations import load
from judgments.results.power import figures as power
from judgments.results.scores import figures as scores
from judgments.results.selection.filters import Filters
from judgments.results.selection.selection import Selection
from tests import factory

from .test_stored import answer, campaigns, loaded_ratings, stored_ratings  # noqa: F401

names = st.lists(
    st.text(
        st.characters(exclude_characters="\0", exclude_categories=["Cs"]), min_size=1, max_size=8
    ),
    max_size=3,
).map(lambda x: tuple(sorted(set(x))))
numbers = st.none() | st.integers(0, 999)
days = st.none() | st.dates()


@settings(max_examples=100, deadline=None)
@given(
    st.builds(
        Filters,
        **dict.fromkeys(
            ("annotators", "systems", "documents", "domains", "languages", "kinds"), names
        ),
        fewest_words=numbers,
        most_words=numbers,
        since=days,
        until=days,
    )
)
def test_an_address_gives_the_filters_that_gave_it(filters):
    query = QueryDict(mutable=True)
    for name, value in filters.address:
        query.appendlist(name, value)
    assert Filters.asked(QueryDict(query.urlencode())) == filters
    assert bool(filters) == bool(filters.address) == bool(list(filters.phrases()))


@pytest.mark.parametrize(
    ("query", "problem"),
    [
        ("since=yesterday", "since is a date such as 2026-03-31, not 'yesterday'."),
        ("until=2026-02-30", "until is a date such as 2026-03-31, not '2026-02-30'."),
        ("system=A%00B", "system contains a character that no name has."),
        ("fewest_words=-1", "fewest_words is a whole number, not '-1'."),
        ("most_words=٣", "most_words is a whole number, not '٣'."),
    ],
)
def test_what_is_no_date_or_number_is_told(campaigns, query, problem):  # noqa: F811
    campaign = campaigns["adequacy-fluency"]
    with pytest.raises(ValueError, match=problem[:12]) as raised:
        Selection.asked(campaign, QueryDict(query))
    assert str(raised.value) == problem
    client = Client()
    client.force_login(factory.make_user("root", is_superuser=True))
    page = client.get(f"{reverse('scores', args=[campaign.pk])}?{query}")
    assert page.status_code == 400
    assert problem in page.content.decode().replace("&#x27;", "'")
    answered = client.get(f"{reverse('api-scores', args=[campaign.pk])}?{query}")
    assert answered.status_code == 400


def test_the_line(campaigns):  # noqa: F811
    campaign = campaigns["adequacy-fluency"]
    zoe = campaign.memberships.get(alias="zoe").user
    assert Selection.of(campaign).sentence == "All judgments count"
    decide(campaign, zoe, excluded=True, reason="A test.", by=campaign.test_set.owner)
    assert Selection.of(campaign).sentence == "1 annotator is left out"
    asked = Selection.asked(campaign, QueryDict("domain=news&system=A&system=B&without=adam"))
    assert asked.sentence == (
        "2 annotators are left out; only the systems A and B; only documents of the domain news"
    )
    assert asked.query == "?without=adam&system=A&system=B&domain=news"
    everyone = Selection.of(campaign, "all")
    assert everyone.sentence == "The annotator that the owners excluded counts too"
    assert everyone.everyone == everyone
    assert not everyone.left_out
    many = Filters(documents=tuple(f"d{i}" for i in range(9)), since=date(2026, 3, 1))
    assert Selection.of(campaign, filters=many).sentence == (
        "1 annotator is left out; only the documents d0, d1, d2, d3, d4 and 4 more; "
        "only judgments since 2026-03-01"
    )


CONDITIONS = {
    "system=System-A": Q(output__system__name="System-A"),
    "system=System-A&system=System-C": Q(output__system__name__in=["System-A", "System-C"]),
    "system=nobody": Q(pk=0),
    "annotator=adam": Q(judgment__annotator__username="adam"),
    "without=adam": ~Q(judgment__annotator__username="adam"),
    "domain=news": Q(output__segment__document__domain="news"),
    "original_language=de": Q(output__segment__document__original_language="de"),
    "kind=degraded": Q(judgment__item__kind="degraded"),
    "kind=regular&domain=news&annotator=zoe": Q(
        judgment__item__kind="regular",
        output__segment__document__domain="news",
        judgment__annotator__username="zoe",
    ),
    "until=2026-03-01": Q(judgment__submitted_at__lt=datetime(2026, 3, 2, tzinfo=UTC)),
    "since=2026-03-02": Q(judgment__submitted_at__gte=datetime(2026, 3, 2, tzinfo=UTC)),
}


@pytest.mark.parametrize("query", CONDITIONS)
def test_the_rows_are_those_that_the_database_finds(campaigns, query):  # noqa: F811
    campaign = campaigns["adequacy-fluency"]
    first = Document.objects.filter(test_set=campaign.test_set).order_by("pk").first()
    Document.objects.filter(pk=first.pk).update(domain="news", original_language="de")
    some = Judgment.objects.filter(campaign=campaign).order_by("pk")[:7].values("pk")
    with factory.rewriting():
        Judgment.objects.filter(pk__in=some).update(
            submitted_at=datetime(2026, 3, 1, 23, 59, tzinfo=UTC)
        )
    selection = Selection.asked(campaign, QueryDict(query))
    wanted = Rating.objects.filter(CONDITIONS[query]).values("pk")
    expected = stored_ratings(campaign, pk__in=wanted)
    assert loaded_ratings(load(selection)) == expected
    assert {row[2] for row in expected} == set(load(selection).annotators.tolist())
    found = selection.rows_of(Rating.objects.order_by("pk"))
    assert list(found.values_list("pk", flat=True)) == [row[0] for row in expected]


def test_both_outputs_of_a_comparison_must_pass(campaigns):  # noqa: F811
    campaign = campaigns["pairwise"]
    selection = Selection.of(campaign, filters=Filters(systems=("System-A", "System-B")))
    expected = Preference.objects.filter(
        judgment__campaign=campaign,
        judgment__superseded_by=None,
        output_a__system__name__in=["System-A", "System-B"],
        output_b__system__name__in=["System-A", "System-B"],
    )
    assert len(load(selection).preferences) == expected.count() > 0
    rows = selection.rows_of(Preference.objects.all(), outputs=("output_a", "output_b"))
    assert set(rows) == set(expected)


def test_words_are_those_of_the_source(campaigns):  # noqa: F811
    campaign = campaigns["adequacy-fluency"]
    test_set = campaign.test_set
    words = {s.pk: n_words(s.source, test_set.source_language) for s in test_set.segments.all()}
    fewest = sorted(words.values())[len(words) // 2]
    selection = Selection.of(campaign, filters=Filters(fewest_words=int(fewest)))
    assert set(selection.segment_ids) == {pk for pk, n in words.items() if n >= fewest}
    assert set(Selection.of(campaign, filters=Filters(most_words=0)).segment_ids) == set()


def test_every_length_is_in_one_range_of_words():
    """Of scripts without spaces `n_words` counts halves, and ranges are of whole numbers."""
    ranges = (
        Filters(most_words=9),
        Filters(fewest_words=10, most_words=19),
        Filters(fewest_words=20),
    )
    for words, place in ((1.0, 0), (9.5, 0), (10.0, 1), (19.5, 1), (20.0, 2)):
        assert [each.let_words(words) for each in ranges].index(True) == place
        assert sum(each.let_words(words) for each in ranges) == 1


def test_nothing_is_written_on_the_campaign(campaigns):  # noqa: F811
    campaign = campaigns["adequacy-fluency"]
    assert campaign.test_set
    before = set(vars(campaign))
    selection = Selection.of(campaign, filters=Filters(systems=("System-A", "System-B")))
    scores.system_scores(selection)
    agreement.agreement(selection)
    rules.quality(selection)
    power.power(selection)
    assert set(vars(campaign)) <= before | {"_prefetched_objects_cache"}
    with pytest.raises(AttributeError):
        selection.annotators = "all"  # type: ignore[misc]


def test_a_judgment_more_is_another_selection(campaigns):  # noqa: F811
    campaign = campaigns["adequacy-fluency"]
    before = Selection.of(campaign)
    filtered = Selection.of(campaign, filters=Filters(systems=("System-A",)))
    assert before == Selection.of(campaign)
    assert len({before.fingerprint, filtered.fingerprint}) == 2
    item = campaign.tasks.first().items.get(position=1)
    last = item.judgments.get(superseded_by=None)
    factory.judge(item, answer(item, item.pk + 2), supersedes=last)
    after = Selection.of(campaign)
    assert after != before
    assert after.fingerprint != before.fingerprint
