"""Input of the page's form: sentences, a phrase table, a text."""

import re
from math import log

from django.utils.translation import gettext as _

from metrics.lessons.baselines.hierarchy import Rule, read_rules, write_rule
from metrics.lessons.baselines.phrase_machines import Phrase, PhrasePair

MOST_WORDS = 12
MOST_ROWS = 60
MOST_PHRASE_WORDS = 7
LARGEST_WEIGHT = 1000.0  # of a rule; sums of much larger ones are no numbers
MOST_LINES = 40
MOST_LINE_WORDS = 30
MOST_TIMES = 100

# A column ends at a tab, a vertical bar or an arrow.
_COLUMNS = re.compile(r"\s*(?:\t|\|+|→)\s*")
_TIMES = re.compile(r"(\d{1,6})\s*[×x*]\s+(?=\S)")


def words_of(text: str) -> Phrase:
    """Return words in lower case, splitting those joined by "_"."""
    return tuple(text.lower().replace("_", " ").split())


def sentence_of(text: str) -> Phrase:
    """Return the sentence. Raise ValueError for no words, or too many."""
    return checked_sentence(words_of(text))


def cased_sentence_of(text: str) -> Phrase:
    """Return the sentence with its case. Raise ValueError for no words, or too many."""
    return checked_sentence(tuple(text.split()))


def checked_sentence(words: Phrase) -> Phrase:
    if not words:
        raise ValueError(_("Write a sentence."))
    if len(words) > MOST_WORDS:
        raise ValueError(
            _("At most %(most)s words can be drawn; these are %(n)s.")
            % {"most": MOST_WORDS, "n": len(words)}
        )
    return words


def table_of(text: str) -> tuple[PhrasePair, ...]:
    """Return the rows, one per line: phrase, translation and, if known, its probability. Raise
    ValueError with the invalid row."""
    pairs = []
    for number, line in enumerate(text.splitlines(), start=1):
        if not line.strip():
            continue
        try:
            pairs.append(_pair_of(line.strip()))
        except ValueError as error:
            raise ValueError(
                _("Row %(number)s: %(problem)s") % {"number": number, "problem": error}
            ) from error
    if not pairs:
        raise ValueError(_("Write at least one row, such as “maison | house”."))
    if len(pairs) > MOST_ROWS:
        raise ValueError(
            _("A table may have %(most)s rows; this one has %(n)s.")
            % {"most": MOST_ROWS, "n": len(pairs)}
        )
    return tuple(pairs)


def _pair_of(line: str) -> PhrasePair:
    columns = _COLUMNS.split(line)
    if len(columns) not in (2, 3):
        raise ValueError(
            _("a phrase, its translation and perhaps a probability, with “|” between them.")
        )
    source, target = words_of(columns[0]), words_of(columns[1])
    if not source or not target:
        raise ValueError(_("a phrase is missing next to “|”."))
    if max(len(source), len(target)) > MOST_PHRASE_WORDS:
        raise ValueError(_("a phrase may have %(n)s words.") % {"n": MOST_PHRASE_WORDS})
    return PhrasePair(source, target, _weight_of(columns[2]) if len(columns) == 3 else 0.0)


def _weight_of(text: str) -> float:
    try:
        probability = float(text)
    except ValueError:
        probability = 0.0
    if not 0 < probability <= 1:
        raise ValueError(_("the probability must be a number above 0 and at most 1."))
    return -log(probability)


def rules_of(text: str) -> tuple[Rule, ...]:
    """Return hierarchical rules, one per line. Raise ValueError with the invalid line."""
    rules = tuple(read_rules(text.splitlines()))
    if len(rules) > MOST_ROWS:
        raise ValueError(
            _("At most %(most)s rules can be shown; these are %(n)s.")
            % {"most": MOST_ROWS, "n": len(rules)}
        )
    for rule in rules:
        if max(len(rule.source), len(rule.target)) > MOST_PHRASE_WORDS:
            raise ValueError(
                _("A side of a rule may have %(n)s words and gaps: “%(rule)s”")
                % {"n": MOST_PHRASE_WORDS, "rule": write_rule(rule)[:60]}
            )
        if abs(rule.weight) > LARGEST_WEIGHT:
            raise ValueError(
                _("A weight is between -%(n)g and %(n)g: “%(rule)s”")
                % {"n": LARGEST_WEIGHT, "rule": write_rule(rule)[:60]}
            )
    return rules


def cased_text_of(text: str) -> tuple[Phrase, ...]:
    """Return the same as text_of, with the case of words."""
    return text_of(text, lower=False)


def text_of(text: str, *, lower: bool = True) -> tuple[Phrase, ...]:
    """Return one sentence per line; "20 × " before one makes it count that often. Raise ValueError
    with the invalid line."""
    sentences: list[Phrase] = []
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    if len(lines) > MOST_LINES:
        raise ValueError(
            _("The text may have %(most)s lines; this one has %(n)s.")
            % {"most": MOST_LINES, "n": len(lines)}
        )
    for line in lines:
        times = _TIMES.match(line)
        rest = line[times.end() :] if times else line
        words = words_of(rest) if lower else tuple(rest.split())
        if len(words) > MOST_LINE_WORDS:
            raise ValueError(
                _("A line may have %(n)s words: “%(line)s”")
                % {"n": MOST_LINE_WORDS, "line": line[:40]}
            )
        n = int(times[1]) if times else 1
        if not 1 <= n <= MOST_TIMES:
            raise ValueError(
                _("A line may count up to %(n)s times: “%(line)s”")
                % {"n": MOST_TIMES, "line": line[:40]}
            )
        sentences += [words] * n
    return tuple(sentences)
