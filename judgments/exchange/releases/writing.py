"""Records → database: all parts of a release, or nothing."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

from django.core.exceptions import ValidationError
from django.db import transaction

from judgments.exchange.judgments.campaigns import new_campaign
from judgments.exchange.judgments.importer import ImportedJudgments, JudgmentWriter, note_import
from judgments.exchange.judgments.reader import ScreenReader
from judgments.files.problem import ImportProblem
from judgments.files.rows import import_rows
from judgments.files.texts import LONGEST_NAME
from judgments.models import Campaign, PublishedFigure, ReferenceFacts, TestSet
from judgments.quality.decisions.exclusions import NotExcluded, add_exclusions
from judgments.test_sets.corpus import import_test_set
from judgments.test_sets.post_edits import PostEdits
from judgments.web.extension_points import registered

from .into_campaign import check_texts, differing
from .languages import PAIR_OF_CODES, language_code
from .plans import write_plan
from .records import JudgmentsPart, Problems, Published, Release, TextsPart
from .stand_in import StandIn

SCREENS_AT_ONCE = 5_000
LONGEST_OF, LONGEST_FILE = 500, 255

Progress = Callable[[int], None]  # called with the number of rows written so far


class NothingImported(Exception):
    """Some rows are invalid. problems: their errors; n_records: how many texts and judgments are
    valid."""

    def __init__(self, problems: Problems, n_records: int) -> None:
        super().__init__(str(problems.first[0]))
        self.problems = problems
        self.n_records = n_records


@dataclass
class Written:
    """The stored records: test sets by the keys of their parts, campaigns with counts of their
    judgments, and sentences from other apps about their parts."""

    test_sets: dict[str, TestSet] = field(default_factory=dict)
    campaigns: list[tuple[Campaign, ImportedJudgments | None]] = field(default_factory=list)
    files: dict[int, set[str]] = field(default_factory=dict)  # of the judgments of a campaign
    remarks: list[str] = field(default_factory=list)


@transaction.atomic
def write(
    release: Release,
    owner: Any,
    problems: Problems,
    *,
    test_set: TestSet | None = None,
    campaign: Campaign | None = None,
    progress: Progress = lambda n: None,
    leave_out: float | None = None,
    keep: bool = True,
) -> Written:
    """Store all records of a release.

    test_set: the set to which judgments without texts belong. campaign: one that receives all
    judgments, in place of a new one for each part. problems: receives the errors of invalid rows.
    leave_out: percentage of the rows that may be left out; if more are invalid, or for None, raise
    NothingImported and store nothing. keep: False if the caller takes everything back; a campaign
    that exists is neither changed nor locked then.
    """
    written = Written()
    counting = Counting(progress)
    test_set = campaign.test_set if campaign else test_set
    others: dict[str, set[tuple[str, str]]] = {}
    for texts in sorted(release.texts, key=lambda part: not part.has_texts):
        found = campaign.test_set if campaign else None
        if found and texts.has_texts:
            others[texts.key] = differing(counting(texts.segments()), found)
        elif not (found or texts.has_texts):
            found = standing_in(texts, release, written, test_set)
        if found and texts.settle:
            try:
                written.remarks += texts.settle(StandIn(found))
            except ImportProblem as problem:
                if test_set:  # somebody chose it; files uploaded together may not fit
                    raise
                written.remarks.append(f"Without the texts that came with it: {problem}")
                found = None
        written.test_sets[texts.key] = found or write_texts(texts, owner, counting)
        if texts.post_edits:
            rows = counting(texts.post_edits())
            added = import_rows(PostEdits, written.test_sets[texts.key], rows)
            written.remarks.append(f"Post-edits of {texts.name}: {added.rows:,}.")
    for part in release.judgments:
        stays = leave_out is not None
        unlike = others.get(part.texts, set())
        written.campaigns.append(
            write_judgments(part, written, owner, problems, counting, stays, campaign, unlike, keep)
        )
    for plan in release.plans:
        planned = write_plan(plan, written.test_sets[plan.texts], owner, problems)
        written.campaigns.append((planned, None))
    for write_scores in registered("release_scores"):
        for scores in release.scores:
            written.remarks += write_scores(written.test_sets[scores.texts], scores.files)
    write_published(release, written)
    check_share(problems, counting.n, leave_out)
    if keep or not campaign:
        write_import_records(release, written, problems)
    return written


def check_share(problems: Problems, n_records: int, leave_out: float | None) -> None:
    """Raise NothingImported if more rows are invalid than may be left out."""
    if problems:
        share = problems.share_of(n_records)
        if leave_out is None or share is None or share > leave_out:
            raise NothingImported(problems, n_records)


def standing_in(
    part: TextsPart, release: Release, written: Written, test_set: TestSet | None
) -> TestSet | None:
    """Return the test set of a part without texts: the one that a person chose, or the only one of
    the same files with its languages, if the part can `settle` there; all others were assigned by
    `texts_beside`."""
    others = [written.test_sets[each.key] for each in release.texts if each.has_texts]
    if not part.settle:
        others = []
    found = [
        each
        for each in ([test_set] if test_set else others)
        if StandIn(each).is_of(part.source_language, part.target_language)
    ]
    return found[0] if len(found) == 1 else None


def write_published(release: Release, written: Written) -> None:
    """Store the figures of the release's own campaigns, and those that only name a language
    pair."""
    parts = dict(enumerate(release.judgments))
    for i, (campaign, _) in enumerate(written.campaigns):
        own = list(parts[i].published) if i in parts else []
        PublishedFigure.objects.bulk_create(
            (
                PublishedFigure(
                    campaign=campaign,
                    figure=row.figure,
                    dimension=row.dimension,
                    of=row.of[:LONGEST_OF],
                    text=row.text,
                    file=row.file[-LONGEST_FILE:],
                )
                for row in own
                + [row for row in release.published if is_about(row, campaign.test_set)]
            ),
            batch_size=2000,
        )


def write_import_records(release: Release, written: Written, problems: Problems) -> None:
    """Store the origin of every campaign, and the rows left out: those of its own files, and those
    that belong to no campaign, such as texts. A test set stores it in its note."""
    of_some = set().union(*written.files.values())
    for campaign, added in written.campaigns:
        files = written.files.get(campaign.pk, set())
        own = [row for row in problems.first if row.file in files or row.file not in of_some]
        n = len([file for file, _ in problems.left_out if file in files or file not in of_some])
        notes = [*problems.unused(), *release.notes]
        note_import(campaign, added, files, own, n, notes)
    for test_set in written.test_sets.values() if problems and not written.campaigns else ():
        words = [
            f"{len(problems.left_out):,} rows of the files were left out:",
            *map(str, problems.first),
        ]
        test_set.note = "\n".join(filter(None, [test_set.note, *words]))
        test_set.save(update_fields=["note"])


def is_about(row: Published, texts: TestSet | TextsPart) -> bool:
    """Return whether a figure may belong to a test set: it names the same languages, or none."""
    pair = (language_code(texts.source_language), language_code(texts.target_language))
    named = PAIR_OF_CODES.findall(row.about or row.file.rpartition("/")[2])
    return not named or pair in [tuple(map(language_code, each)) for each in named]


class Counting:
    """Counts all rows that are read, and reports the progress now and then."""

    EVERY = 2_000

    def __init__(self, progress: Progress) -> None:
        self.progress = progress
        self.n = 0

    def __call__(self, rows: Iterable) -> Iterable:
        for row in rows:
            yield row
            self.n += 1
            if not self.n % self.EVERY:
                self.progress(self.n)


def write_texts(part: TextsPart, owner: Any, counting: Callable) -> TestSet:
    """Return a new test set. Raise ImportProblem."""
    found = TestSet(
        name=part.name[:LONGEST_NAME],
        source_language=part.source_language,
        target_language=part.target_language,
        owner=owner,
        note=part.note,
        has_texts=part.has_texts,
        release=part.release,
        gloss_language=part.gloss_language,
    )
    try:
        import_test_set(found, counting(part.segments()), part.media)
    except ValidationError as error:
        reasons = "; ".join(f"{f}: {' '.join(m)}" for f, m in error.message_dict.items())
        raise ImportProblem(part.name, None, "", reasons) from None
    if kinds := part.reference_kinds:
        ReferenceFacts.objects.bulk_create(
            ReferenceFacts(test_set=found, name=name, kind=kinds[name])
            for name in found.reference_names
            if name in kinds
        )
    return found


def write_judgments(
    part: JudgmentsPart,
    written: Written,
    owner: Any,
    problems: Problems,
    counting: Callable,
    stays: bool,
    known: Campaign | None,
    unlike: Collection[tuple[str, str]],
    keep: bool,
) -> tuple[Campaign, ImportedJudgments]:
    """Return a campaign with its judgments: the known one, or a new closed one. stays: whether
    anything may be stored in spite of problems. unlike: texts of the files that are not those of
    the test set. keep: False for a trial."""
    campaign = known or new_campaign(
        *(written.test_sets[part.texts], owner, part.name[:LONGEST_NAME], part.preset),
        options=part.options,
        instructions=part.instructions,
    )
    writer = JudgmentWriter(campaign, keep=keep or known is None)
    reader = ScreenReader(writer.campaign, is_new=known is None)
    files = written.files[campaign.pk] = set()
    remaining = iter(counting(part.screens()))
    while batch := list(islice(remaining, SCREENS_AT_ONCE)):
        screens = []
        for screen in batch:
            try:
                files.add(screen.file)
                check_texts(screen, unlike)
                screens.append(reader.read(screen))
            except ImportProblem as problem:
                problems.add(problem)
        if stays or not problems:  # otherwise the errors of later rows are all that matters
            writer.write(screens, problems.add)
    added = writer.finish()
    if part.exclusions and (stays or not problems):
        exclude(part, campaign, owner, problems)
    return campaign, added


def exclude(part: JudgmentsPart, campaign: Campaign, owner: Any, problems: Problems) -> None:
    """Store the release's exclusions from its own figures as decisions of the campaign's owner."""
    rows = [(e.annotator, e.dimension, e.segment, e.system, e.reason) for e in part.exclusions]
    try:
        add_exclusions(campaign, owner, rows)
    except NotExcluded as problem:
        for reason in problem.problems:
            problems.add(ImportProblem(part.name, None, "exclusions", reason))
