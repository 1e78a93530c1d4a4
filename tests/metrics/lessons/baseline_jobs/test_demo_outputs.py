"""The demo's fifth system equals the button's result for the demo's texts."""

import pytest

from judgments.exchange.demo import simulation
from judgments.files.texts import from_table
from judgments.models import System, TestSet
from judgments.test_sets.corpus import import_test_set
from metrics.lessons.baseline_jobs import work
from tests import factory

from . import demo_outputs


def test_the_decoder_gives_what_the_file_keeps():
    """If the aligner, the phrase table or the decoder was changed on purpose, regenerate the file:
    see demo_outputs."""
    rows = demo_outputs.read()
    column = f"system:{simulation.CONTROL}"
    assert demo_outputs.outputs(rows) == [row[column] for row in rows]


@pytest.mark.django_db
def test_the_button_gives_the_same():
    owner = factory.make_user("owner", is_staff=True)
    test_set = TestSet(name="Demo", source_language="de", target_language="en", owner=owner)
    import_test_set(test_set, from_table(demo_outputs.FILE))
    System.objects.filter(name=simulation.CONTROL).delete()
    job = work.create_job(test_set, "phrase-based", simulation.CONTROL, owner)
    assert work.work_on(job.pk)
    texts = job.test_set.systems.get(name=simulation.CONTROL).outputs.order_by("segment__position")
    kept = [row[f"system:{simulation.CONTROL}"] for row in demo_outputs.read()]
    assert list(texts.values_list("text", flat=True)) == kept
