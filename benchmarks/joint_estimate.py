"""Value of metrics or models in addition to people, and coverage of the intervals.

    python benchmarks/joint_estimate.py FOLDER … [--pair en-de] [--replications 200] [--null 200]
                                        [--seed 20070623]

FOLDER contains the data of `human_cost.py`. From its expert MQM scores campaigns are drawn: a pool
of as many documents as were published, with replacement, in which metrics score everything and
people judge half of the segments, as whole documents or in blocks of at most three. The differences
of all pairs of systems are estimated from people alone, from people and metrics as on the page
*Scores* (`judgments.stats.joint_estimate`), and as in PPI++, which ignores documents (slope from
judged and unjudged segments of the one pair, not below 0, z intervals).

Prints R² out of sample on all published data, 10 folds of documents, as in the guide; the share of
95 % intervals that cover the difference over all published data; bias in standard errors; the width
relative to people's; and false decisions: the share of tables with any, Holm over all pairs, if
systems are exchanged within each document with their scores and metrics. Judges: the recorded
metrics; the inverse of one of them; one that favors a system; an uninformative one. They may only
add some noise. "Nine looks" is the registered plan of the site with the same four metrics: signed
ranks, bounds by O'Brien and Fleming's form, Holm.

A bound that fails makes the exit code 1.
"""

from __future__ import annotations

import argparse
import sys
import time
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from scipy.special import ndtri

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from human_cost_blocks import WHOLE, Design, draw_pool, run  # noqa: E402
from human_cost_designs import Campaign, pairs_in, read  # noqa: E402

from judgments.stats.joint_estimate import JointEstimate, joint_estimate  # noqa: E402
from judgments.stats.metric_controls import controls_of_metrics  # noqa: E402
from judgments.stats.planning.blocks import draw_blocks  # noqa: E402
from judgments.stats.significance import holm  # noqa: E402

WITHOUT = "PPI++ without documents"
COVERAGE = (0.93, 0.97)
MOST_FALSE = 0.05
MOST_WIDER = 1.01  # for a worthless judge
SEVERAL = ("COMET", "XCOMET-Ensemble", "MetricX-23", "BLEURT-20")
# Percent of the variance of differences, out of sample: computed before by another program.
EXPLAINED = {
    "en-de": {"chrF": 12.6, "GEMBA-MQM": 13.9, "CometKiwi": 9.1, "XCOMET-Ensemble": 15.5}
    | {"MetricX-23": 15.5, "GEMBA-MQM + CometKiwi": 15.6, "four trained": 22.3},
    "he-en": {"chrF": 4.7, "GEMBA-MQM": 9.9, "CometKiwi": 8.5, "XCOMET-Ensemble": 18.8}
    | {"MetricX-23": 16.8, "GEMBA-MQM + CometKiwi": 12.7, "four trained": 19.3},
    "zh-en": {"chrF": 1.6, "GEMBA-MQM": 11.3, "CometKiwi": 10.8, "XCOMET-Ensemble": 15.3}
    | {"MetricX-23": 12.6, "GEMBA-MQM + CometKiwi": 14.9, "four trained": 14.5},
}
NAMES = {"GEMBA-MQM + CometKiwi": ("GEMBA-MQM", "CometKiwi"), "four trained": SEVERAL}
MOST_OFF = 2.0  # percent: folds differ


@dataclass
class Noted:
    """Figures over many campaigns and pairs: how often intervals cover, their width relative to
    people's, and deviations of estimates from the truth in their standard errors."""

    covers: list[float]
    width: list[float]
    off: list[np.ndarray]
    explained: list[float]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("folders", type=Path, nargs="+")
    parser.add_argument("--pair", help="only this language pair of the folders")
    parser.add_argument("--replications", type=int, default=200)
    parser.add_argument("--null", type=int, default=200, help="campaigns of equal systems")
    parser.add_argument("--looks", type=int, default=100, help="the same with nine looks")
    parser.add_argument("--seed", type=int, default=20070623)
    asked = parser.parse_args()
    holds = [
        worth(folder, pair, asked)
        for folder in asked.folders
        for pair in pairs_in(folder)
        if asked.pair in (None, pair)
    ]
    sys.exit(not (holds and all(holds)))


