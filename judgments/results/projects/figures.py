"""What the campaigns of a project found: language pairs, and the systems of each."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, TypeVar

import numpy as np

from judgments.models import Campaign, Project, TestSet, facts_of
from judgments.people import access
from judgments.protocols import protocol_of
from judgments.results.compare.two_campaigns import CostOfDecisions
from judgments.results.observations.observations import SEED, Observed, dimensions_of, load
from judgments.results.observations.times import times_of
from judgments.results.projects.joining import identities, join, pair_of, sharing
from judgments.results.scores.figures import (
    SegmentScores,
    SystemScores,
    segment_scores,
    segment_scores_of,
    system_scores,
    system_scores_of,
)
from judgments.results.selection.selection import Selection, sentence_of
from judgments.stats.macro_ranks import MacroRanks, macro_ranks
from judgments.web.cache import get_or_compute

Found = TypeVar("Found")


@dataclass(frozen=True)
class JoinedCampaigns:
    """Campaigns of one language pair that asked the same about texts that they share.

    ``texts``: the number of the first of their test sets; ``preset``: slug; ``dimension``: what
    systems are ranked by, "" for comparisons; ``identity``: of segments.
    """

    pair: tuple[str, str]
    texts: int
    preset: str
    dimension: str
    selections: tuple[Selection, ...]
    identity: dict[int, str]

    @property
    def pair_name(self) -> str:
        return "–".join(self.pair)

    @cached_property
    def protocol_name(self) -> str:
        """Of the preset; with what systems are ranked by, where there is a choice or the preset
        leaves that to the campaign."""
        preset = protocol_of(self.selections[0].campaign).preset
        asked = dimensions_of(self.selections[0].campaign)
        names = {each.slug: each.name for each in asked}
        known = {each.slug for each in preset.dimensions}
        if not asked or (len(asked) == 1 and self.dimension in known):
            return str(preset.name)
        return f"{names[self.dimension]} ({preset.name})"

    @property
    def asks(self) -> str:
        """What tells protocols apart: the slugs of preset and dimension."""
        return f"{self.preset} {self.dimension}".strip()

    @property
    def name(self) -> str:
        return f"{self.pair_name}, {self.protocol_name}"

    @cached_property
    def scores(self) -> SystemScores:
        """Of the one campaign as its page *Scores* opens; of several by all judgments at once."""
        slug = self.dimension or None
        if len(self.selections) == 1:
            return system_scores(self.selections[0], slug)
        return self._of_all("system_scores", lambda found: system_scores_of(found, slug))

    @cached_property
    def segments(self) -> SegmentScores:
        slug = self.dimension or None
        if len(self.selections) == 1:
            return segment_scores(self.selections[0], slug)
        return self._of_all("segment_scores", lambda found: segment_scores_of(found, slug))

    def _of_all(self, name: str, compute: Callable[[Observed], Found]) -> Found:
        parts = [name, self.dimension, *(each.fingerprint for each in self.selections)]
        key = hashlib.sha256("\n".join(["project", *parts]).encode()).hexdigest()
        return get_or_compute(
            key,
            lambda: compute(join([load(each) for each in self.selections], self.identity)),
            group=self.selections[0].campaign.pk,
            is_current=lambda: all(each.is_current for each in self.selections),
        )

    @cached_property
    def systems(self) -> list[RankedSystem]:
        """Best first; those without a score are left out."""
        scores = self.scores
        order = [i for i in scores.order.astype(int) if not np.isnan(scores.mean[i])]
        return [
            RankedSystem(
                name=str(scores.names[i]),
                score=float(scores.mean[i]),
                low=float(scores.low[i]),
                high=float(scores.high[i]),
                rank_low=int(scores.rank_low[i]),
                rank_high=int(scores.rank_high[i]),
                cluster=int(scores.cluster[i]),
                n_segments=int(scores.n_segments[i]),
                n_judgments=int(scores.n_judgments[i]),
            )
            for i in order
        ]

    @cached_property
    def cost(self) -> CostOfDecisions:
        """Of the pairs of systems of which one is better, as the ranks count them: a system's best
        rank is 1 + the systems that are better."""
        seconds = np.concatenate([times_of(each)["seconds"] for each in self.selections])
        decided = sum(each.rank_low - 1 for each in self.systems)
        return CostOfDecisions.of(seconds, decided, len(self.systems))


@dataclass(frozen=True)
class RankedSystem:
    """A system among those of one language pair, as `system_scores` has it."""

    name: str
    score: float
    low: float
    high: float
    rank_low: int
    rank_high: int
    cluster: int
    n_segments: int
    n_judgments: int

    @property
    def rank(self) -> float:
        """The middle of its ranks."""
        return (self.rank_low + self.rank_high) / 2

    @property
    def place(self) -> str:
        """Its cluster, with its ranks in brackets."""
        low, high = self.rank_low, self.rank_high
        return f"{self.cluster} ({low})" if low == high else f"{self.cluster} ({low}–{high})"


@dataclass(frozen=True)
class SystemAverages:
    """The systems of a project by the columns of one protocol: ``ranks`` (S, P), the middle of its
    ranks in each language pair, NaN where it was not judged."""

    names: tuple[str, ...]
    pairs: tuple[str, ...]
    ranks: np.ndarray
    macro: MacroRanks


@dataclass(frozen=True)
class ProjectResults:
    """The campaigns of a project that a reader may see, ``n_hidden`` others, and what is found.

    ``dimensions``: what a campaign is ranked by, by its number, where that was chosen;
    ``identify``: gives `identities`. For files and charts it says, as a selection does, which
    judgments count.
    """

    project: Project
    selections: tuple[Selection, ...]
    n_hidden: int
    dimensions: Mapping[int, str] = field(default_factory=dict)
    identify: Callable[[TestSet], dict[int, str]] = identities

    @classmethod
    def of(cls, user, project: Project, site: str = "") -> ProjectResults:
        """Return what the user may see of a project; a few statements for each campaign."""
        campaigns, n_hidden = access.campaigns_of_project(user, project)
        return cls.of_campaigns(project, campaigns, n_hidden, site)

    @classmethod
    def of_campaigns(
        cls, project: Project, campaigns: Iterable[Campaign], n_hidden: int = 0, site: str = ""
    ) -> ProjectResults:
        """Return some campaigns of a project, whoever may see them."""
        found = tuple(replace(Selection.of(campaign), site=site) for campaign in campaigns)
        chosen = dict(project.joined.exclude(dimension="").values_list("campaign", "dimension"))
        return cls(project, found, n_hidden, chosen)

    def dimension_of(self, campaign: Campaign) -> str:
        """Return what its systems are ranked by: what was chosen, else the first that it asks; ""
        for comparisons."""
        asked = [each.slug for each in dimensions_of(campaign)]
        chosen = self.dimensions.get(campaign.pk)
        return chosen if chosen in asked else next(iter(asked), "")

    @property
    def listed(self) -> list[tuple[Campaign, str]]:
        """Its campaigns, and the name of what each is ranked by where it asks several things."""
        found = []
        for campaign in (each.campaign for each in self.selections):
            names = {each.slug: each.name for each in dimensions_of(campaign)}
            said = names[self.dimension_of(campaign)] if len(names) > 1 else ""
            found.append((campaign, said))
        return found

    @cached_property
    def all_columns(self) -> list[JoinedCampaigns]:
        """In the order in which campaigns were made, those of one language pair together."""
        sets = {each.campaign.test_set_id: each.campaign.test_set for each in self.selections}
        known = {pk: self.identify(test_set) for pk, test_set in sets.items()}
        texts = sharing(sets.values(), known)
        found: dict[tuple[Any, ...], list[Selection]] = {}
        for selection in self.selections:
            campaign = selection.campaign
            asked = dimensions_of(campaign)
            of = texts[campaign.test_set_id], campaign.preset, self.dimension_of(campaign)
            place = (pair_of(campaign.test_set), *of, repr(asked))
            found.setdefault(place, []).append(selection)
        columns = []
        for (pair, first, preset, slug, _), selections in found.items():
            identity: dict[int, str] = {}
            for each in selections:
                identity |= known[each.campaign.test_set_id]
            columns.append(JoinedCampaigns(pair, first, preset, slug, tuple(selections), identity))
        places = {pair: n for n, pair in reversed(list(enumerate(c.pair for c in columns)))}
        return sorted(columns, key=lambda each: places[each.pair])

    @cached_property
    def columns(self) -> list[JoinedCampaigns]:
        """Those that rank systems."""
        return [each for each in self.all_columns if each.systems]

    @cached_property
    def without_scores(self) -> list[str]:
        """The names of campaigns that do not rank systems, yet or at all."""
        empty = [each for each in self.all_columns if not each.systems]
        return [selection.campaign.name for each in empty for selection in each.selections]

    @cached_property
    def protocols(self) -> dict[str, str]:
        """What tells them apart, and their names; those of the most language pairs first."""
        pairs: dict[str, set[tuple[str, str]]] = {}
        names = {}
        for each in self.columns:
            pairs.setdefault(each.asks, set()).add(each.pair)
            names[each.asks] = each.protocol_name
        order = sorted(pairs, key=lambda each: -len(pairs[each]))
        return {each: names[each] for each in order}

    @cached_property
    def kinds(self) -> dict[str, str]:
        """Of systems that are stated to be human or controls, by their names."""
        found: dict[str, str] = {}
        for test_set in dict.fromkeys(each.campaign.test_set for each in self.selections):
            names = dict(test_set.systems.values_list("pk", "name"))
            for pk, facts in facts_of(test_set).items():
                if facts.is_human or facts.is_control:
                    found[names[pk]] = "human" if facts.is_human else "control"
        return found

    @cached_property
    def system_names(self) -> list[str]:
        """All that are ranked anywhere, in the order of their names."""
        return sorted({each.name for column in self.columns for each in column.systems})

    def averages(self, asks: str) -> SystemAverages:
        """Return ranks over the language pairs that one protocol judged. Where it judged several
        test sets of a pair, the pair has the mean over them."""
        if asks not in self._averages:
            self._averages[asks] = self._averages_of(asks)
        return self._averages[asks]

    @cached_property
    def _averages(self) -> dict[str, SystemAverages]:
        return {}

    def _averages_of(self, asks: str) -> SystemAverages:
        columns = [each for each in self.columns if each.asks == asks]
        pairs = list(dict.fromkeys(each.pair_name for each in columns))
        names = sorted({each.name for column in columns for each in column.systems})
        cells: dict[tuple[str, str], list[float]] = {}
        for column in columns:
            for each in column.systems:
                cells.setdefault((each.name, column.pair_name), []).append(each.rank)
        ranks = np.full((len(names), len(pairs)), np.nan)
        for (name, pair), found in cells.items():
            ranks[names.index(name), pairs.index(pair)] = np.mean(found)
        macro = macro_ranks(ranks, rng=np.random.default_rng(SEED))
        return SystemAverages(tuple(names), tuple(pairs), ranks, macro)

    @property
    def sentence(self) -> str:
        """Which judgments count, in one line."""
        return f"{self.project.name}. {sentence_of(self.selections)}"

    @property
    def described(self) -> dict[str, Any]:
        """The same for files."""
        return {
            "sentence": self.sentence,
            "project": self.project.slug,
            "campaigns": [
                each.described | {"dimension": self.dimension_of(each.campaign)}
                for each in self.selections
            ],
            "hidden_campaigns": self.n_hidden,
        }
