"""What a judge is worth, in words and tables."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import cache, partial
from math import isnan, nan
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from judgments.judges import price
from judgments.judges.prompts import PROMPTS
from judgments.models import Judge
from judgments.protocols import protocol_of
from judgments.results.observations import observations
from judgments.results.selection.selection import Selection
from judgments.stats.agreement import Agreement
from judgments.web import plurals as counted
from judgments.web.columns import HIGH, LOW
from judgments.web.plurals import of_unit
from judgments.web.sections import ASIDE, Lazy, Section
from judgments.web.tables import Column, Table, figure, in_a_sentence, interval

from .figures import JudgeWorth, WorthRow, judge_worth, prompts_beside
from .leanings import IN_POINTS

OF_ANSWERS = ("unfit", "repaired", "unplaced")

PEOPLE_LOW = Column("people_low", LOW.label, "number")
PEOPLE_HIGH = Column("people_high", HIGH.label, "number")
JUDGE = Column("judge", gettext_lazy("Judge with people"), "number")
PEOPLE = Column("people", gettext_lazy("People with each other"), "number")
BESIDE = (
    *(JUDGE, LOW, HIGH, Column("judge_pairs", gettext_lazy("Pairs"), "count")),
    *(PEOPLE, PEOPLE_LOW, PEOPLE_HIGH, Column("people_pairs", gettext_lazy("Pairs"), "count")),
)
COEFFICIENTS = (Column("coefficient"), Column("reading", "", "text"), *BESIDE)
LEANINGS = (
    Column("what", gettext_lazy("What"), "text"),
    *(Column("figure", gettext_lazy("Figure"), "number"), LOW, HIGH),
    Column("judge", gettext_lazy("Judge"), "number"),
    Column("people", gettext_lazy("People"), "number"),
    Column("n", gettext_lazy("N"), "count"),
    Column("about", gettext_lazy("How it is computed"), "text"),
)
PROMPTS_BESIDE = (
    Column("judge", gettext_lazy("Judge"), "text"),
    Column("model", gettext_lazy("Model"), "text"),
    Column("prompt", gettext_lazy("Prompt"), "text"),
    Column("tuning", gettext_lazy("On documents for choosing"), "number"),
    Column("tuning_low", LOW.label, "number"),
    Column("tuning_high", HIGH.label, "number"),
    Column("rest", gettext_lazy("On the rest"), "number"),
    *(LOW, HIGH),
    Column("pairs", gettext_lazy("Pairs on the rest"), "count"),
    Column("cost", gettext_lazy("Spent"), "number"),
    Column("currency", gettext_lazy("Currency"), "text"),
)
CEILING = gettext_lazy(
    "Compare a judge with how far people agree with each other: their differences are noise in "
    "which the judge's own are lost. Whether it may stand for a person is tested on the page "
    "Metrics, where its scores are a metric."
)
NO_CEILING = gettext_lazy(
    "No two people judged the same here, so there is nothing to compare the judge with. Plan a "
    "share of batches with two annotators."
)
IS_REST = gettext_lazy(
    "About a fifth of the documents, drawn by a hash of their names, is left out of these figures: "
    "it is for choosing among prompts, below."
)
NO_REST = gettext_lazy(
    "No documents are kept for choosing a prompt, as people and the judge share fewer than 20: "
    "if prompts were tried on these documents, the figures flatter the chosen one."
)


def sections(selection: Selection, judge: Judge, family: Sequence[str] = ()) -> list[Section]:
    """Return for each dimension, or for comparisons."""
    found: list[Section] = []
    derived = {slug for slug, _ in protocol_of(selection.campaign).derived_scores(())}
    for place, dimension in enumerate(observations.dimensions_of(selection.campaign) or (None,)):
        slug, name = (dimension.slug, dimension.name) if dimension else ("comparisons", "")
        asked = dimension.slug if dimension else None
        worth = cache(partial(judge_worth, selection, judge, asked, family))
        # Answers are of no dimension; what follows from errors has no scale that anybody was shown.
        but = {*(OF_ANSWERS if place else ()), *(("low",) if asked in derived else ())}
        found += of_dimension(judge, worth, slug, in_a_sentence(name), but, is_first=not place)
        found.append(prompts_section(selection, asked, slug, in_a_sentence(name)))
    return found


def of_dimension(
    judge: Judge, worth: Any, slug: str, name: str, but: Collection[str], *, is_first: bool
):
    """but: leanings that are not told."""

    def titled(title: str) -> str:
        return f"{title}: {name}" if name else title

    said = titled(_("What people said of what the judge said"))
    more = titled(_("What it gives more than people"))
    yield Section(
        slug=f"judge-agreement-{slug}",
        title=titled(_("Agreement with people")),
        sentence=lambda: lead(judge, worth()),
        notes=lambda: notes(worth()) if is_first else [],
        tables=[
            Lazy(
                f"judge-coefficients-{slug}", titled(_("Coefficients")),
                partial(
                    coefficient_table, worth, f"judge-coefficients-{slug}",
                    titled(_("Coefficients")),
                ),
            ),
            *(
                Lazy(
                    f"judge-by-{part}-{slug}", title,
                    partial(part_table, worth, f"judge-by-{part}-{slug}", title, head, part),
                    ASIDE,
                )
                for part, title, head in (
                    ("person", titled(_("With each person")), _("Annotator")),
                    ("system", titled(_("By system")), _("System")),
                    ("domain", titled(_("By domain")), _("Domain")),
                )
            ),
            Lazy(
                f"judge-confusion-{slug}", said,
                lambda: confusion_table(worth(), f"judge-confusion-{slug}", said), ASIDE,
            ),
        ],
    )  # fmt: skip
    leans = titled(_("How it leans"))
    yield Section(
        slug=f"judge-leanings-{slug}",
        title=leans,
        sentence=lambda: leaning_words(worth()),
        tables=[
            Lazy(
                f"judge-leanings-{slug}", leans,
                lambda: leaning_table(
                    worth(), f"judge-leanings-{slug}", leans, but, is_more=False
                ),
            ),
            Lazy(
                f"judge-more-{slug}", more,
                lambda: leaning_table(worth(), f"judge-more-{slug}", more, but, is_more=True),
            ),
        ],
        exists=lambda: bool(worth().leanings),
    )  # fmt: skip


def prompts_section(selection: Selection, dimension: str | None, slug: str, name: str) -> Section:
    title = _("Judges side by side")
    title = f"{title}: {name}" if name else title
    return Section(
        slug=f"judge-prompts-{slug}",
        title=title,
        sentence=lambda: _(
            "Agreement with people of every judge of this campaign. Choose by the documents for "
            "choosing, and trust the rest: the best of several on the same documents is partly "
            "best by chance."
        ),
        tables=[
            Lazy(
                f"judge-prompts-{slug}", title,
                lambda: prompts_table(selection, dimension, f"judge-prompts-{slug}", title),
            )
        ],
    )  # fmt: skip


def lead(judge: Judge, worth: JudgeWorth) -> str:
    """Return the finding in one sentence."""
    own, people = worth.headline
    if own.reason:
        return _("Agreement cannot be computed: %(reason)s.") % {"reason": _(own.reason)}
    coefficient = worth.coefficients[0][0].name
    words = _("%(name)s agrees with people by %(value)s (%(coefficient)s)") % {
        "name": judge.name,
        "value": with_interval(own),
        "coefficient": _(coefficient),
    }
    if people.reason:
        return f"{words}."
    return _("%(words)s, people with each other by %(value)s.") % {
        "words": words,
        "value": with_interval(people),
    }


def with_interval(found: Agreement) -> str:
    return f"{figure(found.estimate, 2)} {interval(found.low, found.high, 2)}".strip()


def notes(worth: JudgeWorth) -> list[str]:
    own, people = worth.headline
    if own.reason:
        return []
    found = [str(NO_CEILING if people.reason else CEILING)]
    found.append(str(IS_REST if worth.is_rest else NO_REST))
    of = counted.translations(worth.n_items) if worth.name else counted.comparisons(worth.n_items)
    found.append(
        _("Of %(items)s in %(documents)s that both judged; the first answer of the judge counts.")
        % {"items": of, "documents": counted.documents(worth.n_documents)}
    )
    return found


def cells(judge: Agreement, people: Agreement) -> tuple[object, ...]:
    return tuple(
        value
        for each in (judge, people)
        for value in (each.estimate, each.low, each.high, each.n_pairs or None)
    )


def resampled(worth: JudgeWorth) -> str:
    words = _("95 %% intervals: percentile bootstrap over %(units)s, %(resamples)s, seed %(seed)s.")
    return words % {
        "units": of_unit(worth.units),
        "resamples": counted.resamples(observations.RESAMPLES),
        "seed": observations.SEED,
    }  # fmt: skip


def coefficient_table(worth: Any, slug: str, title: str) -> Table:
    report: JudgeWorth = worth()
    rows = [
        (_(own.name), _(own.reading), *cells(own.result, people.result))
        for own, people in report.coefficients
        if not isnan(own.result.estimate)
    ]
    return Table(slug, title, COEFFICIENTS, rows, resampled(report))


def part_table(worth: Any, slug: str, title: str, head: str, part: str) -> Table:
    report: JudgeWorth = worth()
    shown: tuple[WorthRow, ...] = getattr(report, f"by_{part}")
    rows = [(row.name, *cells(row.judge, row.people)) for row in shown]
    note = _(report.coefficients[0][0].name) + ". " + resampled(report)
    if part == "person":
        note += " " + _("Beside it, how far the others agree with that person.")
    return Table(slug, title, (Column(part, head, "text"), *BESIDE), rows, note)


def confusion_table(worth: JudgeWorth, slug: str, title: str) -> Table:
    labels = [_(label) for label in worth.labels]
    columns = (
        Column("judge", _("The judge said"), "text"),
        *(Column(f"people {label}", label, "count") for label in labels),
    )
    rows = [(label, *map(float, line)) for label, line in zip(labels, worth.confusion, strict=True)]
    note = _("Columns are what people said; each judgment of a person counts once.")
    if not worth.name:
        note = _("Columns are what people said; each comparison is counted from both sides.")
    return Table(slug, title, columns, rows if worth.confusion.any() else [], note)


def leaning_words(worth: JudgeWorth) -> str:
    return _(
        "If an interval does not contain 0 (.5 for what stands first), the judge leans, whatever "
        "its agreement: do not rely on it alone for a difference between systems that differ in "
        "the same way."
    )


def leaning_table(
    worth: JudgeWorth, slug: str, title: str, but: Collection[str], *, is_more: bool
) -> Table:
    """Return shares, or what is in the unit of scores: no column holds both."""
    rows: list[tuple[object, ...]] = []
    for each in worth.leanings:
        if (each.slug in IN_POINTS) != is_more or each.slug in but:
            continue
        found = each.found
        about = f"{each.about}; {found.reason}" if found.reason else each.about
        shares = () if is_more else (each.judge, each.people)
        figures = (found.estimate, found.low, found.high, *shares, found.n)
        rows.append((each.title, *figures, about))
    columns = (*LEANINGS[:4], *LEANINGS[6:]) if is_more else LEANINGS
    return Table(slug, title, columns, rows, resampled(worth))


def prompts_table(selection: Selection, dimension: str | None, slug: str, title: str) -> Table:
    rows = []
    beside = list(prompts_beside(selection, dimension))
    costs = price.spent_by([row.judge for row in beside])
    for row in beside:
        judge, prompt, tuning, rest = row.judge, PROMPTS.get(row.judge.prompt), row.tuning, row.rest
        on_tuning = (tuning.estimate, tuning.low, tuning.high) if tuning else (nan, nan, nan)
        named = f"{prompt.name}, {prompt.version}" if prompt else judge.prompt
        rows.append(
            (judge.name, judge.model, named, *on_tuning, rest.estimate,
             rest.low, rest.high, rest.n_pairs, float(costs[judge.pk].cost), judge.currency)
        )  # fmt: skip
    note = _("Each on what it judged itself: compare judges of the same outputs.")
    return Table(slug, title, PROMPTS_BESIDE, rows, note)
