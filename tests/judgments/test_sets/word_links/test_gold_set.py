"""A published gold standard: 248 sentences of Romanian and English that people linked (Mihalcea and
Pedersen 2003). Links are proposed for them, and the people compared with the aligner."""

import re

import pytest

from judgments.models import (
    AlignmentLink,
    Document,
    JobStatus,
    Output,
    PrefilledLink,
    Segment,
    System,
    TestSet,
)
from judgments.protocols import PRESETS
from judgments.results.links.aligner_links import aligner_report
from judgments.results.selection.selection import Selection
from judgments.test_sets.word_links import asking, runs
from tests import factory
from tests.shared import read_tsv, shared_data

pytestmark = pytest.mark.django_db
LINK = re.compile(r"(\d+)([-p])(\d+)")


def rows_of(name: str) -> list[dict[str, str]]:
    return read_tsv(shared_data("09_alignment_ro-en", name))


def gold_campaign(owner, annotator):
    test_set = TestSet.objects.create(
        name="Gold", owner=owner, source_language="ro", target_language="en"
    )
    document = Document.objects.create(test_set=test_set, name="all", position=0)
    system = System.objects.create(test_set=test_set, name="people")
    for row in rows_of("sentences.roen.tsv"):
        segment = Segment.objects.create(
            test_set=test_set,
            document=document,
            key=row["sent"],
            position=int(row["sent"]),
            source=row["source"],
        )
        Output.objects.create(segment=segment, system=system, text=row["target"])
    options = PRESETS["word-alignment"].options | {"tokenization": "spaces"}
    return factory.make_campaign(
        test_set, preset="word-alignment", owner=owner, annotators=[annotator], options=options
    )


@pytest.mark.proof
def test_the_aligner_beside_a_published_gold_standard():
    annotator = factory.make_user("annotator")
    campaign = gold_campaign(factory.make_user("owner"), annotator)
    run = asking.ask(campaign, "proposal")
    assert runs.work(run.pk)
    run.refresh_from_db()
    assert (run.status, run.n_given) == (JobStatus.DONE, 248), run.message
    assert PrefilledLink.objects.values("output").distinct().count() == 248
    task = factory.make_task(campaign, annotator, n_outputs=1)
    gold = {row["sent"]: row["links"] for row in rows_of("gold.roen.tsv")}
    found = []
    for item in task.items.select_related("segment"):
        judgment, output = factory.judge(item, {}), item.shown.get().output
        found += [
            AlignmentLink(
                judgment=judgment,
                output=output,
                source_token=int(i) - 1,
                target_token=int(j) - 1,
                is_sure=kind == "-",
            )
            for i, kind, j in set(LINK.findall(gold[item.segment.key]))
        ]
    AlignmentLink.objects.bulk_create(found)
    assert runs.work(asking.ask(campaign, "comparison").pk)
    report = aligner_report(Selection.of(campaign))
    assert report is not None
    errors = dict(zip(report.methods, report.every, strict=True))
    best = errors["diagonal grow-diag-final-and"]
    assert best.n_texts == 248
    assert best.low < best.aer < best.high
    # The limit of the issue on the aligner, and that order of the models.
    assert best.aer <= 0.45 < errors["ibm1 grow-diag-final-and"].aer
    # What each symmetrization is for.
    precision = [errors[f"diagonal {m}"].precision for m in ("intersection", "union")]
    recall = [errors[f"diagonal {m}"].recall for m in ("intersection", "union")]
    assert precision[0] > precision[1] and recall[0] < recall[1]
