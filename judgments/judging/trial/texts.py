"""Texts that visitors judge, written for this purpose.

The outputs of each segment are in the order in which a screen takes them: first one with clumsy
wording, then a fluent one with another meaning.
"""

from typing import NamedTuple

from judgments.judging.in_memory import MemoryText
from judgments.models import Level

SOURCE_LANGUAGE, TARGET_LANGUAGE = "de", "en"

SEGMENTS = (
    MemoryText(
        "Jeden zweiten Dienstag hält der Bücherbus vor der alten Schule.",
        "Every other Tuesday the library bus stops in front of the old school.",
        (
            "Every second Tuesday holds the book bus before the old school.",
            "Every other Tuesday the library bus stops behind the old school.",
            "Every other Tuesday, the mobile library stops outside the old school.",
            "Each two Tuesday stop the books bus of school.",
            "On every second Tuesday, the library bus stops in front of the old school.",
        ),
    ),
    MemoryText(
        "Die Fahrerin kennt die meisten Kinder beim Namen und weiß, was sie gern lesen.",
        "The driver knows most of the children by name and knows what they like to read.",
        (
            "The driver knows the most children at the name and white what they like to read.",
            "The driver knows most of the children by name and knows what they like to eat.",
            "The driver knows most children by name, and she knows what they enjoy reading.",
            "The driver knows the children in the name and what like reads.",
            "She drives and knows most of the children by name and what they like reading.",
        ),
    ),
    MemoryText(
        "Wer ein Buch zu spät zurückbringt, zahlt nichts, sondern erzählt, wie es ausgeht.",
        "Anyone who brings a book back late pays nothing, but tells her how it ends.",
        (
            "Who brings a book too late back pays nothing, but tells how it goes out.",
            "Anyone who brings a book back late pays a fine and tells her how it ends.",
            "If you bring a book back late, you pay nothing; you tell her how it ends.",
            "Who a book too late back brings counts nothing, but outgoes.",
            "Those who return a book late pay nothing, but have to say how it ends.",
        ),
    ),
)


class TrialQuestion(NamedTuple):
    """Like `judgments.models.Question`, about all segments together."""

    level: Level
    text: str
    choices: list[str]
    right: list[str]


QUESTIONS = (
    TrialQuestion(
        Level.FACTS,
        "How often does the bus come?",
        ["every week", "every two weeks", "twice a month, on Mondays"],
        ["every two weeks"],
    ),
    TrialQuestion(
        Level.EVENTS,
        "What does somebody pay who brings a book back late?",
        [],
        ["nothing"],
    ),
)


class TrialSuggestion(NamedTuple):
    """An error that a program found. segment: its place, from 0; the output is the first one."""

    segment: int
    text: str
    severity: str


PROPOSED = (
    TrialSuggestion(0, "holds", "major"),
    TrialSuggestion(0, "Tuesday", "minor"),  # no error: should be deleted
    TrialSuggestion(1, "white", "major"),
    TrialSuggestion(2, "goes out", "major"),
)
