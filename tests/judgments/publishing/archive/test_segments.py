"""Pages of segments in an archive: what people said is on them, what only the team says is not."""

import io
import re
from html import unescape
from pathlib import Path

import pytest
from django.core.management import call_command
from django.db import connection
from django.test.utils import CaptureQueriesContext

from judgments.models import (
    AlteredOutput,
    Answer,
    Document,
    ErrorSpan,
    ItemOutput,
    Note,
    PostEdit,
    Question,
    SegmentMark,
)
from judgments.publishing.archive import segments
from judgments.results.segments import one_segment
from judgments.results.selection.selection import Selection
from metrics.scoring import jobs
from metrics.scoring.choices import MetricChoice
from tests import factory

from .links import assert_links_resolve

pytestmark = pytest.mark.django_db


@pytest.fixture
def owner(db):
    return factory.make_user("owner", is_staff=True)


def made(owner, preset, *, n_outputs=None):
    """A campaign of a preset with two annotators, and the items of each."""
    people = [factory.make_user(name) for name in ("ada", "ben")]
    test_set = factory.make_test_set(owner)
    campaign = factory.make_campaign(test_set, preset=preset, owner=owner, annotators=people)
    for alias, person in zip(("annotator-1", "annotator-2"), people, strict=True):
        campaign.memberships.filter(user=person).update(alias=alias)
    tasks = [
        factory.make_task(campaign, person, seat=seat, n_outputs=n_outputs)
        for seat, person in enumerate(people, 1)
    ]
    return campaign, [list(task.items.order_by("position")) for task in tasks]


def written(campaign, to: Path) -> dict[str, str]:
    """The pages of segments by their names; every link of the archive leads somewhere."""
    call_command("archive", campaign.pk, to=to, stdout=io.StringIO())
    assert_links_resolve(to)
    return {path.stem: path.read_text() for path in to.glob("segments/segment-*.html")}


@pytest.mark.proof
def test_errors_and_altered_copies(owner, tmp_path):
    campaign, (mine, theirs) = made(owner, "esa")
    judgment = factory.judge(mine[0], {"esa": [40, 90, 90], "esa_spans": [-5, 0, 0]})
    output = mine[0].shown.get(position=0).output
    ErrorSpan.objects.create(
        judgment=judgment, output=output, start=0, end=6, severity="major", category="fluency/<i>"
    )
    altered = AlteredOutput.objects.create(
        campaign=campaign, output=output, text="Sour", rule="silent"
    )
    ItemOutput.objects.filter(item=theirs[0], output=output).update(altered=altered)
    factory.judge(theirs[0], {"esa": [10, 80, 80], "esa_spans": [0, 0, 0]})
    page = written(campaign, tmp_path / "a")["segment-1"]
    assert '<mark class="marked-error look-major">Source</mark>' in page
    assert "[major fluency/&lt;i&gt;]" in page
    assert f'id="altered-{altered.pk}"' in page
    assert page.count("no error marked") == 5


def test_comparisons(owner, tmp_path):
    campaign, (mine, theirs) = made(owner, "pairwise")
    factory.judge(mine[0], 1)
    factory.judge(theirs[0], 0)
    page = unescape(written(campaign, tmp_path / "a")["segment-1"])
    assert re.search(r"annotator-1: System-\w > System-\w", page)
    assert re.search(r"annotator-2: System-\w = System-\w", page)


def test_edits(owner, tmp_path):
    campaign, (mine, theirs) = made(owner, "post-editing", n_outputs=1)
    output = mine[0].shown.get().output
    text = "Source texts number 1 here"
    judgment = factory.judge(mine[0], {})
    PostEdit.objects.create(judgment=judgment, output=output, outcome="edited", text=text)
    judgment = factory.judge(theirs[0], {})
    output = theirs[0].shown.get().output
    PostEdit.objects.create(judgment=judgment, output=output, outcome="unable")
    pages = written(campaign, tmp_path / "a")
    assert [*pages] == ["segment-1"]
    assert '<mark class="differs">texts</mark>' in pages["segment-1"]
    assert "Unable to correct" in pages["segment-1"]


def test_answers(owner, tmp_path):
    campaign, (mine, _) = made(owner, "comprehension", n_outputs=1)
    question = Question.objects.create(
        campaign=campaign, document=Document.objects.first(), position=0, level=1, text="Who?"
    )
    output = mine[0].shown.get().output
    judgment = factory.judge(mine[0], {})
    Answer.objects.create(
        judgment=judgment, output=output, question=question, text="he <3", is_right=True
    )
    page = written(campaign, tmp_path / "a")["segment-1"]
    assert "Who?" in page and "he &lt;3" in page and ">right<" in page


@pytest.mark.proof
def test_metrics_notes_and_nothing_of_the_team(owner, tmp_path):
    campaign, (mine, _) = made(owner, "adequacy-fluency")
    jobs.work_on(jobs.create_job(campaign.test_set, [MetricChoice("chrf")], ["ref"]).pk)
    for item in mine:
        item.task.refresh_from_db()
        factory.judge(item, {"adequacy": [1, 2, 5], "fluency": [3, 3, 3]})
    Note.objects.create(
        item=mine[0], annotator=mine[0].task.annotator, kind="flag", reason="topic", comment="hm"
    )
    segment = mine[0].segment
    SegmentMark.objects.create(
        campaign=campaign, segment=segment, marked_by=owner, is_flagged=True, comment="internal"
    )
    pages = written(campaign, tmp_path / "a")
    page = pages["segment-1"]
    assert "annotator-1, Flagged" in page
    assert "Score of 1 metric" in page
    assert page.count("NEVA − WAFT") == 3
    for name, each in pages.items():
        assert "internal" not in each and "owner" not in each, name
        assert "<form" not in each and "/campaigns/" not in each and "/test-sets/" not in each
    # In the order of the test set.
    names = [f"segment-{item.segment.key}" for item in mine]
    for place, name in enumerate(names):
        found = dict(re.findall(r'<a rel="(prev|next)" href="([\w-]+)\.html"', pages[name]))
        beside = {"prev": names[place - 1] if place else None, "next": [*names, None][place + 1]}
        assert found == {rel: to for rel, to in beside.items() if to}


def test_many_segments_are_read_with_the_statements_of_one(owner):
    campaign, (mine, theirs) = made(owner, "adequacy-fluency")
    for item in (*mine, *theirs):
        item.task.refresh_from_db()
        factory.judge(item, {"adequacy": [1, 2, 5], "fluency": [3, 3, 3]})
    selection = Selection.of(campaign)
    ids = [pk for pk, *_ in segments.segments_of(selection)]
    assert len(ids) > 2
    counts = []
    for some in (ids, ids[:1], ids):  # what the first keeps, the others find
        with CaptureQueriesContext(connection) as queries:
            found = list(segments.details_of(selection, some))
        counts.append(len(queries))
    assert counts[2] == counts[1]
    for each in found:
        alone = one_segment.segment_of(selection, each.segment.pk)
        assert one_segment.detail(selection, alone) == each
