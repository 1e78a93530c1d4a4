"""Every format that is written: a campaign goes out, comes in as another one, and goes out again.

The second files hold the same lines as the first, and the figures of both campaigns are equal.
"""

from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from judgments.exchange.releases.importer import import_release
from judgments.exchange.releases.out import CannotWrite, write, written_formats
from judgments.files.uploads import Folder
from judgments.models import Campaign, ErrorSpan, Status
from judgments.results.observations import observations
from judgments.results.scores import figures as scores_figures
from judgments.results.selection.selection import Selection
from tests import factory

pytestmark = pytest.mark.django_db

FORMATS = [each.slug for each in written_formats()]


@pytest.fixture
def owner(db):
    return factory.make_user("owner", is_staff=True)


def judged(owner, preset: str) -> Campaign:
    """A campaign of two annotators, all judged; they do not agree about everything."""
    test_set = factory.make_test_set(owner)
    people = [factory.make_user(f"annotator-{n}") for n in (1, 2)]
    campaign = factory.make_campaign(
        test_set, preset=preset, owner=owner, annotators=people, name=f"A campaign of {preset}"
    )
    for seat, person in enumerate(people, 1):
        task = factory.make_task(campaign, person, seat=seat)
        for item in task.items.order_by("position"):
            n = (item.position + seat) % 3
            judgment = factory.judge(item, ANSWERS[preset](n))
            if preset in ("esa", "mqm"):
                mark(judgment, n, "accuracy/mistranslation" if preset == "mqm" else "")
    campaign.status = Status.CLOSED  # of an open one the plan would go out, too
    campaign.save()
    return campaign


def mark(judgment, n: int, category: str) -> None:
    """n minor errors in the first output shown, and a major one in the second."""
    first, second = judgment.item.shown.order_by("position")[:2]
    known = {"judgment": judgment, "category": category}
    for i in range(n):
        place = {"start": 7 * i, "end": 7 * i + 4}
        ErrorSpan.objects.create(output=first.output, severity="minor", **place, **known)
    ErrorSpan.objects.create(output=second.output, severity="major", start=0, end=6, **known)


ANSWERS = {
    "adequacy-fluency": lambda n: {"adequacy": [5 - n, 3, 1 + n], "fluency": [4, 4 - n, 2]},
    "relative-ranking": lambda n: {"rank": [1 + n, 2, 3]},
    "pairwise": lambda n: n - 1,
    "esa": lambda n: {"esa": [80 - n, 55, 90 + n], "esa_spans": [-n, -5, 0]},
    "mqm": lambda n: {"mqm": [-n, -5, 0]},
}


# Formats that have no place for who gave a score: they hold the mean of a translation's scores.
MEANS_ONLY = {"mt-metrics-eval"}


def figures(campaign: Campaign, *, with_n: bool = True) -> dict[str, list]:
    """The scores of systems on every dimension, and of how many judgments they are."""
    selection = Selection.of(campaign)
    found = {}
    for slug in [d.slug for d in observations.dimensions_of(campaign)] or [None]:
        scores = scores_figures.system_scores(selection, slug)
        found[slug or ""] = [
            (str(name), round(float(mean), 12), int(n) if with_n else 0)
            for name, mean, n in zip(scores.names, scores.mean, scores.n_judgments, strict=True)
        ]
    return found


def lines_in(folder: Path) -> dict[str, Counter]:
    """Lines of text files, and the bytes of all others, whatever the folders are called."""
    found = {}
    for path in sorted(p for p in folder.rglob("*") if p.is_file()):
        data = path.read_bytes()
        try:
            lines = Counter(data.decode().splitlines())
        except UnicodeDecodeError:
            continue  # packed forms hold times; what they say is read back below
        found["/".join(path.relative_to(folder).parts[-2:])] = lines
    return found


@pytest.mark.parametrize("preset", list(ANSWERS))
@pytest.mark.parametrize("slug", FORMATS)
def test_out_in_out(owner, slug, preset, tmp_path):
    campaign = judged(owner, preset)
    first, second = tmp_path / "first", tmp_path / "second"
    try:
        write([campaign], slug, Folder(first))
    except CannotWrite as problem:
        pytest.skip(str(problem))
    languages = {"source-language": "de", "target-language": "en"}
    outcome = import_release([first], owner, answers=languages, only=slug)
    assert not outcome.problems.first
    written = outcome.written
    assert written is not None
    again: dict = {}
    n_errors = sum(
        ErrorSpan.objects.filter(judgment__campaign=c).count() for c, _ in written.campaigns
    )
    assert n_errors == ErrorSpan.objects.filter(judgment__campaign=campaign).count()
    with_n = slug not in MEANS_ONLY
    for found, added in written.campaigns:
        assert added is not None
        assert added.annotators <= 2
        again |= figures(found, with_n=with_n)
    expected = figures(campaign, with_n=with_n)
    if preset == "esa" and "esa" not in again:  # such files have errors, and no score in addition
        expected = {"mqm": expected["esa_spans"]}
    elif slug in MEANS_ONLY:  # where the score of errors goes by another name
        expected = {name: rows for name, rows in expected.items() if name != "esa_spans"}
        again = {name: rows for name, rows in again.items() if name in expected}
    assert again == expected
    write([found for found, _ in written.campaigns], slug, Folder(second))
    assert lines_in(second) == lines_in(first)


def test_means_are_plain(owner):
    """The oracle of the figures above: a mean over segments, by hand."""
    campaign = judged(owner, "adequacy-fluency")
    scores = scores_figures.system_scores(Selection.of(campaign), "adequacy")
    rows = observations.load(Selection.of(campaign)).of_dimension("adequacy").ratings
    for place, mean in enumerate(scores.mean):
        mine = rows["system"] == place
        by_segment = [
            np.mean(rows["value"][mine & (rows["segment"] == s)])
            for s in np.unique(rows["segment"][mine])
        ]
        assert mean == pytest.approx(np.mean(by_segment))
