"""The pages of results in a browser: charts draw under the strict policy, and nothing complains."""

import pytest
from playwright.sync_api import expect

from judgments.exchange.demo import loading
from judgments.models import Campaign
from metrics.scoring import jobs
from metrics.scoring.choices import MetricChoice
from mteval_site.demo_accounts import PASSWORD
from tests import factory, seeds

from . import judging
from .judging import comes_true

SIZES = {"narrow": {"width": 360, "height": 740}, "wide": {"width": 1440, "height": 900}}


@pytest.fixture
def demo(transactional_db):
    seeds.take("campaigns", loading.load)
    return {campaign.protocol: campaign.pk for campaign in Campaign.objects.of_people()}


@pytest.fixture
def complaints(page):
    """What the page says in its console, and failed requests."""
    found = []
    page.on("console", lambda m: m.type in ("error", "warning") and found.append(m.text))
    page.on("pageerror", lambda error: found.append(str(error)))
    return found


def sign_in(page, site):
    page.goto(f"{site}/sign-in/")
    page.fill("[name=username]", "researcher")
    page.fill("[name=password]", PASSWORD)
    page.click("main button[type=submit]")
    page.wait_for_url(lambda url: "sign-in" not in url)


def draw_all(page):
    """Scroll through the page until every chart is drawn, those within folds too."""
    page.evaluate(
        "document.querySelectorAll('details:has(.chart)').forEach((each) => { each.open = true; })"
    )
    charts = page.locator(".chart[data-spec]")
    for i in range(charts.count()):
        charts.nth(i).scroll_into_view_if_needed()
        charts.nth(i).locator("svg").first.wait_for(timeout=10_000)
    return charts


@pytest.mark.proof
@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_charts_draw_without_a_complaint(page, site, demo, complaints, axe, size, theme):
    page.set_viewport_size(SIZES[size])
    page.emulate_media(color_scheme=theme)
    sign_in(page, site)
    least = {"agreement": 2, "scores": 2, "answers": 4, "errors": 1}
    own = {"questions": ("answers",), "spans": ("errors", "agreement")}
    for protocol, campaign in demo.items():
        for name in (*own.get(protocol, ("agreement", "quality", "scores")), "exports"):
            page.goto(f"{site}/campaigns/{campaign}/{name}/")
            charts = draw_all(page)
            assert charts.count() >= least.get(name, 0)
            assert page.evaluate("document.documentElement.scrollWidth") <= SIZES[size]["width"]
            axe(page)
    assert complaints == []


@pytest.mark.proof
def test_charts_take_the_colors_of_the_theme(page, site, demo):
    page.emulate_media(color_scheme="light")
    sign_in(page, site)
    page.goto(f"{site}/campaigns/{demo['rating']}/scores/")
    draw_all(page)
    point = page.locator(".chart svg .mark-symbol path").first
    light = point.get_attribute("fill")
    page.emulate_media(color_scheme="dark")
    comes_true(
        page,
        "light => document.querySelector('.chart svg .mark-symbol path')"
        "?.getAttribute('fill') !== light",
        arg=light,
    )


@pytest.mark.proof
def test_a_choice_shows_other_scores(page, site, demo):
    sign_in(page, site)
    page.goto(f"{site}/campaigns/{demo['rating']}/scores/")
    page.select_option("[name=method]", "z")
    page.get_by_role("button", name="Show").click()
    assert "method=z" in page.url
    assert page.get_by_role("heading", name="Systems by adequacy, z").first.is_visible()


@pytest.mark.proof
def test_the_tooltip_of_a_point(page, site, demo, complaints):
    sign_in(page, site)
    page.goto(f"{site}/campaigns/{demo['rating']}/scores/")
    draw_all(page)
    page.locator(".chart svg .mark-symbol path").first.hover()
    page.locator("#vg-tooltip-element.visible").wait_for()
    assert "Value" in page.locator("#vg-tooltip-element").inner_text()
    assert complaints == []


@pytest.mark.proof
@pytest.mark.django_db(transaction=True)
def test_metrics_chosen_by_clicks_stand_beside_people_also_in_the_report(page, site, axe):
    owner, person = factory.make_user("owner"), factory.make_user("ann")
    texts = factory.make_test_set(owner, n_segments=60, n_documents=30)
    campaign = factory.make_campaign(texts, owner=owner, annotators=[person])
    jobs.work_on(jobs.create_job(texts, [MetricChoice("chrf"), MetricChoice("ter")], ["ref"]).pk)
    for item in list(factory.make_task(campaign, person).items.order_by("position"))[:30]:
        said = [float(1 + (item.position * step) % 5) for step in (1, 2, 3)]
        factory.judge(item, {"adequacy": said, "fluency": said})
    judging.sign_in(page, site, owner)
    for size in SIZES.values():
        page.set_viewport_size(size)
        page.goto(f"{site}/campaigns/{campaign.pk}/scores/")
        page.get_by_role("link", name="One estimate from people and metrics").click()
        expect(page.get_by_role("heading", name="Metrics beside people")).to_be_visible()
        axe(page)
        page.get_by_label("chrF").check()
        page.get_by_role("button", name="Estimate").click()
        heading = page.get_by_role("heading", name="People and metrics: adequacy")
        expect(heading).to_be_in_viewport()
        axe(page)
        page.get_by_role("link", name="Report with this estimate").click()
        page.locator("summary", has_text="Scores and ranks").click()
        expect(page.get_by_text("People and metrics: adequacy").first).to_be_visible()
        assert "with_metric=chrf" in page.url
