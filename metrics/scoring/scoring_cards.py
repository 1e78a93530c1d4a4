"""Purposes of metrics: a card of stated facts, each with a reason.

The questions are those of Forsbom (2003, "Training a super model look-alike: featuring edit
distance, n-gram occurrence, and one reference translation", Workshop on Machine Translation
Evaluation, MT Summit IX), who asked them of WA, WAFT, BLEU, NEVA and NIST. A campaign's
measurements are shown next to it (metrics.with_people.card_figures).
"""

from dataclasses import dataclass, replace

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from metrics.scorers import SCORERS

VERDICTS: dict[str, str | Promise] = {"yes": _("yes"), "care": _("with care"), "no": _("no")}
QUESTIONS: dict[str, str | Promise] = {
    "declarative": _("Declarative: how good is this system?"),
    "progressive": _("Progressive: is this version better than the last?"),
    "diagnostic": _("Diagnostic: what is wrong?"),
    "system": _("Systems"),
    "document": _("Documents"),
    "segment": _("Segments"),
    "text_types": _("Types of text"),
}


@dataclass(frozen=True)
class Suitability:
    """``verdict``: a key of VERDICTS; ``reason``: a sentence."""

    verdict: str
    reason: str | Promise

    @property
    def words(self) -> str | Promise:
        return VERDICTS[self.verdict]


@dataclass(frozen=True)
class ScoringCard:
    """An answer to each of QUESTIONS, and what a metric ``needs`` in addition to the outputs."""

    declarative: Suitability
    progressive: Suitability
    diagnostic: Suitability
    system: Suitability
    document: Suitability
    segment: Suitability
    text_types: Suitability
    needs: str | Promise

    @property
    def answers(self) -> list[tuple[str, str | Promise, Suitability]]:
        """(key, question, answer) in the order of QUESTIONS."""
        return [(key, question, getattr(self, key)) for key, question in QUESTIONS.items()]


def yes(reason: str | Promise) -> Suitability:
    return Suitability("yes", reason)


def care(reason: str | Promise) -> Suitability:
    return Suitability("care", reason)


def no(reason: str | Promise) -> Suitability:
    return Suitability("no", reason)


SUMMED = yes(_("Counts are summed over the segments of the test set before they are divided."))
AVERAGED = yes(_("The mean of its segments."))
OF_DOCUMENTS = yes(_("Counts are summed over the segments of the document."))
SAME_SET = yes(_("On one test set, with one signature; test whether the difference is chance."))
ONE_REFERENCE = _(
    "One reference is enough to rank systems; several raise the score and hardly change the "
    "ranking "
    "(Forsbom 2003). A tokenizer for the target language."
)
ANY_WORDS = care(
    _("Where many wordings are right, as in free or literary texts, it needs several references.")
)

# Word counts against references; the differences are replaced.
WORDS = ScoringCard(
    declarative=yes(
        _(
            "On one scale, whose best end is the reference itself. It depends on references, "
            "tokenizer and language: state the signature."
        )
    ),
    progressive=SAME_SET,
    diagnostic=no(_("One number; it does not say which words are wrong.")),
    system=SUMMED,
    document=OF_DOCUMENTS,
    segment=care(
        _("A short segment has few possible scores, and another right wording counts as wrong.")
    ),
    text_types=ANY_WORDS,
    needs=ONE_REFERENCE,
)
EDITED = replace(
    WORDS,
    diagnostic=yes(
        _(
            "Its edits can be aligned with the words: variants, inflections, wrong words "
            "(Forsbom 2003). A phrase in another place is many edits."
        )
    ),
)
ABOVE_100 = no(
    _("A short reference and a longer output give more than 100, far from all other segments.")
)
FORSBOM = yes(
    _("Edit distance and runs of words served for news and for technical manuals (Forsbom 2003).")
)

