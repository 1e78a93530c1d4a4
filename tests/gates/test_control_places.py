"""No control item can be recognized by its place: a classifier learns their places from many plans.

An annotator can know an item's place in the batch, its length, and the texts and segments before
and after it. That two items look alike cannot be hidden; which of the two is the control item must
be random.
"""

import dataclasses
from collections import defaultdict
from itertools import product
from typing import NamedTuple

import numpy as np
import pytest
from django.db import transaction
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import GroupKFold, cross_val_predict
from sklearn.tree import DecisionTreeClassifier

from judgments.models import Document, Output, Reference, Segment, System, TestSet
from judgments.plans.composition import compose, hidden_reference
from judgments.plans.controls.settings import allowed
from judgments.plans.errors import PlanError
from judgments.plans.settings import DESIGNS, PlanSettings
from judgments.protocols import PRESETS, protocol_of
from tests import factory

pytestmark = [pytest.mark.django_db, pytest.mark.slow]

N_PLANS = 24  # of each layout
ABOVE_CHANCE = 0.05
FEW = 8
ENOUGH = 150  # items of either kind, for training
TEXTS = {"many documents": (12, 4, 3), "two documents": (2, 8, 4)}  # segments, systems
PLACED = ("repeat", "degraded", "reference", "control", "check")
COPIES = ("repeat", "degraded", "reference")
ALIKE = ("repeat", "degraded")  # a reference resembles nothing else, so only its place counts
# Features known when an item is judged, and those known only when the batch is done.
PAST = (
    "place", "words", "follows_document", "text_before", "segment_before", "since_text",
    "since_segment",
)  # fmt: skip
LATER = ("precedes_document", "text_after", "segment_after", "until_text", "until_segment")


class Layout(NamedTuple):
    """Similar plans: a kind of screen, the number of versions an annotator sees, and the texts."""

    screens: str
    versions: str
    texts: str


class Seen(NamedTuple):
    """The items of many batches. rows: the features of each, (n, features). group: those of which
    one is a control item and looks like the others; -1 for all others. turn: for the first item of
    each reading, in which tenth of the readings of its batch it is; -1 for the rest, and in batches
    of FEW readings: there a copy, which is half a batch away, is at one of the ends."""

    turn: np.ndarray
    rows: np.ndarray
    kind: np.ndarray
    batch: np.ndarray
    group: np.ndarray


