"""The page of a test set's references as a list of sections."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from django.utils.translation import gettext as _

from judgments.models import System
from judgments.results.scores import figures as scores_figures
from judgments.results.selection.selection import Selection
from judgments.web.sections import ASIDE, Lazy, Section
from metrics.scorers import Scorer, get_scorer
from metrics.scorers.substitution_types import SubstitutionTypes, TypedCount
from metrics.scorers.substitutions import substitution_pairs
from metrics.scorers.unfound_ngrams import UnfoundNgram, unfound_ngrams
from metrics.scorers.word_figures import WordFigures, word_figures
from metrics.scorers.wordings import Wording, repeated_runs, repeated_sources
from metrics.scorers.wordnet import find_wordnet

from . import diagnosis_tables, tables
from .provenance import PostEditSet, Provenance, post_edit_sets, provenance_of
from .standings import HeldOut, Standings, held_out, standings_of
from .texts import ReferenceTexts

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
                asked.scorer(), texts.outputs, texts.sources.references, self.standings
            ),
            asked.metric,
            asked.tokenize,
        )

    @cached_property
    def people(self) -> np.ndarray | None:
        """The mean over systems of people's scores of each segment, in the order of the test set;
        None without a campaign or without scores of segments."""
        if self.asked.selection is None:
            return None
        scores = scores_figures.segment_scores(self.asked.selection)
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
                del each.pairs[tables.MOST_EXAMPLES :]
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


def of_references(page: ReferencePage) -> Sequence[Section]:
    """What references do to systems, and what they are."""
    several = len(page.texts.names) > 1
    return (
        Section(
            "standings",
            _("Systems under each reference"),
            sentence=lambda: tables.standings_lead(page),
            tables=[Lazy("standings", _("Scores and ranks"), lambda: tables.standings(page))],
        ),
        Section(
            "held-out",
            _("A reference against the others"),
            sentence=lambda: tables.held_out_lead(page),
            tables=[
                Lazy("held-out", _("References as systems"), lambda: tables.held_out(page), ASIDE)
            ],
            exists=lambda: several,
        ),
        Section(
            "unkind",
            _("Segments that a reference makes look bad"),
            sentence=lambda: tables.unkind_lead(page),
            notes=lambda: tables.unkind_notes(page),
            tables=[
                Lazy(
                    "against-people",
                    _("High for people, low for the metric"),
                    lambda: tables.against_people_table(page),
                    ASIDE,
                ),
                Lazy(
                    "unkind",
                    _("Low against one reference, high against another"),
                    lambda: tables.unkind_table(page),
                    ASIDE,
                ),
            ],
            exists=lambda: several or page.people is not None,
        ),
        Section(
            "provenance",
            _("Where the references come from"),
            sentence=lambda: tables.provenance_lead(page),
            notes=lambda: tables.provenance_notes(page),
            tables=[
                Lazy("provenance", _("References"), lambda: tables.provenance_table(page), ASIDE),
                Lazy("post-edits", _("Post-edits"), lambda: tables.post_edit_table(page), ASIDE),
            ],
        ),
    )


def of_words(page: ReferencePage) -> Sequence[Section]:
    """Forsbom's diagnosis over the whole set."""
    has_system = page.asked.system is not None
    words = diagnosis_tables
    return (
        Section(
            "diagnosis",
            _("Order or word choice: NEVA − WAFT"),
            sentence=lambda: words.diagnosis_lead(page),
            charts=[Lazy("neva-waft", _("NEVA − WAFT"), lambda: words.diagnosis_chart(page))],
            tables=[
                Lazy("above", _("Segments with NEVA above WAFT"), lambda: words.above(page), ASIDE),
                Lazy("by-system", _("All systems"), lambda: words.by_system(page), ASIDE),
            ],
            remark=lambda: str(words.OF_DIAGNOSIS),
            exists=lambda: has_system,
        ),
        Section(
            "unfound",
            _("Words and runs that the other side never has"),
            sentence=lambda: words.unfound_lead(page),
            tables=[
                Lazy("unfound", _("Only in references"), lambda: words.missing(page), ASIDE),
                Lazy("unwanted", _("Only in outputs"), lambda: words.unwanted(page), ASIDE),
            ],
            remark=lambda: str(words.OF_UNFOUND),
            exists=lambda: has_system,
        ),
        Section(
            "kinds",
            _("Substitutions by kind"),
            sentence=lambda: words.kinds_lead(page),
            notes=lambda: words.kinds_notes(page),
            tables=[
                Lazy("kinds", _("Kinds"), lambda: words.kinds(page), ASIDE),
                Lazy("examples", _("The most frequent"), lambda: words.examples(page), ASIDE),
            ],
            remark=lambda: str(words.OF_KINDS),
            exists=lambda: has_system,
        ),
        Section(
            "wordings",
            _("Inconsistent wordings of references"),
            sentence=lambda: words.wordings_lead(page),
            tables=[
                Lazy("same-source", _("Equal sources"), lambda: words.same_sources(page), ASIDE),
                Lazy("same-run", _("Shared runs of words"), lambda: words.same_runs(page), ASIDE),
            ],
            remark=lambda: str(words.OF_WORDINGS),
        ),
    )
