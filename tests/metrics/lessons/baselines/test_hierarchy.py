"""Hierarchical rules and recursive transition networks, against the lecture's examples and all
derivations of small grammars."""

import math
from itertools import pairwise, product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from metrics.lessons.baselines.hierarchy import (
    Gap,
    Grammar,
    Rule,
    expanded,
    extract_rules,
    networks,
    read_rules,
    span_name,
    translate,
    write_rule,
)
from metrics.lessons.baselines.machines import LanguageModelStates, paths, train

X1, X2 = Gap(1), Gap(2)


def translations(sentence: str, rules: list[str]) -> set[str]:
    found = expanded(networks(sentence.split(), Grammar(read_rules(rules)), unknown=None))
    return {" ".join(path.outputs) for path in paths(found)}


# The lecture of Byrne (2014): examples of hierarchical translation.
def test_ne_pas():
    assert translations("ne sait pas", ["ne X1 pas → not X1", "sait → know"]) == {"not know"}
    # A rule that moves the content of its gaps.
    rules = ["le X2 X1 → X1 of the X2", "chef → chief", "bleu → blue"]
    assert translations("le chef bleu", rules) == {"blue of the chief"}


def test_e1_e4_e3_becomes_f1_f4_f3():
    rules = ["E4 → F4", "E1 → F3", "E2 → F2", "E3 → F1", "E1 X1 E3 → F1 X1 F3"]
    assert "F1 F4 F3" in translations("E1 E4 E3", rules)
    # With phrases only, it is the only one not found.
    assert translations("E1 E4 E3", rules[:4]) == {"F3 F4 F1"}
    assert translations("E1 E4 E3 E5", rules) == set()
    assert translations("E1 E4 E3", rules) == {"F1 F4 F3", "F3 F4 F1"}


LECTURE = [
    "E1 → F3",
    "E1 → F5",
    "E4 → F4",
    "E3 → F1",
    "E1 X1 E3 → F1 X1 F2",
    "E1 X1 E3 → F2 X1 F1",
    "E1 X1 X2 → X2 X1 F2",
]


def test_network_of_the_lecture():
    """E1 covers the words 1 to 4, X1 5 and 6, X2 7 and 8."""
    words = {"E1": "a b c d", "E4": "e f", "E3": "g h"}
    rules = LECTURE
    for name, spelled in words.items():
        left = [line.partition(" → ") for line in rules]
        rules = [source.replace(name, spelled) + arrow + to for source, arrow, to in left]
    found = networks(
        ["a", "b", "c", "d", "e", "f", "g", "h"], Grammar(read_rules(rules)), unknown=None
    )
    # All translations of the sentence are those of T[1,8], besides the glued ones.
    assert span_name(0, 8) in found.machines
    assert {arc.input for _, arc in found.machines[span_name(0, 8)].all_arcs()} == {
        "F1",
        "F2",
        span_name(4, 6),
        span_name(6, 8),
    }
    of_span = {" ".join(path.outputs) for path in paths(found.machines[span_name(0, 4)])}
    assert of_span == {"F3", "F5"}
    every = {" ".join(path.outputs) for path in paths(expanded(found))}
    assert every == {"F1 F4 F2", "F2 F4 F1", "F3 F4 F1", "F5 F4 F1"}


SYMBOLS = ("a", "b")


@st.composite
def rule(draw):
    source = draw(st.lists(st.sampled_from([*SYMBOLS, X1, X2]), min_size=1, max_size=3))
    gaps = list(dict.fromkeys(symbol for symbol in source if isinstance(symbol, Gap)))
    source = [s for k, s in enumerate(source) if not isinstance(s, Gap) or s not in source[:k]]
    if not any(isinstance(symbol, str) for symbol in source):
        source.append("a")
    target = [*gaps, *draw(st.lists(st.sampled_from(["x", "y"]), min_size=1, max_size=2))]
    target = draw(st.permutations(target))
    return Rule(tuple(source), tuple(target), draw(st.integers(0, 9)) / 4)


def derivations(words, rules, start, end) -> dict[tuple[str, ...], float]:
    """Return every translation of a span by one rule and the translations of its gaps, with its
    least weight: gap by gap, all ways to cut the span, without a chart."""
    best: dict[tuple[str, ...], float] = {}
    for source, target, weight in rules:
        for cuts in product(range(start, end + 1), repeat=len(source) - 1):
            ends = [start, *cuts, end]
            spans = list(pairwise(ends))
            if any(a >= b for a, b in spans):
                continue
            inside = {}
            for symbol, (a, b) in zip(source, spans, strict=True):
                if isinstance(symbol, Gap):
                    inside[symbol] = derivations(words, rules, a, b)
                elif words[a:b] != (symbol,):
                    break
            else:
                choices = [
                    inside[symbol].items() if isinstance(symbol, Gap) else [((symbol,), 0.0)]
                    for symbol in target
                ]
                for chosen in product(*choices):
                    made = tuple(word for part, _ in chosen for word in part)
                    cost = weight + sum(part[1] for part in chosen)
                    best[made] = min(cost, best.get(made, math.inf))
    if not best and end - start == 1:
        best[words[start:end]] = 5.0
    return best


def glued(words, rules, glue) -> dict[tuple[str, ...], float]:
    best: dict[int, dict[tuple[str, ...], float]] = {0: {(): -glue}}
    for end in range(1, len(words) + 1):
        best[end] = {}
        for start in range(end):
            part = derivations(words, rules, start, end)
            for (left, a), (right, b) in product(best[start].items(), part.items()):
                cost = a + b + glue
                best[end][left + right] = min(cost, best[end].get(left + right, math.inf))
    return best[len(words)]


