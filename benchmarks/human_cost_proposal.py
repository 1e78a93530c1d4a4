"""Cost of the proposal of the plan's page, relative to uniform assignment.

A part of `human_cost.py`. The proposing function is the page's own; its input is the page's
knowledge before the first judgment: lengths, numbers of systems and documents, and the metrics.
"""

from __future__ import annotations

import math
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from human_cost_blocks import (  # noqa: E402
    POOL,
    REFERENCE_FREE,
    SECONDS_A_WORD,
    WHOLE,
    Design,
    item_seconds,
)
from human_cost_designs import Campaign  # noqa: E402
from human_cost_prices import Price, Prices, price_line  # noqa: E402

from judgments.stats.planning.price import alpha_of_pair  # noqa: E402
from judgments.stats.planning.proposal import (  # noqa: E402
    KnownTexts,
    Proposal,
    explained_by,
    is_trained,
    propose,
)
from judgments.stats.planning.spreads import MQM  # noqa: E402

BOUNDS = {"en-de": (0.25, 0.27), "he-en": (0.45, 0.49), "zh-en": (0.30, 0.33)}
"""Maximum items, and hours in the same ratio to them as for en-de."""
OTHER_BOUNDS = BOUNDS["he-en"]  # documents of nine segments, the longest


def registered(campaign: Campaign) -> tuple[str, ...]:
    """Return the metrics that the page proposes to register."""
    return tuple(name for name in campaign.metrics if is_trained(name))


def known_texts(campaign: Campaign) -> KnownTexts:
    """Return the page's knowledge of the pool: as many documents as are drawn from in the
    replay."""
    distinct = np.ones(campaign.texts.shape, bool)
    for place in range(1, len(campaign.texts)):
        distinct[place] = ~(campaign.texts[:place] == campaign.texts[place]).any(axis=0)
    sizes = np.bincount(campaign.documents).tolist() * POOL
    words = campaign.sources
    return KnownTexts(
        sizes=sizes,
        judging=float((item_seconds(campaign) * distinct).sum(axis=0).mean()),
        reading=float(words.mean()) * SECONDS_A_WORD,
        sd=25 * MQM.share(float(words.mean()), float((words**2).mean())),
        rho=MQM.rho,
        pair_alpha=alpha_of_pair(len(campaign.pairs)),
        r_squared=explained_by(len(registered(campaign))),
    )


def proposal_part(prices: Prices, pair: str) -> bool:
    """Print the proposal and its cost in the replay; return whether that meets its limits."""
    known = known_texts(prices.campaign)
    found = propose(known)
    if found is None:
        print("the page proposes nothing for these texts")
        return False
    print(f"\nThe page proposes, of {known.n_segments} segments: {in_words(found)}")
    metrics = registered(prices.campaign)
    cheap = Design(found.block_length or WHOLE, control=bool(metrics), once=True, metrics=metrics)
    free = tuple(name for name in REFERENCE_FREE if name in metrics)
    print(f"{'at the size with 90 % of the decisions':62} {'items':>13} {'hours':>13}  wrong")
    price_line("whole documents, signed-rank, no control", prices.of(Design()))
    price_line("the proposal", price := prices.of(cheap))
    if free and free != metrics:
        words = f"the proposal with {' and '.join(free)}, without references"
        price_line(words, prices.of(replace(cheap, metrics=free)))
    share = prices.reached(cheap, found.segments)
    print(f"at its own size, {found.segments} segments: {share:.0%} of the decisions")
    return keeps(price, pair)


def in_words(found: Proposal) -> str:
    blocks = f"blocks of {found.block_length}" if found.block_length else "whole documents"
    whole = "never" if math.isnan(found.whole_seconds) else f"{found.whole_seconds / 3600:.0f} h"
    return (
        f"{found.segments} in {blocks}, {found.seconds / 3600:.0f} h for a difference of "
        f"{found.difference:.2f}; whole documents {whole}"
    )


def keeps(price: Price, pair: str) -> bool:
    items, hours = BOUNDS.get(pair, OTHER_BOUNDS)
    holds = price.at_most(items, hours)
    print(f"proposal at most {items} of uniform in items ({price.items:.3f})", end="")
    print(f" and {hours} in hours ({price.time:.3f}): {'holds' if holds else 'FAILS'}", flush=True)
    return holds
