"""Campaigns drawn from published judgments, and costs of designs with fixed size and with looks.

Parts of `human_cost.py`, which describes and prints them.
"""

from __future__ import annotations

import csv
import functools
import gzip
import itertools
import math
import sys
import unicodedata
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from judgments.files.words import n_words  # noqa: E402
from judgments.stats.elimination import pairs_to_share  # noqa: E402
from judgments.stats.paired_difference import paired_difference  # noqa: E402
from judgments.stats.sequential import (  # noqa: E402
    FIRST_LOOK_ITEMS,
    StoppingPlan,
    stopping_plan,
)
from judgments.stats.significance import holm  # noqa: E402
from tests.judgments.stats.replay import (  # noqa: E402
    clustered_signed_rank,
    difference_z,
    run_looks,
    signed_rank_z,
)

GOAL = 0.9
MOST_TRIED = 60_000
LOOKS = 10
Decided = tuple[np.ndarray, np.ndarray]  # signs (m,), p-values (m,)


def growing(first: int, most: int = MOST_TRIED) -> Iterator[int]:
    """Yield sizes to try, each √2 times the previous one, and ``most`` at the end."""
    size = float(first)
    while size < most:
        yield round(size)
        size *= math.sqrt(2)
    yield most


@dataclass(frozen=True)
class Campaign:
    """``table`` (S, N) of judgments, ``documents`` (N,) numbered from 0, metrics' scores (S, N).

    ``words`` (S, N) of the outputs, ``sources`` (N,) words of each source, and ``texts`` (S, N):
    equal numbers are equal outputs."""

    systems: list[str]
    table: np.ndarray
    documents: np.ndarray
    metrics: dict[str, np.ndarray]
    words: np.ndarray
    texts: np.ndarray
    sources: np.ndarray

    @functools.cached_property
    def items_of(self) -> list[np.ndarray]:
        """The items of each document."""
        order = np.argsort(self.documents, kind="stable")
        return np.split(order, np.cumsum(np.bincount(self.documents))[:-1])

    @property
    def pairs(self) -> list[tuple[int, int]]:
        return list(itertools.combinations(range(len(self.systems)), 2))

    def draw(self, rng: np.random.Generator, n_documents: int) -> tuple[np.ndarray, np.ndarray]:
        """Return items of documents drawn with replacement, and the number of each one's draw."""
        drawn = [self.items_of[g] for g in rng.integers(0, len(self.items_of), n_documents)]
        return np.concatenate(drawn), np.repeat(np.arange(n_documents), [len(d) for d in drawn])


def pairs_in(folder: Path) -> list[str]:
    """Return the language pairs with judgments in FOLDER."""
    return sorted(path.name.split(".")[1] for path in folder.glob("human_segments.*.tsv.gz"))


def read(folder: Path, pair: str = "*") -> Campaign:
    ratings = read_rows(folder, "human_segments", pair)
    systems = sorted({r["system"] for r in ratings if not r["system"].startswith("ref")})
    segments = read_rows(folder, "segments", pair)
    lines = {r["line"]: (i, r["doc_id"]) for i, r in enumerate(segments)}
    judged = table_of(systems, lines, ((r["system"], r["line"], r["mqm"]) for r in ratings))
    kept = ~np.isnan(judged).any(axis=0)
    names = np.array([doc for _, doc in lines.values()])[kept]
    metrics: dict[str, list] = {}
    for r in read_rows(folder, "metric_segments", pair):
        metrics.setdefault(r["metric"], []).append((r["system"], r["line"], r["score"]))
    scores = {name: table_of(systems, lines, rows)[:, kept] for name, rows in metrics.items()}
    source, target = pair.split("-") if "-" in pair else ("en", "en")
    words, texts = _outputs(read_rows(folder, "outputs", pair), systems, lines, target)
    documents = np.unique(names, return_inverse=True)[1]
    sources = np.array([n_words(r["source"], source) for r in segments])[kept]
    return Campaign(
        systems, judged[:, kept], documents, scores, words[:, kept], texts[:, kept], sources
    )


