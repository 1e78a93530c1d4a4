"""Examples of hierarchical rules, the first two of them the lecture's.

From "Hierarchical Phrase-Based Translation" and "RTN Translation Representations" in the Cambridge
lecture on statistical machine translation, in which rules have no weights. The others, which use
rules of the lecture, and the sentences for training language models are ours.
"""

from typing import NamedTuple


class RuleExample(NamedTuple):
    """``rules`` and ``text``, one per line."""

    title: str
    sentence: str
    rules: tuple[str, ...]
    text: tuple[str, ...]


RULE_EXAMPLES = {
    "moved": RuleExample(
        "E1 E4 E3 becomes F1 F4 F3",
        "E1 E4 E3",
        ("E4 → F4", "E1 → F3", "E2 → F2", "E3 → F1", "E1 X1 E3 → F1 X1 F3"),
        ("F1 F4 F3", "F1 F2 F3", "F3 F2"),
    ),
    "networks": RuleExample(
        "Networks with one and two gaps",
        "E1 E4 E3",
        (
            "E1 → F3",
            "E1 → F5",
            "E4 → F4",
            "E3 → F1",
            "E1 X1 E3 → F1 X1 F2",
            "E1 X1 E3 → F2 X1 F1",
            "E1 X1 X2 → X2 X1 F2",
        ),
        ("F2 F4 F1", "F3 F4 F1", "F2 F4"),
    ),
    "ne-pas": RuleExample(
        "ne X1 pas, le X2 X1",
        "Jean ne trouve pas le chat noir",
        (
            "Jean → John",
            "trouve → find | 0.4",
            "trouve → finds | 0.9",
            "chat → cat",
            "noir → black",
            "ne X1 pas → not X1 | 1.2",
            "ne X1 pas → does not X1 | 0.7",
            "X1 ne X2 pas → X1 does not X2 | 0.9",
            "le X1 → the X1 | 0.3",
            "le X2 X1 → X1 of the X2 | 1.1",
            "le X2 X1 → the X1 X2 | 0.5",
        ),
        (
            "John does not find the dog",
            "the black cat finds John",
            "the end of the street",
            "does John find the black dog",
        ),
    ),
    "verb-last": RuleExample(
        "A verb that stands last",
        "heute hat der Fährmann den Brief gelesen",
        (
            "heute → today",
            "der Fährmann → the ferryman",
            "den Brief → the letter",
            "den Brief → the message | 1.2",
            "hat → has | 0.5",
            "gelesen → read | 0.5",
            "hat X1 X2 gelesen → X1 has read X2 | 0.9",
            "heute X1 → X1 today | 0.8",
        ),
        (
            "the ferryman has read the letter today",
            "today the letter has been read",
            "the ferryman has a boat",
        ),
    ),
}
FIRST = "moved"
