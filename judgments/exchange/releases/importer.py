"""The only importer: files → their content, questions, and the database, all or nothing.

The commands and the page `Import` both use it. A trial run stores everything and rolls it back, so
that its numbers and problems are exact; judgments for a campaign that exists are only checked and
counted.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from django.core.exceptions import ValidationError
from django.db import DataError, transaction

from judgments.files.problem import ImportProblem
from judgments.files.table import problem_with_name
from judgments.files.texts import LONGEST_NAME
from judgments.files.uploads import opened
from judgments.models import TestSet
from judgments.test_sets.media.archive import forgotten_on_failure
from mteval_site import deadline

from . import into_campaign, registry
from .records import OpenQuestion, Problems, Release
from .survey import FoundPart, Survey, n_of
from .writing import NothingImported, Written, write


@dataclass
class Findings:
    """Result of an import. Nothing was stored if `written` is None; `unanswered` names the
    questions that must be answered first.

    share: percentage of the rows that have problems, if these could be left out; left_out: the
    problems of rows that were left out.
    """

    found: list[FoundPart] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    questions: list[OpenQuestion] = field(default_factory=list)
    unanswered: list[str] = field(default_factory=list)
    problems: Problems = field(default_factory=Problems)
    share: float | None = None
    left_out: Problems = field(default_factory=Problems)
    lacks_texts: list[tuple[str, str]] = field(default_factory=list)
    written: Written | None = None
    remarks: list[str] = field(default_factory=list)
    recipe: list[dict[str, Any]] = field(default_factory=list)


def import_release(
    paths: Iterable[Path],
    owner: Any,
    *,
    answers: Mapping[str, str] | None = None,
    only: str = "",
    test_set: TestSet | None = None,
    keep: bool = True,
    progress: Callable[[int], None] = lambda n: None,
    texts_only: bool = False,
    leave_out: float | None = None,
) -> Findings:
    """Read files and store their content; with `keep` False only try.

    paths: files, folders and archives. answers: to questions by their names, such as `campaign`,
    which receives the judgments in place of a new one. only: the slug
    of a format. test_set: the texts of judgments without texts. progress: called now and then with
    the number of rows read; its exceptions end the import, and nothing is stored. texts_only: leave
    out campaigns, judgments and scores. leave_out: percentage of the rows that may be left out if
    they cannot be read; None: not one. Problems with the files are not raised but listed in the
    findings.
    """
    findings = Findings()
    try:
        with opened(paths) as tree:
            rows = RowsSeen(progress)
            with deadline.heeding(rows.look):
                release = registry.read(tree, answers or {}, findings.problems, only)
                if texts_only:
                    release = texts_of(release)
                _look_and_keep(
                    release, tree, owner, findings, answers or {}, test_set, keep, rows, leave_out
                )
    except NothingImported as nothing:
        findings.share = nothing.problems.share_of(nothing.n_records)
    except ImportProblem as problem:
        findings.problems.add(problem)
    return findings


def _look_and_keep(
    release, tree, owner, findings, answers, test_set, keep, rows, leave_out
) -> None:
    findings.notes, findings.recipe = release.notes, release.recipe
    asked = [*release.questions, *into_campaign.questions_of(release, owner)]
    campaign = into_campaign.chosen(asked, answers)
    findings.questions = [*asked, *([] if campaign else name_questions(release))]
    if not (release.texts or release.judgments or release.plans or release.scores):
        findings.unanswered = [q.name for q in asked if q.name.startswith("column:")]
        if findings.unanswered and not release.published:
            return
        reason = "there are neither texts nor judgments in these files."
        if n := len(release.published):
            reason = f"{n_of(n, 'figure')} that somebody published: also upload the judgments "
            reason += "that they are about."
        raise ImportProblem(", ".join(f.name for f in tree[:3]), None, "", reason)
    findings.lacks_texts = [
        (part.source_language, part.target_language) for part in release.texts if not part.has_texts
    ]
    findings.unanswered = [q.name for q in asked if not is_answered(q, answers)]
    check_answers(asked, answers)
    if findings.unanswered:
        return
    if campaign:
        release = into_campaign.fitting(release, campaign)
        findings.notes = release.notes
    release = renamed(release, answers)
    survey = Survey(release, rows.look)
    findings.found = survey.found
    media = [part.media for part in release.texts if part.media]
    for each in media:
        each.keeps = keep
    try:
        with forgotten_on_failure(media) if media else nullcontext(), transaction.atomic():
            written = write(
                survey.release,
                owner,
                findings.problems,
                test_set=test_set,
                campaign=campaign,
                progress=rows,
                leave_out=leave_out,
                keep=keep,
            )
            findings.left_out, findings.problems = findings.problems, Problems()
            findings.remarks = remarks_of(written)
            if n := len(findings.left_out.left_out):
                findings.remarks.append(f"{n_of(n, 'row')} left out, with these problems.")
            findings.notes = [*findings.left_out.unused(), *findings.notes]
            if keep:
                findings.written = written
            else:
                transaction.set_rollback(True)
    except (ValidationError, DataError) as error:  # a name or number that does not fit a column
        findings.written = None
        reasons = " ".join(getattr(error, "messages", None) or [str(error).split("\n")[0]])
        raise ImportProblem(", ".join(f.name for f in tree[:3]), None, "", reasons) from None


def texts_of(release: Release) -> Release:
    """Return only the test sets of a release that have texts."""
    texts = [part for part in release.texts if part.has_texts]
    return replace(release, texts=texts, judgments=[], plans=[], scores=[], published=[])


class RowsSeen:
    """Reports the progress, also between rows counted by `writing`."""

    def __init__(self, progress: Callable[[int], None]) -> None:
        self.progress = progress
        self.n = 0

    def __call__(self, n: int) -> None:
        self.n = n
        self.progress(n)

    def look(self) -> None:
        self.progress(self.n)


def is_answered(question: OpenQuestion, answers: Mapping[str, str]) -> bool:
    answer = answers.get(question.name, question.default)
    return bool(answer.strip()) or not question.required


def check_answers(questions: Sequence[OpenQuestion], answers: Mapping[str, str]) -> None:
    """Raise ImportProblem for an answer that is not one of the choices."""
    for question in questions:
        answer = answers.get(question.name, "")
        known = [value for value, _ in question.choices]
        if answer and known and answer not in known:
            reason = (
                f"“{answer}” is not an answer to “{question.label}”: choose {', '.join(known)}."
            )
            raise ImportProblem(question.name, None, "", reason)


# ---- Names -------------------------------------------------------------------------------------


def name_questions(release: Release) -> list[OpenQuestion]:
    """Return questions about the names of test sets and campaigns; the defaults are the files'
    names."""
    found = [
        OpenQuestion(f"test-set-{n}", "Name of the test set", default=part.name)
        for n, part in enumerate(release.texts, 1)
    ]
    names = [part.name for part in release.judgments] + [part.name for part in release.plans]
    for n, name in enumerate(names, 1):
        found.append(OpenQuestion(f"campaign-{n}", "Name of the campaign", default=name))
    return found


def renamed(release: Release, answers: Mapping[str, str]) -> Release:
    """Return the release with the chosen names. Raise ImportProblem."""

    def named(part: Any, question: str) -> Any:
        name = answers.get(question, "").strip() or part.name
        if problem := problem_with_name(name, LONGEST_NAME):
            raise ImportProblem(question, None, "", problem)
        return replace(part, name=name)

    n = len(release.judgments)
    return replace(
        release,
        texts=[named(part, f"test-set-{i}") for i, part in enumerate(release.texts, 1)],
        judgments=[named(part, f"campaign-{i}") for i, part in enumerate(release.judgments, 1)],
        plans=[named(part, f"campaign-{i}") for i, part in enumerate(release.plans, n + 1)],
    )


# ---- Stored records ----------------------------------------------------------------------------


def remarks_of(written: Written) -> list[str]:
    """Return sentences about what was stored."""
    found = []
    for test_set in written.test_sets.values():
        found.append(
            f"Test set {test_set.pk}, {test_set.name}: "
            f"{n_of(test_set.segments.count(), 'segment')}, "
            f"{n_of(test_set.systems.count(), 'system')}."
        )
    for campaign, added in written.campaigns:
        what = "a plan that nobody has judged yet"
        if added is not None:
            what = (
                f"{n_of(added.judgments, 'judgment')} "
                f"({n_of(added.observations, 'observation')}) by "
                f"{n_of(added.annotators, 'rater')}"
            )
        found.append(f"Campaign {campaign.pk}, {campaign.name}: {what}.")
    return [*found, *written.remarks]
