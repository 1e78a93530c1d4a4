"""The methods of the evaluation, as a paragraph of a paper: only facts in the database.

Unknown facts are stated as something that the author has to add.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from django.conf import settings

from judgments.judges.records import in_a_sentence, judge_of
from judgments.models import Kind
from judgments.plans.settings import COMPARED_BY, is_planned
from judgments.protocols.base import Dimension
from judgments.results.observations.observations import RESAMPLES, SEED
from judgments.results.scores.figures import system_scores
from judgments.results.scores.pair_test import ALPHA
from judgments.results.scores.words import MEANINGS, decision_name
from judgments.web.plurals import names as listed

from .blocks import Statement, to_add
from .facts import Facts, asked_for, control_kinds, named
from .numbers import counted, number

# In a release, which contains it in a file.
A_MODEL_JUDGED = (
    "The judgments are those of a language model, and of no person: judge.json says which model, "
    "and how it was asked."
)


def methods(facts: Facts) -> tuple[Statement, ...]:
    """Return sentences, in the order usual in a paper."""
    found = [*materials(facts), *task(facts), *people(facts), *work(facts), *analysis(facts)]
    return tuple(each if isinstance(each, Statement) else Statement(each) for each in found)


def materials(facts: Facts) -> Iterator[str | Statement]:
    source, target = facts.languages
    test_set = facts.campaign.test_set
    if facts.campaign.simulated:
        yield "The judgments were made up by a program: nothing here is evidence of anything."
    if facts.campaign.by_model:
        judge = None if facts.is_release else judge_of(facts.campaign)
        yield in_a_sentence(judge) if judge else A_MODEL_JUDGED
    translate = "translates" if len(facts.systems) == 1 else "translate"
    evaluated = (
        f"We evaluated {counted(len(facts.systems), 'system')} that {translate} from {source} to "
        f"{target} ({', '.join(facts.systems)})"
    )
    yield (
        f"{evaluated if facts.systems else 'No judged output is among those asked for'} on the "
        f"test set {test_set.name}, which has {counted(facts.n_segments, 'segment')} in "
        f"{counted(facts.n_documents, 'document')}."
    )
    if facts.copies:
        yield f"They include human references as hidden systems: {listed(list(facts.copies))}."
    if facts.domains:
        yield f"Documents by domain: {shares(facts.domains)}."
    else:
        yield to_add("the domains of the texts.")
    if facts.origins:
        origins = Counter({named(tag): n for tag, n in facts.origins.items()})
        yield f"Documents by original language: {shares(origins)}."
        if set(facts.origins) - {test_set.source_language}:
            yield "Sources in other original languages are themselves translations."
    else:
        yield to_add("in which language the source texts were first written.")
    yield to_add("where the texts come from, and whether systems may have seen them in training.")


def shares(counts: Counter[str]) -> str:
    return ", ".join(f"{name} {n:,}" for name, n in counts.most_common())


def task(facts: Facts) -> Iterator[str | Statement]:
    protocol, preset = facts.protocol, facts.protocol.preset
    words = f"Annotators judged by the protocol “{protocol.name}”"
    same = str(preset.name) == str(protocol.name)
    yield f"{words}." if same else f"{words}, preset “{preset.name}”."
    if facts.is_imported:
        yield "The judgments were given elsewhere, and imported."
        yield to_add("what annotators saw on a screen, and in which context.")
    else:
        yield screen_words(facts)
    for dimension in facts.dimensions:
        yield scale_words(dimension)
    versions = facts.guidelines
    if len(versions) == 1:
        yield f"All judged under version {versions[0]} of the guidelines."
    elif versions:
        several = listed([str(version) for version in versions])
        yield f"Judgments were given under versions {several} of the guidelines."


def screen_words(facts: Facts) -> str:
    protocol = facts.protocol
    shown = zip(("source", "reference"), protocol.texts_beside(), strict=True)
    beside = " and ".join(f"the {name}" for name, is_shown in shown if is_shown)
    fewest, most = protocol.outputs_per_item()
    n = number(most) if fewest == most else f"{fewest} to {most}"
    unit = "document" if "document" in protocol.unit else "segment"
    outputs = "output" if most == 1 else "outputs"
    return (
        f"A screen was about one {unit}, with {n} {outputs}, and showed "
        f"{beside or 'neither the source nor a reference'}; names of systems were hidden."
    )


def scale_words(dimension: Dimension) -> str:
    anchors = ", ".join(f"{value:g} “{words}”" for value, words in dimension.scale.anchors)
    scale = f"The scale of {dimension.name}: {dimension.scale.words}"
    return f"{scale}; {anchors}." if anchors else f"{scale}."


def people(facts: Facts) -> Iterator[str | Statement]:
    if not facts.n_annotators:
        asked = facts.selection.filters or facts.selection.without
        yield "No judgment is among those asked for." if asked else "Nobody has judged yet."
        return
    if facts.is_imported:
        yield f"They are under {counted(facts.n_annotators, 'name')} of annotators."
        yield to_add("how many people that were, where several are under one name.")
    else:
        yield f"{counted(facts.n_annotators, 'annotator').capitalize()} took part."
    for label, answer in facts.answers:
        yield f"{label.rstrip('?:.')}: {answer}."
    if not asked_for(facts, "native", "mother", "language"):
        yield to_add("the native languages of the annotators.")
    if not asked_for(facts, "expert", "profession", "experience", "translator"):
        yield to_add("whether they are professional translators, and their experience.")
    yield to_add("how they were recruited.")
    if facts.n_practiced:
        practiced = counted(facts.n_practiced, "annotator").capitalize()
        yield f"{practiced} practiced before the first item."
        if facts.plan.tutorial_right:
            share, tries = f"{100 * facts.plan.tutorial_right:g} %", facts.plan.tutorial_tries
            yield (
                f"The practice was a test: work was given to those with at least {share} right "
                f"answers, within {number(tries)} {'try' if tries == 1 else 'tries'}."
            )
    if facts.staffing.consent:
        yield f"{counted(facts.n_consented, 'annotator').capitalize()} gave consent on the site."
    else:
        yield facts.unknown("whether annotators gave consent", "the site asked for none")
    yield from pay(facts)


def pay(facts: Facts) -> Iterator[str | Statement]:
    rate = facts.pay.rate
    if rate is None:
        yield facts.unknown("what annotators were paid", "no pay is recorded")
        return
    yield f"They were paid {rate.amount} {rate.currency} per {rate.per}."
    wage = facts.pay.median_wage
    if wage is not None and rate.per != "hour":
        yield f"By active time, the median wage was {wage} {rate.currency} per hour."


def work(facts: Facts) -> Iterator[str | Statement]:
    if not facts.n_judgments:
        return
    count = "counts" if facts.n_judgments == 1 else "count"
    yield f"{counted(facts.n_judgments, 'judgment').capitalize()} {count} here."
    found, (fewest, most) = facts.coverage, facts.outputs_per_system
    if most:
        n = f"{most:,}" if fewest == most else f"{fewest:,} to {most:,}"
        yield (
            f"They cover {counted(found.n_segments, 'segment')}, {n} of each system, and "
            f"{found.n_twice:,} of {found.n_outputs:,} outputs were judged twice or more, by "
            "different annotators."
        )
    if facts.hours:
        yield f"They took {facts.hours:,.1f} hours of active time."
    if facts.first and facts.last:
        yield f"They were given from {facts.first.isoformat()} to {facts.last.isoformat()}."
    if is_planned(facts.campaign.plan):
        share = facts.plan.segments
        drawn = f"{share:,} segments were drawn" if share else "all segments were planned"
        unit = (
            f"blocks of up to {facts.plan.block_length} segments"
            if facts.plan.block_length
            else "whole documents"
        )
        how = f"in {unit}, by the design “{facts.plan.design}”"
        yield f"By the plan (seed {facts.plan.seed}), {drawn}, {how}."
    else:
        yield to_add("how segments were chosen.")
    controls = control_kinds(facts)
    if controls:
        words = ", ".join(f"{n:,} {kind}" for kind, n in controls)
        yield f"Control items: {words}."
    else:
        yield "There were no control items."
    if n_third := facts.kinds[Kind.THIRD]:
        were = "was" if n_third == 1 else "were"
        items = counted(n_third, "item").capitalize()
        yield f"{items} {were} planned for a third person, since two others disagreed."
    yield f"{facts.selection.sentence}."


def analysis(facts: Facts) -> Iterator[str | Statement]:
    if not facts.n_judgments:
        return
    if facts.protocol.has_page("scores"):
        if facts.protocol.rates:
            yield (
                "Repeated judgments of an output are averaged first, then the segments of a system."
            )
        else:
            yield str(MEANINGS[system_scores(facts.selection).method][0])
        yield f"Systems differ by one test for all figures: {decided(facts)} (α = {ALPHA:g})."
        yield (f"Agreement has bootstrap intervals of {RESAMPLES:,} resamples (seed {SEED}).")
    plan = facts.stopping
    if plan is None:
        yield to_add(
            "whether and where the analysis was preregistered; no stopping plan is registered."
        )
    else:
        day = plan.registered_at.date().isoformat()
        yield (
            f"A stopping plan was registered on {day}, before the first judgment, with "
            f"{counted(len(plan.looks), 'look')} at up to {plan.most:,} {plan.unit} "
            f"(hash {plan_hash(facts)[:16]})."
        )
    if facts.metrics.signatures:
        n = counted(len(facts.metrics.signatures), "automatic metric").capitalize()
        stand = "stands" if len(facts.metrics.signatures) == 1 else "stand"
        yield f"{n} of the test set {stand} beside the judgments, with signatures."
    yield f"All figures were computed by mteval {settings.VERSION}."


def decided(facts: Facts) -> str:
    """Return how it was decided which systems differ, in words."""
    scores = system_scores(facts.selection)
    by = f"of {COMPARED_BY[scores.method].lower()}, " if scores.method in COMPARED_BY else ""
    return f"{by}{decision_name(scores)}"


def plan_hash(facts: Facts) -> str:
    """Return the SHA-256 of the content of the stopping plan, in the canonical form of the
    chains."""
    import hashlib

    from judgments.models.chains.canonical import canonical

    plan = facts.stopping
    if plan is None:
        return ""
    names = ("aim", "dimension", "unit", "block_length", "test", "looks", "most", "n_systems")
    said = {name: getattr(plan, name) for name in (*names, "spending", "controls")}
    said |= {"alpha": repr(plan.alpha), "registered_at": plan.registered_at.isoformat()}
    return hashlib.sha256(canonical(said).encode()).hexdigest()
