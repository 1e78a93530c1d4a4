"""Records → database: all parts of a release, or nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterable
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

from .languages import PAIR_OF_CODES, language_code
from .plans import write_plan
from .records import JudgmentsPart, Problems, Published, Release, TextsPart
from .stand_in import StandIn

SCREENS_AT_ONCE = 5_000
LONGEST_OF, LONGEST_FILE = 500, 255

Progress = Callable[[int], None]  # told how many rows have been written so far


class NothingImported(Exception):
    """Some rows will not do. problems: which; n_records: how many texts and judgments would."""

    def __init__(self, problems: Problems, n_records: int) -> None:
        super().__init__(str(problems.first[0]))
        self.problems = problems
        self.n_records = n_records


@dataclass
class Written:
    """What came in: test sets by the keys of their parts, campaigns with the numbers of what they
    got, and sentences about what other apps made of their parts."""

    test_sets: dict[str, TestSet] = field(default_factory=dict)
    campaigns: list[tuple[Campaign, ImportedJudgments | None]] = field(default_factory=list)
    files: dict[int, set[str]] = field(default_factory=dict)  # of the judgments of a campaign
    told: list[str] = field(default_factory=list)


@transaction.atomic
def write(
    release: Release,
    owner: Any,
    problems: Problems,
    *,
    test_set: TestSet | None = None,
    progress: Progress = lambda n: None,
    leave_out: float | None = None,
) -> Written:
    """Store everything that a release holds.

    test_set: where the release holds judgments without texts, the set that they are of. problems:
    takes every row that will not do. leave_out: how many percent of the rows may be left out for
    that; if it is more, or None, NothingImported is raised and nothing stays.
    """
    written = Written()
    counting = Counting(progress)
    for texts in sorted(release.texts, key=lambda part: not part.has_texts):
        found = None if texts.has_texts else standing_in(texts, release, written, test_set)
        if found and texts.settle:
            try:
                written.told += texts.settle(StandIn(found))
            except ImportProblem as problem:
                if test_set:  # somebody chose it; files that only came together may not fit
                    raise
                written.told.append(f"Without the texts that came with it: {problem}")
                found = None
        written.test_sets[texts.key] = found or write_texts(texts, owner, counting)
        if texts.post_edits:
            rows = counting(texts.post_edits())
            added = import_rows(PostEdits, written.test_sets[texts.key], rows)
            written.told.append(f"Post-edits of {texts.name}: {added.rows:,}.")
    for part in release.judgments:
        stays = leave_out is not None
        written.campaigns.append(write_judgments(part, written, owner, problems, counting, stays))
    for plan in release.plans:
        campaign = write_plan(plan, written.test_sets[plan.texts], owner, problems)
        written.campaigns.append((campaign, None))
    for write_scores in registered("release_scores"):
        for scores in release.scores:
            written.told += write_scores(written.test_sets[scores.texts], scores.files)
    write_published(release, written)
    if problems:
        share = problems.share_of(counting.n)
        if leave_out is None or share is None or share > leave_out:
            raise NothingImported(problems, counting.n)
    write_import_records(release, written, problems)
    return written


def standing_in(
    part: TextsPart, release: Release, written: Written, test_set: TestSet | None
) -> TestSet | None:
    """Return the test set that a part without texts is about: the one that a person chose, or the
    only one of the same files that has its languages, if the part can `settle` there; of all others
    `texts_beside` has seen to it."""
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
    """The figures of the release's own campaigns, and those that only name a language pair."""
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
    """What every campaign was imported from, and what was left out: the rows of its own files, and
    of those that belong to no campaign, such as texts. A test set says it in its note."""
    of_some = set().union(*written.files.values())
    for campaign, added in written.campaigns:
        files = written.files.get(campaign.pk, set())
        own = [row for row in problems.first if row.file in files or row.file not in of_some]
        n = len([file for file, _ in problems.rows if file in files or file not in of_some])
        notes = [*problems.unused(), *release.notes]
        note_import(campaign, added, files, own, n, notes)
    for test_set in written.test_sets.values() if problems and not written.campaigns else ():
        words = [
            f"{len(problems.rows):,} rows of the files were left out:",
            *map(str, problems.first),
        ]
        test_set.note = "\n".join(filter(None, [test_set.note, *words]))
        test_set.save(update_fields=["note"])


def is_about(row: Published, texts: TestSet | TextsPart) -> bool:
    """Return whether a figure may be of a test set: it names the same languages, or none."""
    pair = (language_code(texts.source_language), language_code(texts.target_language))
    named = PAIR_OF_CODES.findall(row.about or row.file)
    return not named or pair in [tuple(map(language_code, each)) for each in named]


class Counting:
    """Counts the rows of everything that goes by, and tells now and then."""

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
) -> tuple[Campaign, ImportedJudgments]:
    """Return a new closed campaign with its judgments. stays: whether anything may stay in spite of
    problems."""
    campaign = new_campaign(
        *(written.test_sets[part.texts], owner, part.name[:LONGEST_NAME], part.preset),
        options=part.options,
        instructions=part.instructions,
    )
    writer = JudgmentWriter(campaign)
    reader = ScreenReader(writer.campaign)
    files = written.files[campaign.pk] = set()
    remaining = iter(counting(part.screens()))
    while batch := list(islice(remaining, SCREENS_AT_ONCE)):
        screens = []
        for screen in batch:
            try:
                files.add(screen.file)
                screens.append(reader.read(screen))
            except ImportProblem as problem:
                problems.add(problem)
        if stays or not problems:  # else what is wrong further down is all that is worth knowing
            writer.write(screens, problems.add)
    added = writer.finish()
    if part.exclusions and (stays or not problems):
        exclude(part, campaign, owner, problems)
    return campaign, added


def exclude(part: JudgmentsPart, campaign: Campaign, owner: Any, problems: Problems) -> None:
    """What the release leaves out of its own figures, as decisions of the campaign's owner."""
    rows = [(e.annotator, e.dimension, e.segment, e.system, e.reason) for e in part.exclusions]
    try:
        add_exclusions(campaign, owner, rows)
    except NotExcluded as problem:
        for reason in problem.problems:
            problems.add(ImportProblem(part.name, None, "exclusions", reason))