def _outputs(
    rows: list[dict[str, str]], systems: list[str], lines: dict, language: str
) -> tuple[np.ndarray, np.ndarray]:
    """Return numbers of words (S, N), and numbers of the texts (S, N), equal in NFC ignoring
    spaces."""
    texts = [" ".join(unicodedata.normalize("NFC", r["text"]).split()) for r in rows]
    number = {text: i for i, text in enumerate(dict.fromkeys(texts), 1)}
    places = [(r["system"], r["line"]) for r in rows]
    words = ((*at, str(n_words(t, language))) for at, t in zip(places, texts, strict=True))
    numbers = ((*at, str(number[t])) for at, t in zip(places, texts, strict=True))
    filled = table_of(systems, lines, numbers)
    return table_of(systems, lines, words), np.nan_to_num(filled).astype(np.int64)


def table_of(systems: list[str], lines: dict, rows) -> np.ndarray:
    table = np.full((len(systems), len(lines)), np.nan)
    place = {system: i for i, system in enumerate(systems)}
    for system, line, value in rows:
        if system in place and value:
            table[place[system], lines[line][0]] = float(value)
    return table


def read_rows(folder: Path, name: str, pair: str = "*") -> list[dict[str, str]]:
    (path,) = folder.glob(f"{name}.{pair}.tsv.gz")
    with gzip.open(path, "rt", encoding="utf-8", newline="") as lines:
        return list(csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE))


@dataclass(frozen=True)
class Score:
    """The goal of a design: ``truth`` (m,) signs and ``wanted`` (m,) decisions from all ratings."""

    truth: np.ndarray
    wanted: np.ndarray
    replications: int

    def cost(self, run: Callable, sizes: Iterable[int]) -> tuple[float, float]:
        """Return the judgments at which the share of wanted decisions passes the goal, infinite if
        no size does, and the largest share of wrong signs among sizes. ``run(size)`` → decided
        signs (m,), number of judgments."""
        spent, reached, wrong = [], [], []
        for size in sizes:
            results = [run(int(size)) for _ in range(self.replications)]
            signs = np.array([sign for sign, _ in results])
            spent.append(np.mean([judgments for _, judgments in results]))
            reached.append((signs == self.truth)[:, self.wanted].mean())
            wrong.append((signs == -self.truth).mean())
            if reached[-1] >= GOAL:
                break
        if reached[-1] < GOAL:
            return math.inf, max(wrong)
        cost = np.interp(GOAL, reached[-2:], np.log(spent[-2:]))
        return float(np.exp(cost)), max(wrong)


@dataclass(frozen=True)
class Fixed:
    """Designs whose size is fixed before the first judgment."""

    campaign: Campaign
    rng: np.random.Generator

    def uniform(self, size: int) -> tuple[np.ndarray, int]:
        from scipy.special import stdtr

        drawn = self._independent(size)
        a, b = np.array(self.campaign.pairs).T
        mean, error = drawn.mean(axis=1), drawn.var(axis=1, ddof=1) / size
        t = (mean[a] - mean[b]) / np.sqrt(error[a] + error[b])
        df = (error[a] + error[b]) ** 2 / ((error[a] ** 2 + error[b] ** 2) / (size - 1))
        return decided(t, 2 * stdtr(df, -np.abs(t))), drawn.size

    def mann_whitney(self, size: int) -> tuple[np.ndarray, int]:
        from scipy.stats import mannwhitneyu

        drawn = self._independent(size)
        a, b = np.array(self.campaign.pairs).T
        u, p = mannwhitneyu(drawn[a], drawn[b], axis=1, method="asymptotic")
        return decided(u - size**2 / 2, p), drawn.size

    def paired(self, size: int) -> tuple[np.ndarray, int]:
        return self._pairs(*self._items(size), mean_difference)

    def signed_rank(self, size: int) -> tuple[np.ndarray, int]:
        return self._pairs(*self._items(size), ranks)

    def clustered(self, size: int) -> tuple[np.ndarray, int]:
        return self._pairs(*self.campaign.draw(self.rng, size), mean_difference)

    def clustered_ranks(self, size: int) -> tuple[np.ndarray, int]:
        return self._pairs(*self.campaign.draw(self.rng, size), ranks)

    def ranks_of_items(self, size: int) -> tuple[np.ndarray, int]:
        items, _ = self.campaign.draw(self.rng, size)
        return self._pairs(items, np.arange(len(items)), ranks)

    def controlled(self, size: int, metric: np.ndarray) -> tuple[np.ndarray, int]:
        """Judge the first ``size`` of as many documents as the full campaign has."""
        items, draw = self.campaign.draw(self.rng, max(size, len(self.campaign.items_of)))
        judged = draw < size
        found = []
        for a, b in self.campaign.pairs:
            d = np.where(
                judged, self.campaign.table[a, items] - self.campaign.table[b, items], np.nan
            )
            x = metric[a, items] - metric[b, items]
            fit = paired_difference(d, draw, controls=x)
            found.append((fit.estimate, fit.p_value))
        return decided(*np.array(found).T), int(judged.sum()) * len(self.campaign.systems)

    def _independent(self, size: int) -> np.ndarray:
        """Return (S, size): each system rated on separate items."""
        table = self.campaign.table
        drawn = self.rng.integers(0, table.shape[1], (len(table), size))
        return np.take_along_axis(table, drawn, axis=1)

    def _items(self, size: int) -> tuple[np.ndarray, np.ndarray]:
        return self.rng.integers(0, self.campaign.table.shape[1], size), np.arange(size)

    def _pairs(
        self, items: np.ndarray, clusters: np.ndarray, test: Callable
    ) -> tuple[np.ndarray, int]:
        drawn = self.campaign.table[:, items]
        found = [test(drawn[a] - drawn[b], clusters) for a, b in self.campaign.pairs]
        return decided(*np.array(found).T), drawn.size