def worth(folder: Path, pair: str, asked: argparse.Namespace) -> bool:
    """Print the figures of one language pair; return whether all limits are met."""
    start = time.process_time()
    campaign = with_made_judges(read(folder, pair))
    n_systems, n = campaign.table.shape
    print(f"{pair}: {n_systems} systems, {n} segments, {len(campaign.items_of)} documents")
    holds = explained(campaign, EXPLAINED.get(pair, {}))
    holds &= coverage(campaign, asked)
    holds &= false_decisions(campaign, asked)
    print(f"seed {asked.seed}, {time.process_time() - start:.0f} s of processor time\n", flush=True)
    return holds


def with_made_judges(campaign: Campaign) -> Campaign:
    """Return the campaign with three judges that are worthless, or as good as another."""
    metrics = dict(campaign.metrics)
    usual = metrics["XCOMET-Ensemble"]
    favors = usual.copy()
    favors[0] += 3 * usual.std()
    rng = np.random.default_rng(1)
    metrics |= {"opposite": -usual, "favors one": favors, "noise": rng.normal(size=usual.shape)}
    return replace(campaign, metrics=metrics)


def controls(campaign: Campaign, names: tuple[str, ...]) -> np.ndarray:
    """Return each metric, and its product with length (S, N, 2 q), as on the page *Scores*."""
    lengths = campaign.words.mean(axis=0)
    each = [controls_of_metrics(campaign.metrics[name], lengths) for name in names]
    return np.concatenate(each, axis=-1)


def explained(campaign: Campaign, noted: dict[str, float]) -> bool:
    """Print R² out of sample on all published data, with earlier results."""
    holds = True
    print(f"{'R² out of sample':24} {'here':>6} {'before':>7}  {'pairs from':>10} {'to':>5}")
    for name in [*(noted or campaign.metrics), "opposite", "favors one", "noise"]:
        metrics = NAMES.get(name, (name,))
        if not set(metrics) <= set(campaign.metrics):
            continue
        found = joint_estimate(campaign.table, campaign.documents, controls(campaign, metrics))
        share, by_pair = 100 * found.share_explained, 100 * found.joint.r_squared
        before = noted.get(name)
        near = before is None or abs(share - before) <= MOST_OFF
        holds &= near
        print(
            f"{name:24} {share:6.1f} {before or '':>7}  {by_pair.min():10.0f} {by_pair.max():5.0f}"
            f"{'' if near else '  FAILS'}"
        )
    return holds


def coverage(campaign: Campaign, asked: argparse.Namespace) -> bool:
    """Print the coverage of intervals from people and each judge, with whole documents and with
    blocks."""
    judges = {"GEMBA-MQM": ("GEMBA-MQM",), "four trained": SEVERAL}
    judges |= {name: (name,) for name in ("opposite", "favors one", "noise")}
    holds = covered(campaign, asked, "whole documents", WHOLE, judges)
    del judges["opposite"], judges["favors one"]
    return holds & covered(campaign, asked, "blocks of at most 3", 3, judges)


def covered(
    campaign: Campaign,
    asked: argparse.Namespace,
    design: str,
    longest: int,
    judges: dict[str, tuple[str, ...]],
) -> bool:
    pairs = np.array(campaign.pairs)
    truth = campaign.table.mean(axis=1)
    truth = truth[pairs[:, 0]] - truth[pairs[:, 1]]
    every = {name: controls(campaign, metrics) for name, metrics in judges.items()}
    noted = {name: Noted([], [], [], []) for name in (*judges, "people alone", WITHOUT)}
    rng = np.random.default_rng(asked.seed)
    for _ in range(asked.replications):
        items, documents, judged = drawn(campaign, rng, longest)
        table = np.where(judged, campaign.table[:, items], np.nan)
        for name, known in every.items():
            joint = joint_estimate(table, documents, known[:, items])
            people = joint.people
            wide = people.high - people.low
            note(noted[name], joint.joint.low, joint.joint.high, joint.joint.se, truth, wide)
            noted[name].explained.append(joint.share_explained)
        note(noted["people alone"], people.low, people.high, people.se, truth, wide)
        gemba = every["GEMBA-MQM"][:, items, 0]
        note(noted[WITHOUT], *without_documents(table, gemba), truth, wide)
    print(f"\n{design:24} {'cover':>6} {'width':>6} {'bias':>6} {'R²':>6}")
    holds = True
    for name, found in noted.items():
        kept = name == WITHOUT or COVERAGE[0] <= float(np.mean(found.covers)) <= COVERAGE[1]
        if name == "noise":
            kept &= float(np.mean(found.width)) <= MOST_WIDER
        holds &= line(name, found, kept)
    return holds


