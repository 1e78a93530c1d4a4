"""What a reader asks of the references of a test set, and what is found when a page asks."""

from dataclasses import dataclass
from functools import cached_property, partial
from hashlib import sha256

import numpy as np

from judgments.models import ReferenceFacts, System, facts_of, reference_facts_of
from judgments.protocols import protocol_of
from judgments.results.scores import figures as scores_figures
from judgments.results.scores.figures import SegmentScores
from judgments.results.selection.selection import Selection
from metrics.scorers import Scorer, get_scorer
from metrics.scorers.substitution_types import SubstitutionTypes, TypedCount
from metrics.scorers.substitutions import substitution_pairs
from metrics.scorers.unfound_ngrams import UnfoundNgram, unfound_ngrams
from metrics.scorers.word_figures import WordFigures, word_figures
from metrics.scorers.wordings import Wording, repeated_runs, repeated_sources
from metrics.scorers.wordnet import find_wordnet

from ..board import board_of
from ..donor_effect import DonorEffect, donor_effect
from ..donors import donor_places
from ..judged_segments import Judged, judged_in
from ..study import StudyChoice, first_choice, is_judged
from .choices import (
    LEVELS,
    SEED,
    ChoiceScores,
    choice_scores,
    frame_of,
    of_documents,
    scores_of_system,
)
from .corrections import (
    ChangedWords,
    CorrectedReference,
    changed_words,
    corrected_references,
)
from .donors import DonorStanding, StatedOrigin, donor_standings, stated_origins
from .provenance import PostEditSet, Provenance, post_edit_sets, provenance_of
from .standings import HeldOut, Standings, held_out, standings_of
from .texts import ReferenceTexts

MOST_EXAMPLES = 12  # of a kind of substitution
# Metrics that a page can compute while somebody waits; those of shifts and alignments take longer.
METRICS = ("bleu", "chrf", "chrfpp", "gleu", "nist", "neva", "waft")


@dataclass(frozen=True)
class ReferencesAsked:
    """What a reader chose: a metric of METRICS, a system of the test set (None: it has none), how
    words are told apart, and whose judgments stand beside the metric, None for nobody's."""

    metric: str
    system: System | None
    tokenize: str
    selection: Selection | None = None

    def scorer(self) -> Scorer:
        scorer = get_scorer(self.metric)
        if "tokenize" in scorer.option_names():
            scorer = get_scorer(self.metric, tokenize=self.tokenize)
        return scorer


