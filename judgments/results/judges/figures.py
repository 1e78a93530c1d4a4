"""What a judge is worth: how far it agrees with people, beside how far they do; how it leans."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from judgments.models import Document, Judge
from judgments.results.agreement.coefficients import (
    MAX_CATEGORIES,
    MIN_SHARED,
    Coefficient,
    categories,
    codes_on,
    halved,
    measures,
)
from judgments.results.agreement.figures import PREFERENCES, bins
from judgments.results.observations.observations import (
    RESAMPLES,
    SEED,
    Observed,
    cached,
    load,
)
from judgments.results.observations.sample import Sample
from judgments.results.selection.selection import Selection
from judgments.stats.agreement import Agreement, pairwise_agreement
from judgments.stats.alpha import alphas_of
from judgments.stats.annotator_matrix import matrix_of

from .leanings import JudgeLeaning, leanings
from .rows import FEWEST_DOCUMENTS, SIDES, Beside, beside, kept_for_tuning

MOST_SHOWN = 40  # annotators, the busiest


@dataclass(frozen=True)
class WorthRow:
    """Of a person, a system or a domain: the judge with people, and people with each other."""

    name: str
    judge: Agreement
    people: Agreement


@dataclass(frozen=True)
class JudgeWorth:
    """Of one dimension, or of comparisons (``name`` is empty).

    ``coefficients``: each of the judge with people, and the same of people, the headline first;
    ``confusion`` (k, k): judgments of people (columns) of items by what the judge said (rows).
    ``is_rest``: whether documents are left out, which are kept for choosing a prompt.
    """

    name: str
    coefficients: tuple[tuple[Coefficient, Coefficient], ...]
    by_person: tuple[WorthRow, ...]
    by_system: tuple[WorthRow, ...]
    by_domain: tuple[WorthRow, ...]
    labels: tuple[str, ...]
    confusion: np.ndarray
    leanings: tuple[JudgeLeaning, ...]
    n_items: int
    n_documents: int
    units: str
    is_rest: bool

    @property
    def headline(self) -> tuple[Agreement, Agreement]:
        judge, people = self.coefficients[0]
        return judge.result, people.result


@dataclass(frozen=True)
class PromptRow:
    """A judge of the campaign on the documents for choosing (None: none are kept), and on the
    rest."""

    judge: Judge
    tuning: Agreement | None
    rest: Agreement


def judge_worth(
    selection: Selection, judge: Judge, dimension: str | None, family: Sequence[str] = ()
) -> JudgeWorth:
    """``family``: names of the systems of the judge's own family."""

    def compute(people: Observed) -> JudgeWorth:
        whole = beside(judge, people, load(answers), dimension)
        rest, _ = parts(selection, people, whole)
        return worth_of(rest or whole, judge, people, tuple(family), is_rest=rest is not None)

    answers = Selection.of(judge.answers)
    return cached(
        selection, "judge worth", compute, judge=judge.pk, answers=answers.fingerprint,
        asked=judge.raw_answers.count(), dimension=dimension, family=sorted(family),
    )  # fmt: skip


def prompts_beside(selection: Selection, dimension: str | None) -> list[PromptRow]:
    """Return all judges of the campaign that have judged."""
    found = []
    for judge in selection.campaign.judges.select_related("answers__test_set"):
        tuning, rest = headlines(selection, judge, dimension)
        if rest.n_items:
            found.append(PromptRow(judge, tuning, rest))
    return found


def headlines(
    selection: Selection, judge: Judge, dimension: str | None
) -> tuple[Agreement | None, Agreement]:
    """Return the headline with people on the documents for choosing, and on the rest."""

    def compute(people: Observed) -> tuple[Agreement | None, Agreement]:
        whole = beside(judge, people, load(answers), dimension)
        rest, tuning = parts(selection, people, whole)
        if rest is None or tuning is None:
            return None, headline(whole, whole.with_judge(whole.people))
        return tuple(headline(part, part.with_judge(part.people)) for part in (tuning, rest))  # type: ignore[return-value]

    answers = Selection.of(judge.answers)
    options = {"judge": judge.pk, "answers": answers.fingerprint, "dimension": dimension}
    return cached(selection, "judge headlines", compute, **options)


def parts(
    selection: Selection, people: Observed, whole: Beside
) -> tuple[Beside | None, Beside | None]:
    """Return what is judged of the rest of the documents, and of those for choosing; None where
    they are too few to keep any."""
    if whole.n_documents < FEWEST_DOCUMENTS:
        return None, None
    kept = kept_for_tuning(selection.campaign.test_set_id, people.document_ids)
    return tuple(  # type: ignore[return-value]
        replace(part, n_documents=len(np.unique(people.document_ids[part.people.segment])))
        for part in (whole.of_segments(~kept), whole.of_segments(kept))
    )