def mean_difference(differences: np.ndarray, clusters: np.ndarray) -> tuple[float, float]:
    found = paired_difference(differences, clusters)
    return found.estimate, found.p_value


def ranks(differences: np.ndarray, clusters: np.ndarray) -> tuple[float, float]:
    found = clustered_signed_rank(differences, clusters)
    return found.z, found.p_value


def decided(effects: np.ndarray, p_values: np.ndarray) -> np.ndarray:
    return np.sign(effects) * (holm(p_values) < 0.05)


@dataclass(frozen=True)
class Sequential:
    """Designs that stop as soon as possible."""

    campaign: Campaign
    rng: np.random.Generator

    def designs(self) -> dict[str, dict]:
        found: dict[str, dict] = {
            "sequential, clustered t": {"z_of": difference_z},
            "sequential, clustered signed-rank": {"z_of": signed_rank_z},
        }
        metric = self.campaign.metrics.get("XCOMET-Ensemble")
        if metric is not None:
            found["sequential, control variate XCOMET-Ensemble"] = {"metric": metric}
        return found

    def run(
        self, size: int, *, z_of: Callable = difference_z, metric: np.ndarray | None = None
    ) -> tuple[np.ndarray, int]:
        items, draw = self.campaign.draw(self.rng, size)
        plan = self._plan(size, pairs_to_share(len(self.campaign.systems)))
        controls = None if metric is None else metric[:, items]
        result = run_looks(self.campaign.table[:, items], draw, plan, controls=controls, z_of=z_of)
        a, b = np.array(self.campaign.pairs).T
        return result.sign[a, b], result.n_judgments

    def best(self, size: int, replications: int) -> tuple[float, float, float]:
        """Return the share of judgments made, how often the best system stays, and how many systems
        are left."""
        n_systems, top = len(self.campaign.systems), self.campaign.table.mean(axis=1).argmax()
        plan = self._plan(size, pairs_to_share(n_systems, "best"))
        found = []
        for _ in range(replications):
            items, draw = self.campaign.draw(self.rng, size)
            result = run_looks(self.campaign.table[:, items], draw, plan, aim="best")
            used = result.n_judgments / (len(items) * n_systems)
            found.append((used, result.remaining[top], result.remaining.sum()))
        return tuple(np.mean(found, axis=0).tolist())

    def _plan(self, size: int, n_pairs: float) -> StoppingPlan:
        # The first look waits for forty items; fifty expected ones are nearly always enough.
        n_documents, n_items = len(self.campaign.items_of), self.campaign.table.shape[1]
        first = min(math.ceil(50 * n_documents / n_items), size)
        ends = sorted({*np.round(np.linspace(first, size, LOOKS)).astype(int).tolist()})
        return stopping_plan(ends, first_items=FIRST_LOOK_ITEMS, n_pairs=n_pairs)
