"""Texts taken to another machine, scored there with tiny models, and imported again."""

import json
import os
import re
import subprocess

import numpy as np
import pytest

from metrics.models import MetricScore
from metrics.neural import folders
from metrics.scorers import get_scorer
from metrics.scores import kits
from metrics.scores.importing import Instructions, import_scores
from tests import factory

from .conftest import TEXTS

pytestmark = [pytest.mark.neural, pytest.mark.proof]

# By the metric of the kit: the model and options there, and the scorer and options here.
ALIKE = {
    "comet": ("comet", (), "comet", {}),
    "xcomet": ("xcomet", (), "comet", {}),
    "cometkiwi": ("kiwi", (), "cometkiwi", {}),
    "bertscore": ("bertscore", ("--option", "layer=2"), "bertscore", {"layer": 2}),
    "bleurt": ("bleurt", (), "bleurt", {}),
    "metricx": ("metricx", (), "metricx", {}),
    "metricx_qe": ("metricx", (), "metricx_qe", {}),
}


@pytest.fixture
def test_set(db):
    return factory.make_test_set(factory.make_user("owner"), n_segments=7)


@pytest.fixture
def elsewhere(test_set, neural_python, models, tmp_path):
    """Runs the file of texts in the environment of the neural metrics; returns the lines it
    wrote."""

    def run(*arguments):
        (tmp_path / "texts.zip").write_bytes(kits.kit(test_set))
        line = [neural_python, "texts.zip", *arguments, "--out", "out.scores.jsonl"]
        # The checkout is not on the path, and nothing is fetched.
        offline = {**os.environ, "HF_HUB_OFFLINE": "1", "PYTHONPATH": ""}
        done = subprocess.run(line, cwd=tmp_path, capture_output=True, text=True, env=offline)
        assert done.returncode == 0, done.stderr[-2000:]
        return [json.loads(each) for each in (tmp_path / "out.scores.jsonl").open()]

    run.file = tmp_path / "out.scores.jsonl"
    return run


@pytest.mark.parametrize("metric", ALIKE)
@pytest.mark.usefixtures("program", "in_models")
def test_scores_from_elsewhere_are_those_from_here(metric, elsewhere, test_set, models):
    model, arguments, slug, options = ALIKE[metric]
    lines = elsewhere("--metric", metric, "--model", str(models / model), *arguments)
    import_scores(test_set, [elsewhere.file], Instructions(higher_is_better=True))
    scorer = get_scorer(slug, model=model, **options)
    segments = list(test_set.segments.order_by("position"))
    references = [each.references.get(name="ref").text for each in segments]
    for system in test_set.systems.all():
        texts = [o.text for o in system.outputs.order_by("segment__position")]
        stats = scorer.statistics(texts, [references], [each.source for each in segments])
        there = MetricScore.objects.get(system=system)
        np.testing.assert_allclose(there.segment_scores, scorer.segment_scores(stats), atol=1e-5)
        assert f"|model:{model}@{folders.digest(models / model)}|" in there.signature
    library = scorer.signature(1).rpartition("|lib:")[2].partition("|")[0]
    assert lines[0]["signature"].endswith(f"|lib:{library}")
    assert lines[0]["revision"] == folders.digest(models / model)


def test_errors_that_xcomet_marks_are_those_of_its_library(
    from_libraries, elsewhere, test_set, models
):
    system = test_set.systems.first()
    for i, segment in enumerate(test_set.segments.order_by("position")):
        type(segment).objects.filter(pk=segment.pk).update(source=TEXTS["sources"][i])
        segment.references.update(text=TEXTS["first"][i])
        system.outputs.filter(segment=segment).update(text=TEXTS["hypotheses"][i])
    lines = elsewhere(
        *("--metric", "xcomet", "--model", str(models / "xcomet"), "--system", system.name),
    )[1:]
    assert [line["score"] for line in lines] == pytest.approx(from_libraries["xcomet"], abs=1e-5)
    expected = [
        [span for span in spans if span["end"] > span["start"]]
        for spans in from_libraries["xcomet spans"]
    ]
    places = ("start", "end", "severity")
    found = [[{key: span[key] for key in places} for span in line["spans"]] for line in lines]
    assert found == [[{key: span[key] for key in places} for span in each] for each in expected]
    assert any(found)
    # Offsets are characters of the output, also after characters beyond the first plane; the small
    # model does not know all of these.
    for text, spans in zip(TEXTS["hypotheses"], expected, strict=True):
        for span in spans:
            known = re.split("<s>|</s>|<unk>", span["text"])
            pattern = ".*".join(re.escape(part.strip()) for part in known)
            assert re.fullmatch(pattern, text[span["start"] : span["end"]].strip())


def test_a_model_that_cannot_be_had_is_said(elsewhere, tmp_path, neural_python, test_set):
    (tmp_path / "texts.zip").write_bytes(kits.kit(test_set))
    line = [neural_python, "texts.zip", "--metric", "comet", "--model", "owner/none"]
    offline = {**os.environ, "HF_HUB_OFFLINE": "1"}
    done = subprocess.run(line, cwd=tmp_path, capture_output=True, text=True, env=offline)
    assert done.returncode == 1
    assert "The model owner/none is not on this machine, and HF_HUB_OFFLINE" in done.stderr
    assert "Traceback" not in done.stderr