@dataclass
class ReferencePage:
    """What the sections are made of, computed when asked for and kept until a text changes."""

    texts: ReferenceTexts
    asked: ReferencesAsked

    @cached_property
    def standings(self) -> Standings:
        texts, asked = self.texts, self.asked
        return texts.kept(
            "standings",
            lambda: standings_of(asked.scorer(), texts.outputs, texts.sources.references),
            asked.metric,
            asked.tokenize,
        )

    @cached_property
    def held_out(self) -> list[HeldOut]:
        texts, asked = self.texts, self.asked
        return texts.kept(
            "held out",
            lambda: held_out(
                asked.scorer(),
                texts.outputs,
                texts.sources.references,
                self.standings,
                self.counted,
            ),
            asked.metric,
            asked.tokenize,
            *self.counted,
        )

    @cached_property
    def counted(self) -> tuple[int, ...]:
        """Places of the references that are translations of their own: no corrected copies."""
        copies = {copy.reference for each in self.corrected for copy in each.copies}
        return tuple(r for r in range(len(self.texts.names)) if r not in copies)

    @cached_property
    def corrected(self) -> list[CorrectedReference]:
        """Originals with their corrected copies, as the owner of the test set states them."""
        stated = {name: each for name, each in self.facts.items() if each.original}
        if not stated:
            return []
        said = [(name, each.original, each.step) for name, each in sorted(stated.items())]
        return self.texts.kept(
            "corrected",
            lambda: corrected_references(self.texts.names, self.texts.sources.references, stated),
            *said,
        )

    @cached_property
    def corrected_words(self) -> list[ChangedWords]:
        texts, tokenize = self.texts, self.asked.tokenize
        return texts.kept(
            "corrected words",
            lambda: changed_words(self.corrected, texts.sources.references, tokenize),
            tokenize,
            *((copy.reference, copy.before) for each in self.corrected for copy in each.copies),
        )

    @cached_property
    def choices(self) -> ChoiceScores:
        """Kept system by system: a request whose time is over leaves what it has for the next."""
        texts, scorer = self.texts, self.asked.scorer()
        references = [texts.sources.references[r] for r in self.counted]
        rng = np.random.default_rng(SEED)
        frame = frame_of(references, texts.documents, len(texts.systems), rng)
        of_systems = [
            texts.kept(
                "choices",
                partial(scores_of_system, scorer, outputs, frame),
                *self.of_choices(system),
            )
            for system, outputs in zip(texts.systems, texts.outputs, strict=True)
        ]
        return choice_scores(frame, of_systems)

    def of_choices(self, system: System) -> tuple[object, ...]:
        """Return what the scores of a system depend on, besides the texts."""
        return (system.pk, self.asked.metric, self.asked.tokenize, *self.counted)

    @property
    def has_choices(self) -> bool:
        """Whether they are there without computing anything."""
        systems = self.texts.systems
        return all(self.texts.has("choices", *self.of_choices(system)) for system in systems)

    @cached_property
    def people_by_level(self) -> dict[str, np.ndarray] | None:
        """People's scores of the systems (S, 1), of documents (S, D) and of segments (S, N) of
        ``choices``; None without a campaign."""
        selection = self.asked.selection
        if selection is None:
            return None
        rows = {system.pk: s for s, system in enumerate(self.texts.systems)}
        whole = np.full((len(rows), 1), np.nan)
        systems = scores_figures.system_scores(selection)
        for pk, mean in zip(systems.system_ids.tolist(), systems.mean, strict=True):
            if pk in rows:
                whole[rows[pk]] = mean
        places, found = self.judged.places, np.full((len(rows), len(self.texts.keys)), np.nan)
        scores = self.scores_of_segments
        for pk, values in zip(scores.system_ids.tolist(), scores.values, strict=True):
            if pk in rows:
                found[rows[pk], places] = values
        used = self.choices.places
        documents, segments = of_documents(found, self.texts.documents, used), found[:, used]
        if self.judges_documents:
            known = np.unique(self.texts.documents[used]).tolist()
            segments = np.full_like(segments, np.nan)
            documents = np.full((len(rows), len(known)), np.nan)
            for place in places.tolist():
                if (of := self.texts.documents[place]) in known:
                    documents[:, known.index(of)] = found[:, place]
        return dict(zip(LEVELS, (whole, documents, segments), strict=True))

    @cached_property
    def scores_of_segments(self) -> SegmentScores:
        """Of the campaign that was asked for."""
        assert self.asked.selection is not None
        return scores_figures.segment_scores(self.asked.selection)

    @cached_property
    def judged(self) -> Judged:
        """Where these stand in the test set: segments, or the documents that they begin."""
        assert self.asked.selection is not None
        campaign, scores = self.asked.selection.campaign, self.scores_of_segments
        of_document = protocol_of(campaign).rates_documents(scores.dimension or "")
        return judged_in(campaign, scores.segment_ids, of_document)

    @property
    def judges_documents(self) -> bool:
        """Whether people scored whole documents, and so no segments."""
        return self.asked.selection is not None and self.judged.documents is not None

    @cached_property
    def people(self) -> np.ndarray | None:
        """The mean over systems of people's scores of each segment, in the order of the test set;
        None without a campaign or where people scored whole documents."""
        if self.asked.selection is None or self.judges_documents:
            return None
        scores = self.scores_of_segments
        place = {pk: i for i, pk in enumerate(self.texts.sources.segment_ids)}
        found = np.full(len(place), np.nan)
        there = ~np.isnan(scores.values)
        n = there.sum(axis=0)
        means = np.where(there, scores.values, 0).sum(axis=0) / np.maximum(n, 1)
        for pk, mean, count in zip(scores.segment_ids.tolist(), means, n, strict=True):
            if count and pk in place:
                found[place[pk]] = mean
        return found

    @cached_property
    def figures(self) -> list[WordFigures]:
        """Of each system."""
        texts, tokenize = self.texts, self.asked.tokenize
        return texts.kept(
            "figures",
            lambda: word_figures(texts.outputs, texts.sources.references, tokenize=tokenize),
            tokenize,
        )

    @cached_property
    def provenance(self) -> list[Provenance]:
        texts = self.texts
        return texts.kept(
            "provenance",
            lambda: provenance_of(
                texts.test_set, texts.names, texts.sources.references, texts.outputs, self.figures
            ),
            self.asked.tokenize,
        )

    @cached_property
    def facts(self) -> dict[str, ReferenceFacts]:
        """What is stated of the references."""
        return reference_facts_of(self.texts.test_set)

    @cached_property
    def donors(self) -> dict[str, np.ndarray]:
        """The donor of each segment, as `donor_places` has it."""
        test_set = self.texts.test_set
        return donor_places(test_set, self.facts, facts_of(test_set))

    @property
    def outputs_by_system(self) -> dict[int, list[str | None]]:
        ids = [system.pk for system in self.texts.systems]
        return dict(zip(ids, self.texts.outputs, strict=True))

    @cached_property
    def origins(self) -> list[StatedOrigin]:
        """What is stated, of every reference. Cheap, and not kept: facts are no texts."""
        texts = self.texts
        known = dict(texts.test_set.systems.values_list("pk", "name"))
        donors = {name: places.tolist() for name, places in self.donors.items()}
        streams = texts.sources.references
        return stated_origins(
            texts.names, streams, self.outputs_by_system, self.facts, donors, known
        )

    @cached_property
    def donor_standings(self) -> list[DonorStanding]:
        texts, asked = self.texts, self.asked
        donors = {texts.names.index(name): each.tolist() for name, each in self.donors.items()}
        mark = sha256(b"".join(each.tobytes() for each in self.donors.values())).hexdigest()
        n = len(texts.names)
        return texts.kept(
            "donor standings",
            lambda: donor_standings(
                asked.scorer(),
                self.outputs_by_system,
                texts.sources.references,
                donors,
                self.standings.scores[:n],
            ),
            asked.metric,
            asked.tokenize,
            *self.donors,
            mark,
        )

    @cached_property
    def donor_effect(self) -> DonorEffect | None:
        """What donors change of metrics against the people of the campaign that was asked for."""
        selection = self.asked.selection
        if selection is None or not is_judged(selection):
            return None
        choice = StudyChoice(first_choice(selection.campaign))
        return donor_effect(selection, choice, board_of(selection.campaign.test_set))

    @cached_property
    def alike(self) -> np.ndarray:
        """WAFT of each reference (row) against each other one, (R, R)."""
        texts, tokenize = self.texts, self.asked.tokenize
        streams = texts.sources.references
        return texts.kept(
            "alike",
            lambda: np.array(
                [f.closeness for f in word_figures(streams, streams, tokenize=tokenize)]
            ),
            tokenize,
        )

    @cached_property
    def post_edits(self) -> list[PostEditSet]:
        return post_edit_sets(self.texts.test_set)

    @cached_property
    def unfound(self) -> tuple[list[UnfoundNgram], list[UnfoundNgram]]:
        """Of references, and of outputs."""
        texts, tokenize = self.texts, self.asked.tokenize
        return texts.kept(
            "unfound",
            lambda: unfound_ngrams(texts.sources.references, texts.outputs, tokenize=tokenize),
            tokenize,
        )

    @cached_property
    def types(self) -> SubstitutionTypes:
        language = self.texts.test_set.target_language.partition("-")[0].lower()
        return SubstitutionTypes(language, find_wordnet() if language == "en" else None)

    @cached_property
    def substitutions(self) -> dict[str, TypedCount]:
        """Of the system that was asked for, by kind."""
        texts, system = self.texts, self.asked.system
        assert system is not None
        outputs = texts.outputs[texts.systems.index(system)]

        def compute() -> dict[str, TypedCount]:
            pairs = substitution_pairs(
                outputs, texts.sources.references, tokenize=self.asked.tokenize, most=None
            )
            found = self.types.sort(pairs)
            for each in found.values():
                del each.pairs[MOST_EXAMPLES:]
            return found

        return texts.kept("substitutions", compute, *self.of_system)

    @property
    def of_system(self) -> tuple[object, ...]:
        """What substitutions depend on, besides the texts."""
        system = self.asked.system
        return (system and system.pk, self.asked.tokenize, *self.types.unknown)

    @property
    def has_words(self) -> bool:
        """Whether the sections of words are there without computing anything that takes long."""
        texts, tokenize = self.texts, self.asked.tokenize
        return texts.has("unfound", tokenize) and texts.has("substitutions", *self.of_system)

    @cached_property
    def wordings(self) -> list[tuple[str, list[Wording], list[Wording]]]:
        """Of each reference its name, equal sources, and runs that sources share."""
        texts = self.texts

        def compute() -> list[tuple[str, list[Wording], list[Wording]]]:
            sources = texts.sources.sources
            return [
                (name, repeated_sources(sources, stream), repeated_runs(sources, stream))
                for name, stream in zip(texts.names, texts.sources.references, strict=True)
            ]

        return texts.kept("wordings", compute)