# Neural networks that learned from people's ratings.
LEARNED = ScoringCard(
    declarative=care(
        _(
            "The scale is the model's own: no value means the same in another model, and "
            "none is a share."
        )
    ),
    progressive=care(
        _("Also for systems that differ much; not for one that was trained or chosen with it.")
    ),
    diagnostic=no(_("One number; it does not say what is wrong.")),
    system=AVERAGED,
    document=care(_("The mean of its segments, each read without the others.")),
    segment=yes(_("It learned from ratings of segments; many together are sounder than one.")),
    text_types=care(_("Best on texts like those of its ratings, mostly news.")),
    needs=_(
        "A model that people's ratings trained, and a language model that knows both languages."
    ),
)
UNKNOWING = no(_("It knows nothing about the translation's quality."))
SENTINEL = ScoringCard(
    declarative=UNKNOWING,
    progressive=UNKNOWING,
    diagnostic=UNKNOWING,
    system=UNKNOWING,
    document=UNKNOWING,
    segment=UNKNOWING,
    text_types=UNKNOWING,
    needs=_("Nothing else. What a real metric has to beat (Perrella et al. 2024)."),
)
LINKED = replace(
    WORDS,
    declarative=yes(_("Of word aligners, not of translations: 0 is what people linked.")),
    diagnostic=care(
        _("Precision and recall next to it distinguish superfluous links from missing ones.")
    ),
    segment=care(_("A short sentence has few links.")),
    text_types=care(_("Texts whose words people have linked.")),
    needs=_("Links of the same words by people."),
)

