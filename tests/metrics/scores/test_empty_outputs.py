"""WMT23 en-de as released, except for one line of ZengHuiMT that is emptied here (the release has
no empty line): the empty output is stored, and every system scored as sacreBLEU scores its file."""

import tarfile
from io import StringIO

import numpy as np
import pytest
import sacrebleu
from django.core.management import call_command

from judgments.models import Output, Reference, TestSet
from metrics.models import MetricScore
from tests import factory
from tests.shared import shared_data

pytestmark = [pytest.mark.slow, pytest.mark.django_db]
EMPTIED = 41
LANGUAGES = ("--source-language=en", "--target-language=de", "--owner=owner")


@pytest.fixture
def released(tmp_path):
    """The folder of the texts, extracted."""
    with tarfile.open(shared_data("10_as_released", "wmt23.en-de.tar.gz")) as archive:
        archive.extractall(tmp_path, filter="data")
    folder = tmp_path / "wmt23"
    path = folder / "system-outputs" / "en-de" / "ZengHuiMT.txt"
    lines = lines_of(path)
    lines[EMPTIED] = " "
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return folder


def lines_of(path) -> list[str]:
    """Return the lines without the byte order mark at the beginning of AIRC's file."""
    return path.read_text(encoding="utf-8-sig").removesuffix("\n").split("\n")


@pytest.mark.proof
def test_every_system_has_the_score_that_sacrebleu_gives(released):
    factory.make_user("owner")
    files = sorted((released / "system-outputs" / "en-de").glob("*.txt"))
    files = [path for path in files if path.stem != "refA"]
    reference = released / "references" / "en-de.refA.txt"
    call_command(
        "import_testset", "WMT23", *LANGUAGES,
        "--source", str(released / "sources" / "en-de.txt"),
        "--documents", str(released / "documents" / "en-de.docs"),
        "--reference", f"refA={reference}",
        *(option for path in files for option in ("--system", str(path))),
        stdout=StringIO(), stderr=StringIO(),
    )  # fmt: skip
    test_set = TestSet.objects.get()
    empty = Output.objects.filter(text="").values_list("system__name", "segment__position")
    assert list(empty) == [("ZengHuiMT", EMPTIED)]
    # As many as `cut -f1 en-de.docs | sort -u` counts.
    domains = test_set.documents.values_list("domain", flat=True).order_by("domain").distinct()
    assert list(domains) == ["news", "social", "speech", "user_review"]
    call_command("score", str(test_set.pk), "--metric=bleu", "--metric=chrf", stdout=StringIO())
    references = [lines_of(reference)]
    assert Reference.objects.count() == len(references[0]) == 557
    metrics = {"bleu": sacrebleu.BLEU(), "chrf": sacrebleu.CHRF()}
    for path in files:
        for slug, metric in metrics.items():
            stored = MetricScore.objects.get(system__name=path.stem, metric=slug)
            expected = metric.corpus_score(lines_of(path), references).score
            assert stored.score == pytest.approx(expected, rel=1e-9), (slug, path.stem)
            assert stored.n_segments == 557
    assert len(files) == 13
    for slug in metrics:
        stored = MetricScore.objects.get(system__name="ZengHuiMT", metric=slug)
        assert stored.segment_scores[EMPTIED] == 0
        assert np.isfinite(stored.segment_scores).all()
