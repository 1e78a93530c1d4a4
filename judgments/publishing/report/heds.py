"""The Human Evaluation Datasheet (Shimorina and Belz 2022), filled in as far as the site knows.

Numbers are those of the datasheet; the labels are ours and short. Answers that only authors know
are left to them.
"""

from __future__ import annotations

from collections.abc import Iterator

from judgments.protocols.base import Dimension
from judgments.results.observations.observations import RESAMPLES

from .blocks import Block, Heading, Statement, Terms, to_add
from .facts import Facts, asked_for, control_kinds
from .methods import plan_hash, scale_words, screen_words

Answer = tuple[str, Statement]
ASK = to_add("your answer.")


def known(text: str) -> Statement:
    return Statement(text) if text else ASK


def blocks(facts: Facts) -> tuple[Block, ...]:
    found: list[Block] = [
        Heading("1 Paper and resources"),
        Terms(tuple(paper())),
        Heading("2 Systems"),
        Terms(tuple(systems(facts))),
        Heading("3.1 Sample"),
        Terms(tuple(sample(facts))),
        Heading("3.2 Evaluators"),
        Terms(tuple(evaluators(facts))),
        Heading("3.3 Design"),
        Terms(tuple(design(facts))),
    ]
    for dimension in facts.dimensions:
        found += [
            Heading(f"4 Criterion: {dimension.name}"),
            Terms(tuple(criterion(facts, dimension))),
        ]
    if not facts.dimensions:
        found += [Heading("4 Criterion"), Terms(tuple(comparison(facts)))]
    return (*found, Heading("5 Ethics"), Terms(tuple(ethics(facts))))


def paper() -> Iterator[Answer]:
    yield "1.1 Paper", to_add("a link to the paper.")
    yield "1.2 Resources", to_add("where data and code of the evaluation are.")
    yield "1.3 Contact", to_add("name, affiliation and address of the author to write to.")


def systems(facts: Facts) -> Iterator[Answer]:
    source, target = facts.languages
    yield "2.1 Input", Statement("Text in one language, by segments of documents.")
    yield "2.2 Output", Statement("Text in another language.")
    yield "2.3 Task", Statement("Machine translation.")
    yield "2.4 Language of inputs", Statement(source)
    yield "2.5 Language of outputs", Statement(target)


def sample(facts: Facts) -> Iterator[Answer]:
    fewest, most = facts.outputs_per_system
    n = f"{most:,}" if fewest == most else f"{fewest:,} to {most:,}"
    yield (
        "3.1.1 Outputs evaluated per system",
        known(f"{n} of {len(facts.systems)} systems." if most else ""),
    )
    plan = facts.plan
    drawn = (
        f"{plan.segments:,} segments, drawn in blocks with equal probability, seed {plan.seed}."
        if plan.segments
        else ""
    )
    if not drawn and facts.coverage.n_segments == facts.n_segments:
        drawn = "All segments of the test set."
    yield "3.1.2 How they were selected", known(drawn)
    power = "Power .8: see the smallest detectable differences in the part on pairs of systems."
    yield "3.1.3 Statistical power", known(power if facts.protocol.has_page("power") else "")


def evaluators(facts: Facts) -> Iterator[Answer]:
    yield "3.2.1 Number of evaluators", Statement(f"{facts.n_annotators:,}")
    kind = asked_for(facts, "expert", "profession", "translator", "experience")
    yield "3.2.2 Kind of evaluators: experts", known(kind)
    rate = facts.pay.rate
    paid = f"Paid {rate.amount} {rate.currency} per {rate.per}." if rate else ""
    yield "3.2.2 Kind of evaluators: paid", known(paid)
    yield "3.2.2 Kind of evaluators: known to the authors, or authors", ASK
    yield "3.2.3 Recruitment", ASK
    practiced = (
        f"{facts.n_practiced:,} practiced on the site before their first item."
        if facts.n_practiced
        else ""
    )
    yield "3.2.4 Training", known(practiced)
    said = "; ".join(f"{label} {answer}" for label, answer in facts.answers)
    yield "3.2.5 Other characteristics", known(said)