CARDS: dict[str, ScoringCard] = {
    "bleu": replace(
        WORDS,
        diagnostic=care(
            _(
                "The runs of words that are not found can be listed; one wrong word breaks "
                "up to four of them."
            )
        ),
        segment=no(
            _(
                "Without a common run of four words, or with fewer words, it is 0 or undefined "
                "(Forsbom 2003); smoothing gives a number, which is mostly noise."
            )
        ),
        text_types=FORSBOM,
    ),
    "nist": replace(
        WORDS,
        declarative=no(
            _(
                "Its value depends on the words of the test set: two outputs that equal "
                "their references "
                "can score 4.6 and 8.0 (Forsbom 2003)."
            )
        ),
        document=care(_("A document of rare words scores higher than one of frequent words.")),
        segment=no(
            _("A segment of rare words scores higher than one of frequent words, equally good.")
        ),
    ),
    "gleu": replace(
        WORDS, segment=yes(_("Made as a reward for single sentences; every segment has a score."))
    ),
    "chrf": replace(
        WORDS,
        segment=care(_("Fewer segments are 0 than by runs of words; it does not see meaning.")),
        needs=_("One reference. No tokenizer; the languages share a script."),
    ),
    "ter": replace(
        EDITED,
        diagnostic=yes(_("Its edits can be listed, and a moved run of words is one edit.")),
        segment=ABOVE_100,
    ),
    "hter": replace(
        EDITED,
        declarative=yes(_("The share of words that an editor changed in this output.")),
        progressive=care(_("Each version needs post-edits of its own, by the same people.")),
        diagnostic=yes(_("The edits are what a person found wrong, and can be listed.")),
        segment=care(_("Editors differ; a short segment can pass 100 unless it is capped.")),
        text_types=yes(_("Any that people can edit.")),
        needs=_("A post-edit of every output."),
    ),
    "wer": replace(EDITED, segment=ABOVE_100),
    "per": replace(
        WORDS,
        diagnostic=care(_("Next to WER: a low PER under a high WER points to the order of words.")),
        segment=ABOVE_100,
    ),
    "wa": replace(
        EDITED,
        segment=no(
            _(
                "It falls below 0 where the output is longer than a short reference: −100 "
                "for two words "
                "against another one (Forsbom 2003)."
            )
        ),
        text_types=FORSBOM,
    ),
    "waft": replace(
        EDITED,
        segment=yes(
            _("Divided by the longer text, it is from 0 to 100 for every segment (Forsbom 2003).")
        ),
        text_types=FORSBOM,
    ),
    "neva": replace(
        WORDS,
        diagnostic=yes(
            _(
                "What is right always counts and the runs not found can be listed; above "
                "WAFT it hints at "
                "order (Forsbom 2003)."
            )
        ),
        segment=yes(
            _(
                "No run is longer than the segment, and one without a match costs only its part "
                "(Forsbom 2003)."
            )
        ),
        text_types=FORSBOM,
    ),
    "precision": replace(
        WORDS,
        declarative=care(_("A single right word has 100; read it together with recall.")),
        progressive=care(_("It rises when words are left out; read it together with recall.")),
        diagnostic=care(_("Low compared with recall: too many words.")),
    ),
    "recall": replace(
        WORDS,
        declarative=care(
            _("An output with many words has a high one; read it together with precision.")
        ),
        progressive=care(_("It rises when words are added; read it together with precision.")),
        diagnostic=care(_("Low compared with precision: missing words.")),
    ),
    "f_measure": replace(
        WORDS, diagnostic=no(_("One number without order; precision and recall say more."))
    ),
    "ribes": replace(
        WORDS,
        declarative=care(_("It is about order; which words are right counts little.")),
        diagnostic=care(_("Low where a metric of words is high: order.")),
        segment=care(_("Segments of two or three words have next to no order.")),
    ),
    "meteor": replace(
        WORDS,
        declarative=care(
            _("Scores of two languages, or of other parameters, have different scales.")
        ),
        diagnostic=care(_("Matches and pieces next to it distinguish words from order.")),
        segment=yes(_("Made to agree with people's judgments of segments.")),
        needs=_(
            "One reference. Parameters and a stemmer for the language; synonyms for English "
            "(WordNet)."
        ),
    ),
    "comet": LEARNED,
    "cometkiwi": replace(
        LEARNED,
        needs=_(
            "No reference. A model that people's ratings trained and that knows both languages."
        ),
    ),
    "metricx": replace(
        LEARNED,
        declarative=care(_("0 to 25, like the weighted errors that it learned from, not counts.")),
    ),
    "bertscore": replace(
        LEARNED,
        declarative=care(
            _("Unrelated texts have about 0.83 in English, unless scores are rescaled.")
        ),
        segment=care(_("A negation, a name or a number hardly changes it.")),
        text_types=care(_("Texts that the language model knows; no ratings were used.")),
        needs=_("One reference. A language model of the target language."),
    ),
    "bleurt": replace(
        LEARNED,
        needs=_(
            "One reference. A model that people's ratings trained and that knows the language."
        ),
    ),
    "ngram_lm": ScoringCard(
        declarative=no(
            _("Its value depends on the corpus, the language and the words of the test set.")
        ),
        progressive=care(_("Fluency alone, on one test set with one corpus.")),
        diagnostic=no(_("One number; improbable words need not be wrong.")),
        system=care(_("It favors systems that play safe with frequent words.")),
        document=care(_("It favors documents like its corpus.")),
        segment=care(_("Rare words lower it, right or wrong.")),
        text_types=care(_("Texts of the kind of its corpus.")),
        needs=_("No reference. A text of the target language, on which it is trained."),
    ),
    "aer": LINKED,
    "alignment_error": LINKED,
    "length_ratio": replace(
        SENTINEL, diagnostic=care(_("Far from 1 something was left out, added or lost."))
    ),
    "source_length": SENTINEL,
    "random": SENTINEL,
}
CARDS["chrfpp"] = CARDS["chrf"]
CARDS["metricx_qe"] = replace(CARDS["metricx"], needs=CARDS["cometkiwi"].needs)


def card_of(slug: str) -> ScoringCard | None:
    """Return the card of a metric; None for one from a package or a file, which the site knows
    nothing about."""
    return CARDS.get(slug)


def all_cards() -> list[tuple[str, str, ScoringCard]]:
    """Return slug, name and card of every metric with a card, in the order of the registry."""
    return [(slug, each.name, CARDS[slug]) for slug, each in SCORERS.items() if slug in CARDS]
