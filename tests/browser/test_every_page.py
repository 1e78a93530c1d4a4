"""Every page there is, at both widths: nothing hangs over the edge, ids and headings are sound.

What a page is, the addresses say: one that is new is walked, or named among those that are none.
"""

from collections.abc import Iterator

import pytest
from django.contrib.auth import get_user_model
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import call_command
from django.urls import URLPattern, URLResolver, get_resolver, reverse
from playwright.sync_api import Browser, Page

from judgments.exchange.releases import uploads
from judgments.files.guest_list import Guest
from judgments.judging import trial
from judgments.models import Campaign, DownloadKind, Invitation, Judge, Practice, Project, Upload
from judgments.people.invitations.links import invite_many
from judgments.people.staffing.settings import set_staffing
from judgments.protocols import PRESETS, protocol_of
from judgments.publishing.downloads import files as downloads
from judgments.quality.clashes.figures import clashes
from judgments.results.projects.pages import project_pages
from judgments.results.selection.selection import Selection
from judgments.web import guide
from metrics.lessons.bitext_files import read_bitext
from metrics.lessons.examples import EXAMPLES
from metrics.lessons.phrase_tables import linking
from metrics.models import Bitext, MetricScore
from metrics.scores.tables import score_table
from tests import factory, seeds
from tests.gates.addresses import converters_of

from .judging import SIZES, sign_in

pytestmark = [pytest.mark.proof, pytest.mark.django_db(transaction=True)]

# Addresses that take something in, send a file, or are a part of a page.
NO_PAGES = {
    *("campaign-dates-extend", "judge-messages", "campaign-payments", "campaign-bonus"),
    *("campaign-prolific-act", "column-widths", "compared-texts"),
    *("campaign-judges-leave", "campaign-judge-start", "campaign-judge-cancel"),
    *("campaign-judge-delete", "campaign-judge-answers"),
    *("campaign-judge-worth-file", "campaign-judge-worth-json"),
    # Of a public demo server (test_public_demo.py).
    *("demo-take", "demo-wait", "demo-copy", "demo-switch", "demo-end"),
    *("demo-enter", "logout", "return", "welcome", "campaign-status", "campaign-design-clear"),
    "suggestions-from-program",
    *("campaign-design-price", "errors-weights", "test-set-media-remove"),
    *("invitation-new", "invitation-close", "member-new", "questions-import", "question-new"),
    *("member-remove", "member-take-back", "link-revoke", "link-renew", "devices-accept"),
    *("annotator-state", "plan-again", "lacking-file", "tutorial-file"),
    "rehearsal-file",
    *("question-delete", "note-resolve", "edits-hand-over", "answers-decide", "quality-decide"),
    *(
        "quality-rule",
        "quality-leave-out",
        "quality-item-decide",
        "quality-exclusions",
        "quality-exclusions-file",
    ),
    *("stopping-register", "next-wave", "known-fault", "judge-note", "judge-skipped", "judge"),
    *("judge-return", "judge-star"),
    *(
        "export-chain",
        "export-errors",
        "export-format",
        "export-texts",
        "export-json",
        "export-observations",
        "export-table",
        "chart",
    ),
    *("correlation-chart", "project-metrics-file", "metric-references-file", "score-download"),
    *("score-kit-file", "reference-file"),
    *("compare-file", "compare-campaigns-file", "compare-campaigns-json"),
    *("metric-references-json", "metric-pairs-file", "metric-pairs-json"),
    *("score-fragment", "score-test", "score-start", "score-progress", "score-cancel"),
    *("baseline-progress", "baseline-cancel"),
    "reference-donors",
    *("score-retry", "post-edits-delete", "corpus-delete", "health", "token-revoke"),
    *("campaign-log-file", "site-log-file", "prometheus", "campaign-schema", "export-file"),
    *("health-ready", "health-live"),
    *("bitext-link", "bitext-delete", "bitext-file", "bitext-moses"),
    *("metric-phrases-link", "metric-phrases-file", "metric-phrases-moses"),
    *("figure", "export-release", "signing-key", "report-file"),
    *("download-file", "download-again", "download-discard"),
    *(
        "segment-mark",
        "clash-mark",
        "clash-third",
        "campaign-close",
        "campaign-extend",
        "task-free",
        "campaign-give",
    ),
    *("notice-new", "notice-delete", "links-make", "links-progress"),
    *("invitation-mail", "invitation-sheet-close", "invitation-file", "campaign-pay-file"),
    *("project-invite", "project-links", "project-links-close", "project-link-close"),
    *(
        "project-part-end",
        "project-links-file",
        "project-watch-file",
        "project-join",
        "project-as-file",
    ),
    *(
        "campaign-archive",
        "project-archive",
        "project-delete",
        "project-file",
        "project-json",
        "project-report",
        "project-release",
    ),
    *("project-download-file", "project-download-again", "project-download-discard"),
    *("media", "worker", "questionnaire-file", "my-data-file", "my-data-erase"),
    *("import-done", "import-progress", "import-answer", "import-retry", "import-cancel"),
    "import-mend",
    "import-recipe",
    "guide",
}
FOR_ANNOTATORS = {
    *("judge-item", "judge-practice", "judge-items", "judge-instructions"),
    *("judge-consent", "judge-questionnaire", "my-data", "held-work"),
}
FOR_GUESTS = {
    *(
        "trial",
        "trial-item",
        "trial-instructions",
        "docs",
        "docs-page",
        "examples",
        "example",
        "example-case",
    ),
    *("transducers", "hierarchical-rules"),
    *("login", "join", "password-reset", "password-reset-sent", "password-reset-confirm"),
}
FOR_OPERATORS = {"operator", "site-log"}