def make_texts(owner, name: str, n_documents: int, n_segments: int, n_systems: int) -> TestSet:
    """Return texts of 4 to 24 words; those of references are as long as those of systems."""
    rng = np.random.default_rng(n_documents)
    test_set = TestSet.objects.create(
        name=name, owner=owner, source_language="de", target_language="en"
    )
    systems = System.objects.bulk_create(
        System(test_set=test_set, name=f"S{n}") for n in range(n_systems)
    )
    documents = Document.objects.bulk_create(
        Document(test_set=test_set, name=f"d{n}", position=n) for n in range(n_documents)
    )
    total = n_documents * n_segments

    def text(of: int) -> str:
        length = max(4, lengths[of] + int(rng.integers(-2, 3)))
        return " ".join(f"w{n}" for n in rng.integers(10_000, size=length))

    lengths = rng.integers(4, 24, size=total).tolist()
    segments = Segment.objects.bulk_create(
        Segment(
            test_set=test_set, document=documents[n // n_segments], key=str(n), position=n,
            source=text(n),
        )
        for n in range(total)
    )  # fmt: skip
    Reference.objects.bulk_create(
        Reference(segment=segment, name="ref", text=text(n)) for n, segment in enumerate(segments)
    )
    Output.objects.bulk_create(
        Output(segment=segment, system=system, text=text(n))
        for n, segment in enumerate(segments)
        for system in systems
    )
    return test_set


def layout_of(protocol, design: str, texts: str) -> Layout:
    screens = protocol.unit
    if screens == "segment":
        screens = "several" if protocol.outputs_per_item()[1] > 1 else "single"
        if protocol.in_pairs:
            screens = "pairs"
        elif screens == "single" and protocol.options.context == "document":
            screens = "read through"
    return Layout(screens, "all versions" if design == "paired" else "one version", texts)


def settings_of(campaign, design: str, texts: str) -> PlanSettings | None:
    """Return settings with as many kinds of control items as possible; None if there is nothing to
    plan."""
    protocol = protocol_of(campaign)
    settings = allowed(protocol, PlanSettings(
        design=design, batch_items=70, repeats=1, references=1, degraded=1, loud_checks=1,
        silent_checks=1, calibration=2 if texts == "many documents" else 0,
        block_length=0 if protocol.options.context == "document" else 3,
    ))  # fmt: skip
    if settings.design != design or not settings.has_controls:
        return None
    try:
        compose(campaign, settings, hidden=None)
    except PlanError:
        return None  # the protocol needs more than texts, or another design
    return settings


def plans_of(campaigns: list[tuple]):
    """Yield the batches of many plans, each with a different seed, of one campaign after
    another."""
    for seed in range(N_PLANS):
        campaign, settings = campaigns[seed % len(campaigns)]
        settings = dataclasses.replace(settings, seed=seed)
        hidden = hidden_reference(campaign, settings, write=True)
        yield from compose(campaign, settings, hidden=hidden).batches


def kind_of(screen) -> str:
    """Return the kind of the screen itself, regardless of its other outputs."""
    return screen.control_kind if screen.kind == "repeat" and screen.control else screen.kind


def seen_in(batches, layout: Layout) -> Seen:
    turns, rows, kinds, numbers, groups = [], [], [], [], []
    n_groups = 0
    for number, batch in enumerate(batches):
        texts = [frozenset(output for output, _ in screen.outputs) for screen in batch]
        segments = [screen.segment for screen in batch]
        turns += turns_of(batch, layout.screens == "read through")
        rows += features(batch, texts, segments)
        kinds += [kind_of(screen) for screen in batch]
        numbers += [number] * len(batch)
        own = [-1] * len(batch)
        for group in look_alikes(batch, texts):
            for i in group:
                own[i] = n_groups
            n_groups += 1
        groups += own
    return Seen(
        np.array(turns), np.array(rows), np.array(kinds), np.array(numbers), np.array(groups)
    )


def features(batch, texts, segments) -> list[list[float]]:
    """Return PAST and LATER of each screen of a batch."""
    n = len(batch)
    documents = [screen.document for screen in batch]
    found = []
    for i, screen in enumerate(batch):
        row = [i / max(1, n - 1), screen.words, float(i > 0 and documents[i - 1] == documents[i])]
        before = [[i - j for j in range(i) if all_[j] == all_[i]] for all_ in (texts, segments)]
        after = [[j - i for j in range(i + 1, n) if all_[j] == all_[i]]
                 for all_ in (texts, segments)]  # fmt: skip
        row += [len(each) for each in before] + [min(each, default=-1) / n for each in before]
        row.append(float(i + 1 < n and documents[i + 1] == documents[i]))
        row += [len(each) for each in after] + [min(each, default=-1) / n for each in after]
        found.append(row)
    return found


def turns_of(batch, reads_through: bool) -> list[int]:
    """Return the turns, see `Seen`. A document is never split, so nothing is within a reading of
    it."""
    starts = [
        i
        for i, screen in enumerate(batch)
        if not (i and reads_through and goes_on(batch[i - 1], screen))
    ]
    found = [-1] * len(batch)
    for n, i in enumerate(starts) if len(starts) >= FEW else ():
        found[i] = 10 * n // len(starts)
    return found


def goes_on(one, next_) -> bool:
    """Return whether two screens belong to one reading of a document in one translation."""
    return (
        (one.document, one.kind) == (next_.document, next_.kind)
        and [system for _, system in one.outputs] == [system for _, system in next_.outputs]
        and one.segment < next_.segment
        and one.kind not in ("check", "control")
    )


def look_alikes(batch, texts) -> list[list[int]]:
    """Return each copy with the regular items of which it could be the copy; for a reference these
    are all that occur once. Only the one that is apart, and those that are half a batch from it:
    between two closer items the plan has no choice."""
    regular = defaultdict(list)
    for i, screen in enumerate(batch):
        if screen.kind == "regular":
            regular[screen.segment].append(i)
    found = []
    for i, screen in enumerate(batch):
        if kind_of(screen) in COPIES and screen.kind != "regular":
            others = regular[screen.segment]
            known = texts[i].intersection(*[frozenset().union(*(texts[j] for j in others))])
            alike = [j for j in others if known <= texts[j]]
            if kind_of(screen) == "reference":
                alike = [j for j in alike if texts.count(texts[j]) == 1]
            group = [i, *alike]
            far = {j: [k for k in group if 2 * abs(j - k) >= len(batch)] for j in group}
            apart = max(group, key=lambda j: len(far[j]))
            found.append([apart, *far[apart]])
    return found


@pytest.fixture(scope="module")
def layouts(django_db_setup, django_db_blocker):
    """{Layout: what is seen in its plans}, over all presets and designs; nothing stays."""
    campaigns: dict[Layout, list[tuple]] = defaultdict(list)
    with django_db_blocker.unblock(), transaction.atomic():
        owner = factory.make_user("planner")
        for name, sizes in TEXTS.items():
            test_set = make_texts(owner, name, *sizes)
            for preset, design in product(PRESETS, DESIGNS):
                campaign = factory.make_campaign(test_set, preset=preset, owner=owner)
                campaign.options["show_reference"] = False
                if settings := settings_of(campaign, design, name):
                    layout = layout_of(protocol_of(campaign), design, name)
                    campaigns[layout].append((campaign, settings))
        found = {layout: seen_in(plans_of(of), layout) for layout, of in campaigns.items()}
        transaction.set_rollback(True)
    return found


def predicted(rows: np.ndarray, is_control: np.ndarray, batch: np.ndarray) -> np.ndarray:
    """Return the probability that each item is a control item, learned from other batches."""
    model = DecisionTreeClassifier(max_depth=6, min_samples_leaf=20, random_state=1)
    folds = GroupKFold(4)
    found = cross_val_predict(
        model, rows, is_control, groups=batch, cv=folds, method="predict_proba"
    )
    return found[:, 1]


def share_found(seen: Seen, wanted: np.ndarray, is_control: np.ndarray, n_features: int) -> float:
    """Return the area under the curve: .5 is chance. NaN if there are too few to learn from."""
    rows, labels = seen.rows[wanted, :n_features], is_control[wanted]
    if min(labels.sum(), (~labels).sum()) < ENOUGH:
        return float("nan")
    return roc_auc_score(labels, predicted(rows, labels, seen.batch[wanted]))


@pytest.mark.proof
def test_a_copy_is_not_told_from_what_it_looks_like(layouts):
    """A repeat and its original, and so on: by what was seen before, and by the whole batch."""
    found = {}
    for layout, seen in layouts.items():
        for kind in ALIKE:
            groups = np.unique(seen.group[(seen.kind == kind) & (seen.group >= 0)])
            wanted = np.isin(seen.group, groups)
            for what, n in (("past", len(PAST)), ("batch", seen.rows.shape[1])):
                found[*layout, kind, what] = share_found(seen, wanted, seen.kind == kind, n)
    check(found)
    assert {kind for *_, kind, _ in known(found)} == set(ALIKE)


@pytest.mark.proof
def test_no_control_item_is_told_by_its_place_alone(layouts):
    found = {}
    for layout, seen in layouts.items():
        for kind in PLACED:
            wanted = (seen.turn >= 0) & np.isin(seen.kind, (kind, "regular"))
            of_turn = seen._replace(rows=seen.turn[:, None])
            found[*layout, kind] = share_found(of_turn, wanted, seen.kind == kind, 1)
    check(found)
    assert {kind for *_, kind in known(found)} == set(PLACED)


@pytest.mark.proof
def test_no_copy_is_told_among_all_items(layouts):
    """The share of items classified correctly, above that of the more frequent kind."""
    found = {}
    for layout, seen in layouts.items():
        wanted = np.isin(seen.kind, (*COPIES, "regular"))
        labels = seen.kind[wanted] != "regular"
        base = max(labels.mean(), 1 - labels.mean())
        for what, n in (("past", len(PAST)), ("batch", seen.rows.shape[1])):
            guessed = predicted(seen.rows[wanted, :n], labels, seen.batch[wanted]) > 0.5
            found[*layout, what] = 0.5 + (guessed == labels).mean() - base
    check(found)
    assert len(known(found)) == 2 * len(layouts)


def known(found: dict) -> dict:
    return {what: value for what, value in found.items() if not np.isnan(value)}


def check(found: dict) -> None:
    """Check the mean over layouts: a single layout has too few items for five points."""
    of_kind = defaultdict(list)
    for what, value in known(found).items():
        print(f"{value:.3f} {' / '.join(what)}")
        of_kind[what[3:]].append(value)
    means = {what: float(np.mean(values)) for what, values in of_kind.items()}
    assert max(means.values()) <= 0.5 + ABOVE_CHANCE, means
