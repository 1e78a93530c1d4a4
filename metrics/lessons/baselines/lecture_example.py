"""The example of the lecture: a sentence and 14 phrase pairs without probabilities.

From "Phrase-Based SMT - A Simple Example" in the Cambridge lecture on statistical machine
translation, where the table has no accents either. The sentences for training the language model
are ours.
"""

from .phrase_machines import PhrasePair

TOY_SENTENCE = "That is the fundamental problem"

TOY_ROWS = (
    ("that_is_the", "voila"),
    ("these_are_the", "voila"),
    ("these_are", "voila"),
    ("those_are", "voila"),
    ("that_is_the", "qui_est"),
    ("that_is_the", "qui_est_le"),
    ("fundamental_problem", "probleme_fondamental"),
    ("the_fundamental_problem", "probleme_fondamental"),
    ("fundamental_problem", "le_probleme_fondamental"),
    ("fundamental_problem", "la_difficulte_fondamental"),
    ("the_fundamental_problem", "le_probleme_fondamental"),
    ("who_is", "qui_est"),
    ("it_is", "qui_est_le"),
    ("it_is_the", "qui_est_le"),
)

TOY_TABLE = tuple(
    PhrasePair(tuple(source.split("_")), tuple(target.split("_"))) for source, target in TOY_ROWS
)

# How often each sentence is in the text. "la" is frequent, and yet rare after "voila": that makes
# the two readings of stupid back-off differ.
TOY_TEXT = (
    (20, "voila le voisin"),
    (1, "voila le probleme fondamental"),
    (1, "voila la difficulte"),
    (9, "qui est la"),
    (3, "qui est le voisin"),
    (9, "la ville et la mer"),
    (3, "le probleme est fondamental"),
    (2, "la difficulte du probleme fondamental"),
)

# How each machine is made from others, by its letter; V2 and the following are not in the lecture.
FORMULAS = {
    "U": "U = minimize (remove ε (project (T ∘ S)))",
    "V": "V = minimize (remove ε (project (U ∘ Y)))",
    "V2": "V₂ = minimize (remove ε (project (U ∘ R ∘ Y)))",
    "W": "W = minimize (remove ε (project (V₂ ∘ spelling)))",
    "WL": "W ∘ L",
}