FAULTS = """() => {
  const faults = [];
  const over = document.documentElement.scrollWidth - document.documentElement.clientWidth;
  if (over > 0) faults.push(`${over} px too wide`);
  const twice = (all) => [...new Set(all.filter((each, i) => all.indexOf(each) !== i))];
  const ids = [...document.querySelectorAll("[id]")].map((e) => e.id);
  for (const id of twice(ids)) faults.push(`two elements with the id ${id}`);
  const headings = [...document.querySelectorAll("h1, h2, h3, h4, h5, h6")];
  let before = 0;
  for (const heading of headings.filter((e) => e.checkVisibility())) {
    const level = Number(heading.tagName[1]);
    if (!heading.textContent.trim()) faults.push(`an empty h${level}`);
    if (level > before + 1) faults.push(`h${level} after h${before}: ${heading.textContent}`);
    before = level;
  }
  if (headings.filter((e) => e.tagName === "H1").length !== 1) faults.push("not one h1");
  const named = (e) => e.getAttribute("aria-label")
    ?? document.getElementById(e.getAttribute("aria-labelledby")).textContent;
  const landmarks = document.querySelectorAll(
    ":is(section, nav, [role=region]):is([aria-label], [aria-labelledby])");
  const names = [...landmarks].filter((e) => e.checkVisibility()).map((e) => named(e).trim());
  for (const name of twice(names)) faults.push(`two landmarks with the name ${name}`);
  for (const head of document.querySelectorAll("thead th")) {
    if (!head.textContent.trim()) faults.push("a head of a column without words");
  }
  // What a closed fold hides has no innerText.
  const words = (e) => (e.innerText || e.textContent).trim();
  const said = (level) => [...document.querySelectorAll(level)].map(words);
  for (const level of ["h2", "h3"]) {
    for (const each of twice(said(level))) faults.push(`two times ${level}: ${each}`);
  }
  return faults;
}"""