def worth_of(
    both: Beside, judge: Judge, people: Observed, family: tuple[str, ...], *, is_rest: bool
) -> JudgeWorth:
    """`judge_worth` of rows that were loaded."""
    said = both.people
    labels, confusion = confused(both)
    return JudgeWorth(
        name=both.name,
        coefficients=coefficients(both),
        by_person=by_person(both),
        by_system=tuple(
            row_of(both, name, (said.first == code) | (said.second == code))
            for code, name in enumerate(both.systems)
            if ((said.first == code) | (said.second == code)).any()
        ),
        by_domain=by_domain(both, people),
        labels=labels,
        confusion=confusion,
        leanings=tuple(leanings(both, judge, people, family)),
        n_items=len(np.unique(said.item)),
        n_documents=both.n_documents,
        units=both.units,
        is_rest=is_rest,
    )


def options() -> dict[str, Any]:
    return {"rng": np.random.default_rng(SEED), "resamples": RESAMPLES}


def headline(both: Beside, sample: Sample) -> Agreement:
    """Return Krippendorff's alpha of scores, the kappa of comparisons: what the page Agreement
    leads with."""
    if both.rates:
        return alphas_of(sample.ratings, (both.level,), **options())[0]
    zeros = np.zeros(len(sample.item), int)
    columns = (sample.item, sample.annotator, zeros, zeros + 1, sample.value)
    return pairwise_agreement(*columns, clusters=sample.cluster, **options())


def coefficients(both: Beside) -> tuple[tuple[Coefficient, Coefficient], ...]:
    """Return those that the page Agreement shows first, where both have them."""
    samples = both.with_judge(both.people), both.among_people(both.people)
    judge, people = ({c.slug: c for c in of_sample(both, sample)} for sample in samples)
    return tuple((judge[slug], people[slug]) for slug in judge if slug in people)


def of_sample(both: Beside, sample: Sample) -> list[Coefficient]:
    first = headline(both, sample)
    scale = both.scale
    if scale is None:
        name, reading = "Kappa of comparisons", "chance from the share of ties"
        own = [Coefficient("pairwise", name, reading, first)]
        found = map(halved, categories(sample.from_both_sides(), SIDES, "nominal", options()))
        return own + [each for each in found if not each.further]
    if scale.n_values is None or scale.n_values > MAX_CATEGORIES:
        matrix = matrix_of(sample.ratings, measure="pearson", min_shared=MIN_SHARED)
        made = measures(sample, both.level, matrix, options())
    else:
        made = categories(sample, np.array(scale.values), both.level, options())
    return [each for each in made if not each.further]


def row_of(both: Beside, name: Any, kept: np.ndarray) -> WorthRow:
    """Return for some of people's judgments."""
    people = both.people.where(kept)
    judge = headline(both, both.with_judge(people))
    return WorthRow(str(name), judge, headline(both, both.among_people(people)))


def by_person(both: Beside) -> tuple[WorthRow, ...]:
    """Return the judge with each person, beside the others with that person."""
    people = both.people
    counts = np.bincount(people.rater, minlength=len(both.aliases))
    busiest = np.argsort(-counts, kind="stable")[: min(MOST_SHOWN, int((counts > 0).sum()))]
    return tuple(
        WorthRow(
            str(both.aliases[rater]),
            headline(both, both.with_judge(people.where(people.rater == rater))),
            headline(both, both.with_others(int(rater))),
        )
        for rater in busiest
    )


def by_domain(both: Beside, people: Observed) -> tuple[WorthRow, ...]:
    """Return none where there are not two domains."""
    known = dict(
        Document.objects.filter(pk__in=np.unique(people.document_ids).tolist())
        .exclude(domain="")
        .values_list("pk", "domain")
    )
    of_row = np.array([known.get(pk, "") for pk in people.document_ids], object)
    of_row = of_row[both.people.segment]
    names = sorted(set(of_row.tolist()) - {""})
    return tuple(row_of(both, name, of_row == name) for name in names) if len(names) > 1 else ()


def confused(both: Beside) -> tuple[tuple[str, ...], np.ndarray]:
    """Return what people said (columns) of what the judge said (rows), over the values of the scale
    or ten bins of a long one; comparisons from both sides, since nothing makes an output the
    first."""
    sample = both.with_judge(both.people)
    n = len(sample.value) // 2
    values = sample.value
    labels: tuple[str, ...]
    if both.scale is None:
        labels, edges = PREFERENCES, SIDES
        values = np.concatenate([values[:n], -values[:n], values[n:], -values[n:]])
    elif both.scale.n_values is None or both.scale.n_values > MAX_CATEGORIES:
        labels, edges = bins(both.scale, values)
    else:
        edges = np.array(both.scale.values)
        labels = tuple(f"{value:g}" for value in edges)
    theirs, own = np.split(codes_on(edges, values), 2) if n else (np.zeros(0, int),) * 2
    k = len(labels)
    counts = np.bincount(own * k + theirs, minlength=k * k).reshape(k, k)
    return labels, counts
