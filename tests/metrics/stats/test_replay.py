"""sacreBLEU's own tests, compared with the replay: equal p-values, means and intervals."""

import random

import numpy as np
import pytest
import sacrebleu
from sacrebleu.significance import PairedTest

from metrics.scorers import get_scorer
from metrics.stats.pairs import compare_all
from tests.metrics.stats.replay import replay_sacrebleu
from tests.shared import read_tsv, shared_data

pytestmark = pytest.mark.slow

SEED = 12345  # sacreBLEU's default
SLUGS = {"BLEU": "bleu", "chrF2": "chrf", "TER": "ter"}
WORDS = ["ba", "do", "ke", "li", "mu", "na", "po", "ri", "su", "ta", "ve", "wi"]


def oracle(metrics, systems, references, test, samples, resamples):
    kinds = {
        "BLEU": lambda: sacrebleu.BLEU(references=references, force=True),
        "chrF2": lambda: sacrebleu.CHRF(references=references),
        "TER": lambda: sacrebleu.TER(references=references),
    }
    _, found = PairedTest(
        list(systems.items()),
        {name: kinds[name]() for name in metrics},
        None,
        test_type=test,
        n_samples=samples,
        n_ar_confidence=resamples or -1,
    )()
    return found


def agree(metrics, systems, references, test, samples, resamples=0):
    expected = oracle(metrics, systems, references, test, samples, resamples)
    p_values = set()
    for name in metrics:
        scorer = get_scorer(SLUGS[name])
        stats = np.stack([scorer.statistics(texts, references) for texts in systems.values()])
        rng = np.random.default_rng(SEED)
        found = replay_sacrebleu(
            scorer, stats, rng=rng, test=test, samples=samples, resamples=resamples
        )
        for ours, theirs in zip(found, expected[name], strict=True):
            assert ours.score == pytest.approx(theirs.score, rel=1e-9)
            if theirs.p_value is not None:
                assert ours.p_value == theirs.p_value
                p_values.add(ours.p_value)
            if theirs.mean is not None:
                # Its draws are scored in single precision, which has about seven digits.
                assert ours.mean == pytest.approx(theirs.mean, rel=1e-6)
                assert ours.half_width == pytest.approx(
                    theirs.ci, abs=1e-6 * (1 + float(theirs.mean))
                )
    return p_values


@pytest.mark.proof
@pytest.mark.parametrize("test", ["bs", "ar"])
def test_p_values_are_those_of_sacrebleu_on_real_outputs(test):
    folder = "03_mqm_esa_wmt23_en-de"
    reference = [row["refA"] for row in read_tsv(shared_data(folder, "segments.en-de.tsv.gz"))]
    names = ["ONLINE-B", "ONLINE-A", "ONLINE-Y", "ONLINE-W"]
    systems: dict[str, list[str]] = {name: [""] * len(reference) for name in names}
    for row in read_tsv(shared_data(folder, "outputs.en-de.tsv.gz")):
        if row["system"] in systems:
            systems[row["system"]][int(row["line"])] = row["text"]
    resamples = 200 if test == "ar" else 0
    p_values = agree(["BLEU", "chrF2"], systems, [reference], test, 500, resamples)
    assert len(p_values) > 2


def made_up(seed):
    """Return a reference and five systems, the fourth equal to the baseline, the fifth except for a
    segment."""
    r = random.Random(seed)
    n = r.randint(2, 40)
    reference = [" ".join(r.choices(WORDS, k=r.randint(1, 12))) for _ in range(n)]

    def output(error):
        return [
            " ".join(r.choice(WORDS) if r.random() < error else word for word in text.split())
            for text in reference
        ]

    systems = {"a": output(0.3), "b": output(0.35), "c": output(0.6)}
    systems["d"] = list(systems["a"])
    systems["e"] = [reference[0], *systems["a"][1:]]
    return systems, [reference]


@pytest.mark.parametrize("test", ["bs", "ar"])
@pytest.mark.parametrize("seed", range(8))
def test_p_values_are_those_of_sacrebleu_on_made_up_texts(seed, test):
    systems, references = made_up(seed)
    agree(list(SLUGS), systems, references, test, 150, resamples=60 if seed % 2 else 0)


def test_counting_with_at_least_gives_identical_systems_p_1():
    systems, references = made_up(3)
    scorer = get_scorer("bleu")
    stats = np.stack([scorer.statistics(systems[name], references) for name in "ad"])
    options = {"rng": np.random.default_rng(SEED), "test": "ar", "samples": 99}
    assert replay_sacrebleu(scorer, stats, **options)[1].p_value == 0.01
    assert replay_sacrebleu(scorer, stats, **options, strict=False)[1].p_value == 1


def test_randomization_of_all_pairs_uses_the_same_swaps():
    # With the same seed only the way of counting differs, and no tie occurs in these texts.
    systems, references = made_up(5)
    scorer = get_scorer("chrf")
    stats = np.stack([scorer.statistics(systems[name], references) for name in "abc"])
    rng = np.random.default_rng(SEED)
    replayed = replay_sacrebleu(scorer, stats, rng=rng, test="ar", samples=500, strict=False)
    found = compare_all(scorer, stats, rng=rng, resamples=2, trials=500)
    assert [r.p_value for r in replayed[1:]] == found.randomization.raw[:2].tolist()


def test_what_does_not_fit_is_refused():
    scorer, rng = get_scorer("ter"), np.random.default_rng(1)
    with pytest.raises(ValueError, match="bs, ar"):
        replay_sacrebleu(scorer, np.ones((2, 3, 2)), rng=rng, test="t", samples=9)
    with pytest.raises(ValueError, match="n_segments"):
        replay_sacrebleu(scorer, np.ones((3, 2)), rng=rng, test="bs", samples=9)
