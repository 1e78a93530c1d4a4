"""Results of the campaigns of a project: language pairs, and the systems of each."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, TypeVar

import numpy as np

from judgments.models import Campaign, Project, TestSet, facts_of
from judgments.people import access
from judgments.plans.choice import draws_systems
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
from judgments.results.scores.pair_test import PairTest, pair_test_of
from judgments.results.selection.selection import Selection, sentence_of
from judgments.stats.macro_ranks import MacroRanks, macro_ranks
from judgments.web.cache import get_or_compute

Found = TypeVar("Found")


@dataclass(frozen=True)
class JoinedCampaigns:
    """Campaigns of one language pair that asked the same about texts that they share.

    ``texts``: the number of the first of their test sets; ``preset``: slug; ``dimension``: by which
    systems are ranked, "" for comparisons; ``identity``: of segments.
    """

    pair: tuple[str, str]
    texts: int
    preset: str
    dimension: str
    selections: tuple[Selection, ...]
    identity: dict[int, str]
    is_split: bool = False  # other campaigns asked the same and decide by another test

    @property
    def pair_name(self) -> str:
        return "–".join(self.pair)

    @cached_property
    def protocol_name(self) -> str:
        """The name of the preset; with the dimension by which systems are ranked, if there is a
        choice or the preset leaves it to the campaign."""
        preset = protocol_of(self.selections[0].campaign).preset
        asked = dimensions_of(self.selections[0].campaign)
        names = {each.slug: each.name for each in asked}
        known = {each.slug for each in preset.dimensions}
        if not asked or (len(asked) == 1 and self.dimension in known):
            return str(preset.name)
        return f"{names[self.dimension]} ({preset.name})"

    @property
    def asks(self) -> str:
        """The key of the protocol: the slugs of preset and dimension."""
        return f"{self.preset} {self.dimension}".strip()

    @property
    def name(self) -> str:
        campaigns = [each.campaign.name for each in self.selections] if self.is_split else []
        return ", ".join([self.pair_name, self.protocol_name, *campaigns])

    @property
    def pair_test(self) -> PairTest:
        """By which each of the campaigns decides which systems differ."""
        return pair_test_of(self.selections[0].campaign)

    def compares_as(self, other: JoinedCampaigns) -> bool:
        """Return whether scores of both are on one scale."""
        are_drawn = any(draws_systems(each.selections[0].campaign) for each in (self, other))
        return self.pair_test.compared_by == other.pair_test.compared_by and not are_drawn

    @cached_property
    def scores(self) -> SystemScores:
        """The scores: of a single campaign as on its page *Scores*; of several by all judgments
        together."""
        slug, how = self.dimension or None, self.pair_test
        if len(self.selections) == 1:
            return system_scores(self.selections[0], slug)
        return self._of_all(
            "system_scores", lambda found: system_scores_of(found, slug, how.compared_by, how=how)
        )

    @cached_property
    def segments(self) -> SegmentScores:
        slug, method = self.dimension or None, self.pair_test.compared_by
        if len(self.selections) == 1:
            return segment_scores(self.selections[0], slug)
        return self._of_all("segment_scores", lambda found: segment_scores_of(found, slug, method))

    def _of_all(self, name: str, compute: Callable[[Observed], Found]) -> Found:
        how = repr(self.pair_test)
        parts = [name, self.dimension, how, *(each.fingerprint for each in self.selections)]
        key = hashlib.sha256("\n".join(["project", *parts]).encode()).hexdigest()
        return get_or_compute(
            key,
            lambda: compute(join([load(each) for each in self.selections], self.identity)),
            group=self.selections[0].campaign.pk,
            is_current=lambda: all(each.is_current for each in self.selections),
        )

    @cached_property
    def systems(self) -> list[RankedSystem]:
        """The systems, best first, without those that have no score or no rank."""
        scores = self.scores
        known = ~np.isnan(scores.mean) & ~np.isnan(scores.rank_low)
        order = [i for i in scores.order.astype(int) if known[i]]
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
        """The cost per decided pair of systems, counted as in the ranks: a system's best rank is 1
        + the number of better systems."""
        seconds = np.concatenate([times_of(each)["seconds"] for each in self.selections])
        decided = sum(each.rank_low - 1 for each in self.systems)
        return CostOfDecisions.of(seconds, decided, len(self.systems))


@dataclass(frozen=True)
class RankedSystem:
    """A system among those of one language pair, as in `system_scores`."""

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
    ranks in each language pair, NaN if it was not judged."""

    names: tuple[str, ...]
    pairs: tuple[str, ...]
    ranks: np.ndarray
    macro: MacroRanks