def design(facts: Facts) -> Iterator[Answer]:
    plan = facts.stopping
    registered = ""
    if plan:
        day = plan.registered_at.date().isoformat()
        registered = f"A stopping plan, on the site, on {day}; SHA-256 {plan_hash(facts)}."
    controls = ", ".join(f"{n:,} {kind}" for kind, n in control_kinds(facts))
    rules = f"Control items: {controls}." if controls else "No control items."
    out = f"Annotators left out: {len(facts.selection.left_out)}; see the part on quality control."
    yield "3.3.1 Preregistration", known(registered)
    if facts.is_imported:
        yield "3.3.2 How responses were collected", to_add("with which tool.")
        yield "3.3.3 Quality assurance", Statement(f"{rules} {out}")
        yield "3.3.4 What evaluators saw", ASK
        yield "3.3.5 Freedom of when and how fast", ASK
        yield "3.3.6 Questions and feedback", ASK
    else:
        collected = "On web pages of mteval; each judgment is stored with its revisions."
        yield "3.3.2 How responses were collected", Statement(collected)
        yield "3.3.3 Quality assurance", Statement(f"{rules} {out}")
        seen = f"The instructions quoted in this report. {screen_words(facts)}"
        yield "3.3.4 What evaluators saw", Statement(seen)
        free = (
            "Annotators began, paused and went on when they liked; time was measured, not limited."
        )
        yield "3.3.5 Freedom of when and how fast", Statement(free)
        sentence = "Items could be skipped with a reason and flagged with a comment."
        yield "3.3.6 Questions and feedback", Statement(sentence)
    devices = to_add("where and on what devices annotators worked, if that was controlled.")
    yield "3.3.7 Conditions", devices
    yield "3.3.8 Place of the evaluation", ASK


def against(facts: Facts) -> Statement:
    if facts.is_imported:
        return to_add("what outputs were compared with.")
    shown = zip(("the source", "a reference"), facts.protocol.texts_beside(), strict=True)
    names = " and ".join(name for name, is_shown in shown if is_shown)
    return Statement(f"Against {names}." if names else "In its own right.")


def criterion(facts: Facts, dimension: Dimension) -> Iterator[Answer]:
    scale = dimension.scale
    yield "4.1.1 Type of quality", to_add("correctness, goodness, or a feature.")
    yield "4.1.2 Aspect", to_add("form, content, or both.")
    yield "4.1.3 Judged in its own right or against something", against(facts)
    yield "4.2.1 Objective or subjective", Statement("Subjective.")
    absolute = (
        "Absolute, one output at a time."
        if facts.protocol.outputs_per_item()[1] == 1
        else "Absolute, with other outputs on the screen."
    )
    yield (
        "4.2.2 Absolute or relative",
        Statement("Relative: ranks on one screen." if facts.protocol.ranks else absolute),
    )
    yield "4.2.3 Intrinsic or extrinsic", Statement("Intrinsic.")
    yield "4.3.1 Name", Statement(str(dimension.name))
    yield "4.3.2 Definition", known(str(dimension.question))
    size = scale.n_values
    yield "4.3.3 Size of the scale", Statement(f"{size:,} values" if size else "open or continuous")
    yield "4.3.4 Values", Statement(scale_words(dimension))
    yield "4.3.5 How it was shown", Statement(scale.widget)
    yield "4.3.6 Task, where there is no scale", Statement("Not applicable.")
    yield "4.3.7 Statement put to evaluators", known(str(dimension.question))
    yield from processed(facts, "a rating on a scale")


def comparison(facts: Facts) -> Iterator[Answer]:
    relative = facts.protocol.compares
    yield "4.1.1 Type of quality", to_add("correctness, goodness, or a feature.")
    yield "4.1.2 Aspect", to_add("form, content, or both.")
    yield "4.2.1 Objective or subjective", to_add("objective or subjective.")
    yield "4.2.2 Absolute or relative", Statement("Relative." if relative else "Absolute.")
    yield "4.2.3 Intrinsic or extrinsic", to_add("intrinsic or extrinsic.")
    yield "4.3.1 Name", to_add("what you call the criterion.")
    yield "4.3.6 Task", Statement(str(facts.protocol.preset.summary))
    yield "4.3.7 Statement put to evaluators", Statement("See the instructions in this report.")
    yield from processed(
        facts, "a comparison of outputs" if relative else "the task of the protocol"
    )


def processed(facts: Facts, form: str) -> Iterator[Answer]:
    scored = facts.protocol.has_page("scores")
    yield "4.3.8 Form of responses", Statement(form.capitalize() + ".")
    yield (
        "4.3.9 Aggregation",
        known(
            "Mean of repeated judgments of an output, then of the segments of a system; also as z."
            if scored and facts.protocol.rates
            else "Expected wins."
            if scored
            else ""
        ),
    )
    yield (
        "4.3.10 Effect sizes and significance",
        known(
            "See the parts on scores and on pairs of systems: tests by name, Holm's adjustment."
            if scored
            else ""
        ),
    )
    agree = f"See the part on agreement; bootstrap intervals, {RESAMPLES:,} resamples."
    yield (
        "4.3.11 Agreement between and within annotators",
        known(agree if facts.protocol.has_page(facts.protocol.agreement_page) else ""),
    )


def ethics(facts: Facts) -> Iterator[Answer]:
    yield "5.1 Approval by a committee", to_add("whether, and by which committee.")
    asked = ", ".join(q.label("en") for q in facts.staffing.questions)
    yield (
        "5.2 Personal data",
        Statement(
            f"The questionnaire asked: {asked}."
            if asked
            else "The site's questionnaire asked nothing; it stores accounts and aliases."
        ),
    )
    yield "5.3 Special categories of data", ASK
    yield "5.4 Assessment of impact", ASK
