"""What stands in the report of one campaign: parts, in their order.

Figures come from the sections of the pages of results, as `judgments.web.sections.pages_of` lists
them. A page that no part names stands in the part "Further results", so that none is forgotten.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from datetime import date

from django.conf import settings

from judgments.files.languages import language_name
from judgments.models.chains import publication
from judgments.models.corpus import direction
from judgments.results.observations.observations import RESAMPLES, SEED
from judgments.results.selection.selection import Selection
from judgments.web.cache import code_mark
from judgments.web.columns import AGREEMENT, ALL_PAIRS, COMPARED, OPEN_PAIRS, PAIRS
from judgments.web.extension_points import registered
from judgments.web.sections import OPEN, Section
from judgments.web.tables import Column

from . import heds, marie
from .blocks import (
    Block,
    CampaignReport,
    Heading,
    Prose,
    ReportPart,
    Statement,
    Terms,
    Verbatim,
    said,
    to_add,
)
from .methods import methods, plan_hash, scale_words
from .page_parts import blocks_of
from .pairs import DETECTABLE, pairs
from .source import Found, Source, in_english

# Columns that name a row, and those of scores beside the ones that other tables have too.
NAMES = {"coefficient", "among", "system", "against", "first", "second", "pair"}
SCORES = (
    Column("cluster", "Cluster"),
    Column("ranks", "Ranks"),
    Column("n_judgments", "Judgments"),
)
# Of the page Scores: which of the normalizations and models a report shows.
SHOWN_SCORES = ("raw", "z", "expected-wins")
LONG_AGO = date(1980, 1, 1)  # of releases without judgments
PLACED = {
    *("coverage", "quality", "agreement", "scores", "power", "stopping", "metrics"),
    "recomputation",  # of others' figures; the part on provenance says how many come out
}


def design(source: Source) -> Found:
    facts = source.facts
    yield Prose(methods(facts))
    described = facts.selection.described
    yield Terms(
        (
            ("Systems", Statement(", ".join(facts.systems) or "none was judged")),
            ("References", Statement(", ".join(facts.references) or "none")),
            ("Test set", Statement(facts.campaign.test_set.name)),
            ("Judgments that count", Statement(f"{described['sentence']}.")),
        )
    )


def instructions(source: Source) -> Found:
    facts = source.facts
    preset = facts.protocol.preset
    yield Terms(
        (
            ("Protocol", Statement(str(facts.protocol.name))),
            ("Preset", Statement(f"{preset.name} ({preset.slug})")),
            ("What is asked", Statement(str(preset.summary))),
            ("Version of the guidelines", Statement(str(facts.campaign.guideline_version))),
            *((str(d.name), Statement(f"{d.question} {scale_words(d)}")) for d in facts.dimensions),
        )
    )
    written = {tag: text for tag, text in facts.campaign.instructions.items() if text.strip()}
    if not written and (of_preset := facts.protocol.instructions()):
        written = {"en": of_preset}
    for tag, text in written.items():
        yield Heading(f"Instructions as annotators read them: {language_name(tag)}")
        yield Verbatim(text.strip(), tag, direction(tag))
    if not written:
        yield Prose((to_add("the instructions; the site has none for this campaign."),))


def annotators(source: Source) -> Found:
    facts = source.facts
    yield said(f"Annotators whose judgments count: {facts.n_annotators:,}.", "lead")
    rate, wage = facts.pay.rate, facts.pay.median_wage
    paid = facts.unknown("what was paid", "no pay is recorded")
    if rate is not None:
        paid = Statement(
            f"{rate.amount} {rate.currency} per {rate.per}"
            + (
                f"; median {wage} {rate.currency} per hour of active time"
                if wage is not None
                else ""
            )
        )
    consent = facts.unknown("whether consent was given", "the site asked for none")
    if facts.staffing.consent:
        consent = Statement(
            f"Version {facts.staffing.consent_version}; given by {facts.n_consented:,}."
        )
    practiced = Statement(f"{facts.n_practiced:,} annotators")
    if facts.is_release:
        practiced = facts.unknown("how many practiced", "")
    yield Terms(
        (
            *((label, Statement(answer)) for label, answer in facts.answers),
            ("Practice before the first item", practiced),
            ("Pay", paid),
            ("Consent", consent),
            ("Recruitment", to_add("how annotators were found.")),
        )
    )


def counts(source: Source) -> Found:
    yield from source.page("coverage")


EXCLUSIONS = ("comparison", "decisions", "removed-items")


def exclusions(source: Source) -> Found:
    """Yield who and what is left out, why, and the scores with all of them."""
    yield said(f"{source.selection.sentence}.", "lead")
    of = source.selection
    found = list(source.page("quality", lambda section: section.slug in EXCLUSIONS))
    yield from found
    if not of.decided and not of.without:
        yield said("Nothing was excluded, so there is no other result to compare with this one.")


def quality(source: Source) -> Found:
    yield from source.page("quality", lambda section: section.slug not in EXCLUSIONS)


def agreement(source: Source) -> Found:
    """Without the coefficients that most readers do not need."""
    yield from source.page("agreement", tables=lambda table: table.place == OPEN)


def scores(source: Source) -> Found:
    yield from source.page("scores", is_score)


def is_score(section: Section) -> bool:
    if section.slug.startswith("with-metrics-"):
        return True
    return section.slug.startswith("scores-") and section.slug.endswith(SHOWN_SCORES)


def further(source: Source) -> Found:
    """Yield every other page of the campaign."""
    for slug, page in source.pages.items():
        if slug not in PLACED:
            found = list(source.page(slug))
            if found:
                yield from ([] if _begins(found, page.name) else [Heading(page.name)])
                yield from found


def _begins(found: list[Block], name: str) -> bool:
    return isinstance(found[0], Heading) and found[0].text == name


def metrics(source: Source) -> Found:
    """Yield what the app of metrics brings: the page Metrics as it opens, with signatures."""
    for each in registered("report_parts"):
        sections = each.sections(source.selection)
        web = source.pages["metrics"].web if "metrics" in source.pages else ""
        yield from blocks_of(sections, source.selection, page="metrics", web=web)


def preregistration(source: Source) -> Found:
    plan = source.facts.stopping
    if plan is None:
        lead = said("No stopping plan was registered on this site.", "lead")
        yield lead
        yield Prose((to_add("a preregistration made elsewhere, with its address."),))
        return
    looks = ", ".join(f"{n:,}" for n in plan.looks)
    yield Terms(
        (
            (
                "Registered",
                Statement(
                    f"{plan.registered_at.isoformat(timespec='seconds')}, before the first judgment"
                ),
            ),
            ("Aim", Statement(plan.get_aim_display())),
            ("Looks", Statement(f"after {looks} {plan.unit}, at most {plan.most:,}")),
            (
                "Test",
                Statement(
                    f"{plan.get_test_display()}, α = {plan.alpha:g}, {plan.get_spending_display()}"
                ),
            ),
            ("SHA-256", Statement(plan_hash(source.facts))),
        )
    )
    yield from source.page("stopping")


def provenance(source: Source) -> Found:
    selection = source.selection
    yield Terms(
        (
            ("Program", Statement(f"mteval {settings.VERSION}")),
            ("Seed", Statement(f"{SEED}; {RESAMPLES:,} resamples")),
            ("Selection", Statement(f"{selection.sentence}.")),
            *(("Published figures", Statement(found)) for found in published(source)),
            *(IN_A_RELEASE if source.is_release else on_the_site(selection)),
        )
    )


IN_A_RELEASE = (
    ("Chain of judgments", Statement("judgments.jsonl of the release; head in manifest.json")),
    ("All figures", Statement("results/ of the release, which manage.py verify_release makes.")),
)


def on_the_site(selection: Selection) -> Iterator[tuple[str, Statement]]:
    """Yield what only the site has, and no copy of the campaign."""
    address = f"/campaigns/{selection.campaign.pk}/report/{selection.query}"
    chain = publication.heads(selection.campaign)
    yield "Code", Statement(code_mark())
    yield "Address of the selection", Statement(address)
    yield "Fingerprint of the selection", Statement(selection.fingerprint)
    yield "Chain of judgments", Statement(f"{chain['judgments']:,} sealed; head {chain['head']}")


def published(source: Source) -> list[str]:
    """Return what became of figures that others have published of the same judgments."""
    page = source.pages.get("recomputation")
    sections = page.sections if page else ()
    return [sentence for each in sections if (sentence := each.sentence())]


def datasheet(source: Source) -> Found:
    yield said(
        "After the Human Evaluation Datasheet of Shimorina and Belz (2022); what the site knows is "
        "filled in.",
        "quiet",
    )
    yield from heds.blocks(source.facts)


def checklist(source: Source) -> Found:
    yield said("After Marie, Fujita and Rubino (2021).", "quiet")
    yield from marie.blocks(source.facts)


PARTS: dict[str, tuple[str, Callable[[Source], Found]]] = {
    "design": ("What was done", design),
    "instructions": ("Protocol and instructions", instructions),
    "annotators": ("Annotators", annotators),
    "counts": ("Counts, overlap and time", counts),
    "exclusions": ("Exclusions", exclusions),
    "quality": ("Quality control", quality),
    "agreement": ("Agreement", agreement),
    "scores": ("Scores and ranks", scores),
    "pairs": ("Pairs of systems, and what could have been seen", pairs),
    "further": ("Further results", further),
    "metrics": ("Automatic metrics", metrics),
    "preregistration": ("Preregistration", preregistration),
    "provenance": ("Provenance", provenance),
    "datasheet": ("Appendix: Human Evaluation Datasheet", datasheet),
    "checklist": ("Appendix: Marie's checklist", checklist),
}


@in_english
def report_of(
    selection: Selection, parts: Collection[str] = (), *, is_release: bool = False
) -> CampaignReport:
    """Return the report of one campaign: these parts, all without any. Parts without content are
    left out. is_release: of the copy that a release is made from, without what differs between
    sites, and dated as the last judgment is."""
    source = Source(selection, is_release)
    made = [
        ReportPart(slug, title, tuple(make(source)))
        for slug, (title, make) in PARTS.items()
        if not parts or slug in parts
    ]
    campaign = selection.campaign
    source_language, target_language = source.facts.languages
    return CampaignReport(
        title=campaign.name,
        subtitle=f"Human evaluation of machine translation, {source_language} to {target_language}",
        sentence=f"{selection.sentence}.",
        parts=tuple(part for part in made if part.blocks),
        dated=(source.facts.last or LONG_AGO) if is_release else None,
    )


def columns() -> dict[str, str]:
    """Return the columns that a reader may leave out of all tables, by their keys."""
    every = (*AGREEMENT, *PAIRS, *COMPARED, *ALL_PAIRS, *OPEN_PAIRS, *SCORES, DETECTABLE)
    named = {column.key: column.heading for column in every if column.key not in NAMES}
    return dict(sorted(named.items(), key=lambda each: each[1].lower()))