@dataclass(frozen=True)
class ProjectResults:
    """The campaigns of a project that a reader may see, ``n_hidden`` others, and their results.

    ``dimensions``: the chosen dimension by which a campaign is ranked, by its number; ``identify``:
    returns `identities`. For files and charts it describes, like a selection, which judgments
    count.
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
        """Return some campaigns of a project, regardless of who may see them."""
        found = tuple(replace(Selection.of(campaign), site=site) for campaign in campaigns)
        chosen = dict(project.joined.exclude(dimension="").values_list("campaign", "dimension"))
        return cls(project, found, n_hidden, chosen)

    def dimension_of(self, campaign: Campaign) -> str:
        """Return the dimension by which its systems are ranked: the chosen one, otherwise the
        first; "" for comparisons."""
        asked = [each.slug for each in dimensions_of(campaign)]
        chosen = self.dimensions.get(campaign.pk)
        return chosen if chosen in asked else next(iter(asked), "")

    @property
    def listed(self) -> list[tuple[Campaign, str]]:
        """Its campaigns, and the name of the dimension by which each is ranked if it has
        several."""
        found = []
        for campaign in (each.campaign for each in self.selections):
            names = {each.slug: each.name for each in dimensions_of(campaign)}
            said = names[self.dimension_of(campaign)] if len(names) > 1 else ""
            found.append((campaign, said))
        return found

    @cached_property
    def alike(self) -> list[JoinedCampaigns]:
        """Campaigns that asked the same, in the order in which they were created, those of one
        language pair together."""
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
    def all_columns(self) -> list[JoinedCampaigns]:
        """All columns: of the campaigns that asked the same, those together that also decide by the
        same test which systems differ. A campaign that draws systems is alone, since its
        differences are weighted."""
        columns = []
        for each in self.alike:
            by_test: dict[object, list[Selection]] = {}
            for selection in each.selections:
                campaign = selection.campaign
                drawn = campaign.pk if draws_systems(campaign) else None
                by_test.setdefault((pair_test_of(campaign), drawn), []).append(selection)
            is_split = len(by_test) > 1
            columns += [
                replace(each, selections=tuple(some), is_split=is_split)
                for some in by_test.values()
            ]
        return columns

    @cached_property
    def columns(self) -> list[JoinedCampaigns]:
        """The columns that rank systems."""
        return [each for each in self.all_columns if each.systems]

    @cached_property
    def without_scores(self) -> list[str]:
        """The names of campaigns that do not (yet) rank systems."""
        empty = [each for each in self.all_columns if not each.systems]
        return [selection.campaign.name for each in empty for selection in each.selections]

    @cached_property
    def protocols(self) -> dict[str, str]:
        """The keys of the protocols, and their names; those of the most language pairs first."""
        pairs: dict[str, set[tuple[str, str]]] = {}
        names = {}
        for each in self.columns:
            pairs.setdefault(each.asks, set()).add(each.pair)
            names[each.asks] = each.protocol_name
        order = sorted(pairs, key=lambda each: -len(pairs[each]))
        return {each: names[each] for each in order}

    @cached_property
    def kinds(self) -> dict[str, str]:
        """The kinds of systems that are stated to be human or controls, by their names."""
        found: dict[str, str] = {}
        for test_set in dict.fromkeys(each.campaign.test_set for each in self.selections):
            names = dict(test_set.systems.values_list("pk", "name"))
            for pk, facts in facts_of(test_set).items():
                if facts.is_human or facts.is_control:
                    found[names[pk]] = "human" if facts.is_human else "control"
        return found

    @cached_property
    def system_names(self) -> list[str]:
        """All ranked systems, sorted by name."""
        return sorted({each.name for column in self.columns for each in column.systems})

    def averages(self, asks: str) -> SystemAverages:
        """Return ranks over the language pairs that one protocol judged. If it judged several test
        sets of a pair, the pair has the mean over them."""
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
        """The judgments that count, in one line."""
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