SENTENCES = st.lists(st.sampled_from(SYMBOLS), min_size=1, max_size=4).map(tuple)


@settings(max_examples=60, deadline=None)
@given(st.lists(rule(), min_size=1, max_size=4, unique=True), SENTENCES)
def test_networks_hold_every_derivation(rules, words):
    found = networks(words, Grammar(rules), glue=0.5, unknown=5.0)
    every = {path.outputs: path.weight for path in paths(expanded(found))}
    assert every == pytest.approx(glued(words, rules, 0.5))


@settings(max_examples=40, deadline=None)
@given(st.lists(rule(), min_size=1, max_size=4, unique=True), SENTENCES)
def test_the_best_translations_with_a_language_model(rules, words):
    states = LanguageModelStates(*train([["x", "y", "x"], ["y", "y", "a"]], order=2))
    options = {"glue": 0.5, "unknown": 5.0}
    every = sorted(
        weight + 0.7 * states.weight_of(made) for made, weight in glued(words, rules, 0.5).items()
    )
    found = translate(words, Grammar(rules), states, n=3, scale=0.7, kept=None, **options)
    assert [path.weight for path in found] == pytest.approx(every[:3])
    assert len({path.outputs for path in found}) == len(found)
    pruned = translate(words, Grammar(rules), states, n=1, scale=0.7, kept=1000, **options)
    assert pruned[0].weight == pytest.approx(every[0])


def test_rules_of_an_aligned_pair():
    """Chiang (2007), figure 2 in small: phrases inside a phrase pair may become gaps."""
    rules = extract_rules([["ne", "sait", "pas"]], [["not", "know"]], [((0, 0), (1, 1), (2, 0))])
    assert {write_rule(rule) for rule in rules} == {
        "sait → know",
        "ne sait pas → not know",
        "ne X1 pas → not X1",
    }
    # "sait" counts 1; the whole pair counts 1, half for each of its two rules.
    assert {rule.weight for rule in rules} == {0.0}


def test_rules_that_few_pairs_give_may_be_left_out():
    texts = [["ne", "sait", "pas"], ["ne", "veut", "pas"], ["a", "b"]]
    targets = [["not", "know"], ["not", "want"], ["x", "y"]]
    links = [((0, 0), (1, 1), (2, 0))] * 2 + [((0, 0), (1, 1))]
    rules = {write_rule(rule) for rule in extract_rules(texts, targets, links, fewest=2)}
    assert "ne X1 pas → not X1" in rules and "ne sait pas → not know" in rules
    assert not any("X1" in rule and "a" in rule.split() for rule in rules)
    assert "a X1 → x X1" in {write_rule(rule) for rule in extract_rules(texts, targets, links)}


def test_weights_of_rules():
    texts = [["a"], ["a"], ["a"], ["b"]], [["x"], ["x"], ["y"], ["y"]]
    rules = extract_rules(*texts, [((0, 0),)] * 4)
    weights = {write_rule(rule): rule.weight for rule in rules}
    assert weights["a → x"] == pytest.approx(-(math.log(2 / 3) + math.log(1)) / 2)
    assert weights["a → y"] == pytest.approx(-(math.log(1 / 3) + math.log(1 / 2)) / 2)


LINKS = st.sets(st.tuples(st.integers(0, 3), st.integers(0, 3)), min_size=1, max_size=6)


@settings(max_examples=60)
@given(LINKS)
def test_extracted_rules_make_the_pair_that_they_come_from(links):
    """With all rules of a pair, the pair itself is among the translations if it can be cut into
    phrases, and every rule reads a word, writes one and has no gaps side by side."""
    source, target = [list("abcd"), list("wxyz")]
    links = tuple(sorted(links))
    rules = extract_rules([source], [target], [links], most_symbols=4)
    for found in rules:
        read = [isinstance(symbol, Gap) for symbol in found.source]
        assert not all(read)
        assert not any(a and b for a, b in pairwise(read))
        made = expanded(networks(source, Grammar(rules), unknown=9.0))
        assert paths(made)
    whole = [rule for rule in rules if rule.source == tuple(source)]
    ends = {side: {link[side] for link in links} for side in (0, 1)}
    if all({0, 3} <= places for places in ends.values()):
        assert [rule.target for rule in whole] == [tuple(target)]


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("a b c", "one arrow"),
        ("X1 X2 → x", "at least one word"),
        ("a X1 X2 X3 → X1 X2 X3", "at most 2 gaps"),
        ("a X1 → b", "once on either side"),
        ("a X1 X1 → X1 X1", "once on either side"),
        ("a → ", "arrow|writes"),
        ("a → b | heavy", "not a weight"),
        ("a → b | nan", "a number"),
    ],
)
def test_what_is_no_rule_is_refused(line, problem):
    with pytest.raises(ValueError, match=f"Line 2: .*({problem})"):
        read_rules(["", line])


def test_rules_as_text():
    (rule,) = read_rules(["  ne X1 pas ||| not X1 | 0.7 "])
    assert rule == Rule(("ne", X1, "pas"), ("not", X1), 0.7)
    assert write_rule(rule) == "ne X1 pas → not X1"
    with pytest.raises(ValueError, match="at least one word"):
        networks([], Grammar([rule]))


def test_words_that_no_rule_covers_pass_through():
    found = networks(["ne", "Paris", "pas"], Grammar(read_rules(["ne X1 pas → not X1"])))
    assert "not Paris" in {" ".join(path.outputs) for path in paths(expanded(found))}