def faults_of(page: Page, address: str) -> list[str] | None:
    """What is wrong with a page at either width; None where there is none."""
    response = page.goto(address)
    assert response
    if response.status != 200 or page.url != address:
        return None
    found = []
    for size in SIZES.values():
        page.set_viewport_size(size)
        found += [f"{page.url} at {size['width']} px: {each}" for each in page.evaluate(FAULTS)]
    return found


def quiet(page: Page) -> Page:
    """Charts are drawn in other tests."""
    page.route("**/vega*", lambda route: route.fulfill(body=""))
    return page


def patterns(resolver: URLResolver | None = None) -> Iterator[URLPattern]:
    """All addresses but those of programs and of Django's own pages."""
    for each in (resolver or get_resolver()).url_patterns:
        if isinstance(each, URLPattern):
            yield each
        elif not str(each.pattern).startswith(("api/", "admin/")):
            yield from patterns(each)


def of_campaigns(name: str, keys: list[str], fixed: dict) -> Iterator[dict]:
    """A campaign of every protocol; on screens, of every preset."""
    campaigns = list(Campaign.objects.order_by("pk"))
    if name not in FOR_ANNOTATORS | {"suggestions"}:
        campaigns = list({each.protocol: each for each in reversed(campaigns)}.values())
    for campaign in campaigns:
        values = {**fixed, "campaign_id": campaign.pk}
        if member := campaign.memberships.filter(user__username="annotator").first():
            values["membership_id"] = member.pk
        if found := clashes(Selection.of(campaign)).clashes:
            values["key"] = found[0].key
        if asked := campaign.downloads.first():
            values["download_id"] = asked.pk
        if question := campaign.questions.filter(choices=[]).first():
            values["question_id"] = question.pk
        if all(key in values for key in keys):
            yield {key: values[key] for key in keys}


def arguments(name: str, keys: list[str]) -> Iterator[dict]:
    """Yield possible arguments of a URL."""
    test_set = Campaign.objects.earliest("pk").test_set
    column = score_table(test_set).columns[0]
    segment = test_set.segments.order_by("pk")[0]
    fixed = {
        "test_set_id": test_set.pk,
        "segment_id": segment.pk,
        "system_id": test_set.systems.order_by("pk")[0].pk,
        "number": 1,
        "batch": 1,
        "part": "ranks",
        "upload_id": Upload.objects.get().pk,
        "bitext_id": Bitext.objects.get().pk,
        "sheet": 1,
        "page": "coverage",
        "project": "demo",
    }
    if name == "metric-page":
        yield {"slug": "bleu"}
    elif name == "example":
        yield from ({"slug": slug} for slug in EXAMPLES)
    elif name == "example-case":
        yield {"slug": "clipped-precision", "case": "six-times-the"}
    elif name == "docs-page":
        yield from ({"place": place} for place, _title in guide.titles())
    elif name.startswith("trial-"):
        yield from ({"number": number} for number in range(1, len(trial.presets()) + 1))
    elif name == "campaign-new-preset":
        yield from ({"preset": preset} for preset in PRESETS)
    elif name == "password-reset-confirm":
        yield {"uidb64": "MQ", "token": "used-already"}
    elif name == "join":
        yield {"token": Invitation.objects.get(sheet=None).token}
    elif name == "project-page":
        yield from (
            {"project": "demo", "page": each.slug}
            for each in project_pages()[1:]
            if not each.address
        )
    elif name == "project-download":
        yield {"project": "demo", "download_id": Project.objects.get().downloads.get().pk}
    elif "judge_id" in keys:
        judge = Judge.objects.get()
        yield {"campaign_id": judge.campaign_id, "judge_id": judge.pk}
    elif "campaign_id" in keys:
        yield from of_campaigns(name, keys, fixed)
    else:
        yield {key: (fixed | {"slug": column.slug})[key] for key in keys}


