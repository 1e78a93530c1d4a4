"""The table of a release's year on the page of a test set's metrics: who sees it, and when."""

import pytest
from django.urls import reverse
from django.utils.html import escape

from metrics import with_people as agreement
from metrics.scores.importing import Instructions, import_scores
from metrics.with_people import tasks as with_people_tasks
from tests import factory

SCORES = "System-A\t{}\nSystem-B\t{}\nSystem-C\t{}\n"


@pytest.fixture
def owner(db):
    return factory.make_user("owner", is_staff=True)


@pytest.fixture
def test_set(owner, tmp_path):
    """Released with WMT23, with scores of one metric."""
    test_set = factory.make_test_set(owner)
    test_set.release = "wmt23"
    test_set.save()
    path = tmp_path / "M-ref.seg.score"
    path.write_text(
        "".join(f"System-{s}\t{i + j}\n" for i, s in enumerate("ABC") for j in range(4))
    )
    import_scores(test_set, [path], Instructions(higher_is_better=True))
    return test_set


def judged(test_set, owner, dimension="mqm"):
    """Return a campaign in which System-C is best, as for the metric."""
    campaign = factory.make_campaign(
        test_set,
        preset="custom-rating",
        owner=owner,
        options={"dimensions": [{"slug": dimension, "low": 0, "high": 100}]},
    )
    for item in factory.make_task(campaign, owner).items.all():
        factory.judge(item, {dimension: [10.0, 20.5, 30.0 + item.position]})
    return campaign


def page_of(client, test_set, user) -> str:
    client.force_login(user)
    return client.get(reverse("test-set-metrics", args=[test_set.pk])).content.decode()


def test_it_leads_to_the_campaign_until_it_is_computed(client, test_set, owner):
    campaign = judged(test_set, owner)
    page = page_of(client, test_set, owner)
    assert "Compare the metrics with the people of" in page
    with_people_tasks.enqueue_figures(test_set.pk)
    page = page_of(client, test_set, owner)
    assert "A worker is comparing the metrics with people" in page and 'hx-select="#year"' in page
    assert with_people_tasks.run_year.func(campaign.pk) is True
    with_people_tasks.run_year.func(campaign.pk)
    page = page_of(client, test_set, owner)
    assert "As WMT23, de-en alone" in page and "hx-select" not in page
    assert '<th scope="row" data-value="M">M</th>' in page


def test_researchers_of_the_campaign_see_it_and_others_do_not(client, test_set, owner):
    researcher, other = factory.make_user("researcher"), factory.make_user("other")
    campaign = judged(test_set, owner)
    factory.make_campaign(test_set, owner=owner, researchers=[other])
    campaign.memberships.create(user=researcher, role="researcher", alias="researcher")
    with_people_tasks.run_year.func(campaign.pk)
    assert "As WMT23" in page_of(client, test_set, researcher)
    page = page_of(client, test_set, other)
    assert "As WMT23" not in page and campaign.name not in page


def test_the_campaign_opens_with_it_and_folds_the_table_of_the_site(
    client, test_set, owner, tmp_path
):
    """But that a sentinel agrees better than a metric, here one with reversed sign, is visible at
    once."""
    path = tmp_path / "N-ref.seg.score"
    path.write_text(
        "".join(f"System-{s}\t{j - i}\n" for i, s in enumerate("ABC") for j in range(4))
    )
    import_scores(test_set, [path], Instructions(higher_is_better=True))
    campaign = judged(test_set, owner)
    client.force_login(owner)
    response = client.get(reverse("correlation", args=[campaign.pk]))
    year, overview = response.context["sections"][:2]
    assert (year.slug, year.aside, overview.aside) == ("metric-year", False, True)
    section = response.content.decode().partition('id="section-metric-overview"')[2]
    section = section.partition("</section>")[0]
    within = section.partition("<details>")[2].partition("</details>")[0]
    assert "<table" in within and section.count("<table") == 1
    assert overview.warnings()
    for warning in overview.warnings():
        assert escape(warning) in section.replace(within, "")


def test_a_campaign_of_other_scores_does_not_open_with_it(client, test_set, owner):
    campaign = judged(test_set, owner, "fluency")
    client.force_login(owner)
    first = client.get(reverse("correlation", args=[campaign.pk])).context["sections"][0]
    assert (first.slug, first.aside) == ("metric-overview", False)


def test_outsiders_see_no_page_at_all(client, test_set, owner):
    judged(test_set, owner)
    client.force_login(factory.make_user("outsider"))
    assert client.get(reverse("test-set-metrics", args=[test_set.pk])).status_code == 404


@pytest.mark.parametrize(
    ("release", "year"),
    [("", ""), ("wmt22", ""), ("WMT23", "wmt23"), ("wmt23.sent", "wmt23"), ("wmt24", "wmt24")],
)
def test_years_that_the_site_knows(test_set, release, year):
    test_set.release = release
    assert agreement.year_of(test_set) == year


def test_another_dimension_is_not_what_the_year_compared_with(client, test_set, owner):
    campaign = judged(test_set, owner, "fluency")
    assert not agreement.is_gold(campaign)
    assert 'id="year"' not in page_of(client, test_set, owner)


def test_without_judgments_there_is_nothing_to_compute(test_set, owner):
    campaign = factory.make_campaign(test_set, owner=owner)
    assert with_people_tasks.run_year.func(campaign.pk) is False
    assert with_people_tasks.run_year.func(0) is False


def test_the_standard_reference_of_hebrew_is_the_second(test_set):
    """`std_ref` of mt-metrics-eval's meta_info for WMT23."""
    test_set.source_language, test_set.target_language = "he", "en"
    wmt23 = agreement.PRESETS["wmt23"]
    assert wmt23.reference(test_set) == "ref"  # refB does not exist
    for segment in test_set.segments.all():
        segment.references.create(name="refA", text="a")
        segment.references.create(name="refB", text="b")
    assert wmt23.reference(test_set) == "refB" and wmt23.keeps_humans(test_set)
    test_set.source_language = "zh"
    assert wmt23.reference(test_set) == "ref" and not wmt23.keeps_humans(test_set)