def drawn(
    campaign: Campaign, rng: np.random.Generator, longest: int
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the items of a pool, the document of each, and which half is judged."""
    items, documents = campaign.draw(rng, len(campaign.items_of))
    n_blocks = int(draw_blocks(documents, 1, rng, longest=longest).block.max()) + 1
    blocks = draw_blocks(documents, n_blocks // 2, rng, longest=longest)
    return items, documents, blocks.place >= 0


def note(found: Noted, low, high, se, truth, wide) -> None:
    found.covers.append(float(((low <= truth) & (truth <= high)).mean()))
    found.width.append(float(((high - low) / wide).mean()))
    found.off.append(((low + high) / 2 - truth) / se)


def line(name: str, found: Noted, kept: bool) -> bool:
    bias = np.abs(np.mean(found.off, axis=0)).mean()
    share = f"{100 * np.mean(found.explained):6.1f}" if found.explained else ""
    print(
        f"{name:24} {np.mean(found.covers):6.3f} {np.mean(found.width):6.3f} {bias:6.3f} {share}"
        f"{'' if kept else '  FAILS'}",
        flush=True,
    )
    return kept


def without_documents(
    table: np.ndarray, metric: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return low, high and standard error (P,) as in PPI++: segments are drawn one by one."""
    a, b = np.triu_indices(len(table), 1)
    d, x = table[a] - table[b], metric[a] - metric[b]
    judged = ~np.isnan(d[0])
    d, f = d[:, judged], x[:, judged]
    n, size = d.shape[1], x.shape[1]
    cross = ((d - d.mean(axis=1)[:, None]) * (f - f.mean(axis=1)[:, None])).mean(axis=1)
    slope = np.clip(cross / ((1 + n / size) * x.var(axis=1)), 0, None)
    residual = d - slope[:, None] * f
    theta = slope * x.mean(axis=1) + residual.mean(axis=1)
    se = np.sqrt(slope**2 * x.var(axis=1) / size + residual.var(axis=1) / n)
    half = ndtri(0.975) * se
    return theta - half, theta + half, se


def false_decisions(campaign: Campaign, asked: argparse.Namespace) -> bool:
    """Print the share of tables of equal systems in which any pair is decided."""
    rng = np.random.default_rng(asked.seed)
    every = controls(campaign, SEVERAL)
    n = len(campaign.systems)
    wrong: dict[str, list[bool]] = {"people alone": [], "people and four trained": []}
    for _ in range(asked.null):
        items, documents, judged = drawn(campaign, rng, WHOLE)
        order = rng.permuted(np.tile(np.arange(n), (int(documents.max()) + 1, 1)), axis=1)
        rows = order[documents].T
        table = np.where(judged, campaign.table[rows, items], np.nan)
        joint: JointEstimate = joint_estimate(table, documents, every[rows, items])
        wrong["people alone"].append(bool((holm(joint.people.p_value) < 0.05).any()))
        wrong["people and four trained"].append(bool((holm(joint.joint.p_value) < 0.05).any()))
    design = Design(longest=3, control=True, looks=True)
    size = campaign.table.shape[1] // 2
    wrong["four trained, nine looks, signed ranks"] = [
        bool(run(draw_pool(campaign, rng, design, exchanged=True), design, size, rng).sign.any())
        for _ in range(asked.looks)
    ]
    print(f"\n{'false decisions':40} {'share':>6} {'±':>6}")
    holds = True
    for name, found in wrong.items():
        share, n_tables = float(np.mean(found)), len(found)
        error = np.sqrt(MOST_FALSE * (1 - MOST_FALSE) / n_tables)
        kept = share <= MOST_FALSE + 2 * error
        holds &= kept
        print(f"{name:40} {share:6.3f} {error:6.3f}{'' if kept else '  FAILS'}")
    return holds


if __name__ == "__main__":
    main()