def walk(page: Page, site: str, names: dict[str, list[str]]) -> Iterator[str]:
    """What is wrong with all pages of these names; each must have one at least."""
    for name, keys in names.items():
        addresses = [site + reverse(name, kwargs=values) for values in arguments(name, keys)]
        found = [faults for each in addresses if (faults := faults_of(page, each)) is not None]
        yield from (fault for faults in found for fault in faults)
        if not found:
            yield f"{name}: give its arguments a value, or say that it is no page"


def settle(campaign):
    """Consent and a question, both answered."""
    questions = [{"name": "native", "label": "Native?", "kind": "yes-no", "required": True}]
    consent = {"texts": {"en": "## Information\n\nAnswers are stored."}}
    set_staffing(campaign, {"consent": consent, "questions": questions})
    campaign.memberships.update(consent_version=1, about={"native": "yes"})


@pytest.fixture
def campaigns(db):
    """The demo, and a campaign of every other protocol, in all of which the annotator has work."""
    seeds.take("demo", lambda: call_command("load_demo", verbosity=0))
    first = Campaign.objects.order_by("pk")[0]
    people = {user.username: user for user in get_user_model().objects.all()}
    known = set(Campaign.objects.values_list("preset", flat=True))
    made = [
        factory.make_campaign(
            first.test_set,
            preset=preset.slug,
            name=f"Of {preset.slug}",
            owner=people["manager"],
            annotators=[people["annotator"]],
            options=dict(preset.options) | factory.LEFT_OPEN.get(preset.slug, {}),
        )
        for preset in PRESETS.values()
        if preset.slug not in known
    ]
    for campaign in made:
        most = protocol_of(campaign).outputs_per_item()[1]
        factory.make_task(campaign, people["annotator"], n_outputs=min(2, most))
    tutorial = next(campaign for campaign in made if campaign.preset == "xsts")
    Practice.objects.create(campaign=tutorial, position=1, source="Ja.", outputs=["Yes."])
    reading = Campaign.objects.filter(preset="esa").earliest("pk")
    reading.options["word_links"] = True
    reading.save()
    assert MetricScore.objects.exists()
    settle(tutorial)
    invite_many(first, [Guest("Ada", "ada@example.org"), Guest()], by=people["manager"])
    first.invitations.create(created_by=people["manager"], note="A long note for a link")
    for campaign in Campaign.objects.of_people().filter(pk__lt=made[0].pk):
        task = campaign.tasks.filter(annotator=None)[0]
        task.annotator = people["annotator"]
        task.save()
    for each in (first, Project.objects.get()):
        downloads.ask(people["manager"], each, DownloadKind.RELEASE, site="http://testserver/")
    bitext = Bitext(name="Two", source_language="de", target_language="en", owner=people["manager"])
    read_bitext(bitext, SimpleUploadedFile("x.tsv", b"ein Haus\ta house\nHaus\thouse\n"), None)
    bitext.save()
    for linked in (bitext, first.test_set):
        linking.work_on(linking.ask(linked).pk)
    file = SimpleUploadedFile("x.jsonl", b'{"src": "Eins", "refs": {"A": "One"}}\n')
    uploads.work_at_once(uploads.store(people["manager"], [("x.jsonl", file)]).pk)
    return people


def test_every_page_is_sound(browser: Browser, site: str, campaigns):
    named = {p.name: list(converters_of(p.name)) for p in patterns() if p.name not in NO_PAGES}
    assert {p.name for p in patterns()} >= NO_PAGES, "what is no page is no address either"
    faults: list[str] = []
    for user, names in (
        (None, FOR_GUESTS),
        (campaigns["annotator"], FOR_ANNOTATORS),
        (factory.make_user("operator", is_superuser=True), FOR_OPERATORS),
        (campaigns["manager"], set(named) - FOR_GUESTS - FOR_ANNOTATORS - FOR_OPERATORS),
    ):
        context = browser.new_context()
        page = quiet(context.new_page())
        if user is not None:
            sign_in(page, site, user)
        faults += walk(page, site, {name: named[name] for name in sorted(names)})
        context.close()
    assert not faults, "\n".join(faults)
