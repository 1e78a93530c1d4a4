"""Every operation on machines against all paths of small random ones."""

from collections import Counter
from math import inf

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from metrics.lessons.baselines.machines import (
    EPSILON,
    FAILURE,
    Arc,
    acceptor_of,
    closure,
    compose,
    concatenate,
    connect,
    determinize,
    from_arcs,
    minimize,
    paths,
    project,
    remove_epsilon,
    replace,
    shortest_paths,
    topological_order,
    transducer_of,
    union,
    weight_of,
)

from .machine_oracle import all_paths, has_epsilon, lightest, machines, relation, strings

LETTERS = ("a", "b")


def close(found: dict, expected: dict) -> bool:
    return found.keys() == expected.keys() and all(
        found[key] == pytest.approx(expected[key], abs=1e-9) for key in expected
    )


def test_an_acceptor_of_a_sentence():
    machine = acceptor_of(["that", "is"], 0.5)
    assert machine.arcs == [[Arc("that", "that", 0, 1)], [Arc("is", "is", 0, 2)], []]
    assert machine.finals == {2: 0.5}
    assert machine.is_acceptor()
    assert weight_of(machine, ["that", "is"]) == 0.5
    assert weight_of(machine, ["that"]) == inf


def test_a_transducer_of_two_strings_of_different_length():
    machine = transducer_of(["a", "b", "c"], ["x"])
    assert paths(machine) == [(("a", "b", "c"), ("x",), 0.0)]
    assert not machine.is_acceptor()
    assert weight_of(machine, ["a", "b", "c"], ["x"]) == 0
    assert weight_of(machine, ["a", "b", "c"], ["y"]) == inf


def test_states_are_numbers_from_zero():
    with pytest.raises(ValueError, match="numbers from 0"):
        from_arcs([(0, "a", "a", 0, -1)], [0])


@settings(deadline=None)
@given(machines(), machines())
def test_composition_has_one_path_for_every_two_that_fit(first, second):
    """Not only the least weights: an ε-filter that duplicated or dropped paths would change their
    number."""
    expected = Counter(
        (read, written, weight + more)
        for read, middle, weight in all_paths(first)
        for again, written, more in all_paths(second)
        if middle == again
    )
    assert Counter(all_paths(compose(first, second))) == expected


@settings(deadline=None)
@given(machines(cycles=True, arcs=5), st.sampled_from(strings()), st.sampled_from(strings()))
def test_the_weight_of_two_strings(machine, read, written):
    expected = relation(machine).get((read, written), inf)
    assert weight_of(machine, list(read), list(written)) == expected


@settings(deadline=None)
@given(machines(), st.sampled_from(["input", "output"]))
def test_projection(machine, side):
    at = 0 if side == "input" else 1
    expected = sorted((path[at], path[at], path[2]) for path in all_paths(machine))
    assert all_paths(project(machine, side)) == expected


@settings(deadline=None)
@given(machines(), machines())
def test_union_and_concatenation(first, second):
    one, two = all_paths(first), all_paths(second)
    assert all_paths(union(first, second)) == sorted(one + two)
    both = sorted((a + c, b + d, v + w) for a, b, v in one for c, d, w in two)
    assert all_paths(concatenate(first, second)) == both


@settings(deadline=None)
@given(machines(arcs=4, states=3))
def test_closure(machine):
    once = lightest(all_paths(machine))
    expected = {("", ""): 0.0}
    for _ in range(
        4
    ):  # three letters at most, each of them in a turn of its own, and one turn more
        for (a, b), v in list(expected.items()):
            for (c, d), w in once.items():
                if max(len(a + c), len(b + d)) <= 3:
                    key = (a + c, b + d)
                    expected[key] = min(v + w, expected.get(key, inf))
    once.pop(("", ""), None)
    # Strings of which only one side grows may take more turns.
    assume(all(read and written for read, written in once))
    assert relation(closure(machine)) == expected


@settings(deadline=None)
@given(machines(cycles=True))
def test_connect_keeps_only_states_on_paths(machine):
    connected = connect(machine)
    assert relation(connected) == relation(machine)
    if not connected.finals:
        assert (len(connected), connected.n_arcs) == (1, 0)
        return
    for state in range(len(connected)):
        through = from_arcs([(s, *arc) for s, arc in connected.all_arcs()], [state])
        assert shortest_paths(through)
        onward = from_arcs([(s, *arc) for s, arc in connected.all_arcs()], connected.finals, state)
        assert shortest_paths(onward)


@settings(deadline=None)
@given(machines(cycles=True))
def test_removal_of_epsilon(machine):
    removed = remove_epsilon(machine)
    assert not has_epsilon(removed)
    assert relation(removed) == relation(machine)


@settings(deadline=None)
@given(machines(acceptor=True, labels=LETTERS, arcs=8))
def test_determinization_without_cycles(machine):
    made = determinize(machine)
    assert close(lightest(all_paths(made)), lightest(all_paths(machine)))
    for arcs in made.arcs:
        assert len({arc.input for arc in arcs}) == len(arcs)


@settings(deadline=None)
@given(machines(acceptor=True, labels=LETTERS, cycles=True, states=3))
def test_determinization_with_cycles(machine):
    try:
        made = determinize(machine, max_states=60)
    except ValueError as error:
        assert "no deterministic form of at most 60 states" in str(error)
        return
    assert close(relation(made), relation(machine))


def test_an_acceptor_without_a_deterministic_form():
    """Two cycles with one label and different weights, between which the last letter decides: the
    sets grow without end (Mohri, Pereira and Riley 2002, on the twins property)."""
    arcs = [(0, "a", "a", 0, 1), (0, "a", "a", 0, 2), (1, "b", "b", 1, 1), (2, "b", "b", 2, 2)]
    twins = from_arcs([*arcs, (1, "c", "c", 0, 3), (2, "d", "d", 0, 3)], [3])
    with pytest.raises(ValueError, match="no deterministic form"):
        determinize(twins, max_states=500)


def test_what_cannot_be_determinized_is_said():
    with pytest.raises(ValueError, match="project"):
        determinize(transducer_of(["a"], ["b"]))
    with pytest.raises(ValueError, match="ε-arcs"):
        determinize(acceptor_of([EPSILON]))


@settings(deadline=None)
@given(machines(cycles=True, labels=LETTERS))
def test_minimization_keeps_weights(machine):
    made = minimize(machine)
    assert close(relation(made), relation(machine))
    assert len(made) <= len(machine)


@settings(deadline=None)
@given(machines(acceptor=True, labels=LETTERS, arcs=8))
def test_a_minimal_deterministic_machine_has_a_state_for_every_rest(machine):
    """The states of the smallest deterministic acceptor are the different continuations: after
    every prefix the strings that end it, with their weights beyond the lightest (Myhill and
    Nerode's theorem, for weights)."""
    language = {read: weight for (read, _), weight in lightest(all_paths(machine)).items()}
    beginnings = {string[:n] for string in language for n in range(len(string) + 1)}
    rests = set()
    for beginning in beginnings:
        ends = {s[len(beginning) :]: w for s, w in language.items() if s.startswith(beginning)}
        least = min(ends.values())
        rests.add(frozenset((end, round(weight - least, 6)) for end, weight in ends.items()))
    assert len(minimize(determinize(machine))) == max(1, len(rests))


@settings(max_examples=200, deadline=None)
@given(machines(arcs=8, states=5), st.integers(1, 6))
def test_shortest_paths(machine, n):
    expected = sorted(weight for _, _, weight in all_paths(machine))[:n]
    found = shortest_paths(machine, n)
    assert [path.weight for path in found] == pytest.approx(expected)
    listed = Counter((r, w, weight) for r, w, weight in all_paths(machine))
    mine = Counter(("".join(p.inputs), "".join(p.outputs), p.weight) for p in found)
    assert mine <= listed


@settings(deadline=None)
@given(machines(arcs=8, states=5), st.integers(1, 6), st.sampled_from(["input", "output"]))
def test_shortest_paths_of_different_strings(machine, n, side):
    at = 0 if side == "input" else 1
    language: dict[str, float] = {}
    for path in all_paths(machine):
        language[path[at]] = min(path[2], language.get(path[at], inf))
    found = shortest_paths(machine, n, unique=side)
    assert [path.weight for path in found] == pytest.approx(sorted(language.values())[:n])
    listed = ["".join(path.inputs) for path in found]
    assert len(set(listed)) == len(listed)
    for path, string in zip(found, listed, strict=True):
        assert path.inputs == path.outputs
        assert path.weight == pytest.approx(language[string])


@settings(deadline=None)
@given(machines(cycles=True, arcs=8))
def test_the_shortest_strings_of_machines_with_cycles(machine):
    """The strings found have the weight of all paths of such strings, and nothing shorter is
    lighter."""
    known: dict[str, float] = {}
    for (read, _), weight in relation(machine).items():
        known[read] = min(weight, known.get(read, inf))
    found = shortest_paths(machine, 4, unique="input")
    for path in found:
        string = "".join(path.inputs)
        assert path.weight <= known.get(string, inf) + 1e-9
    if len(found) == 4:
        listed = {"".join(path.inputs) for path in found}
        assert all(w >= found[-1].weight - 1e-9 for s, w in known.items() if s not in listed)


def test_no_more_strings_are_looked_for_than_asked():
    """After b, bb, bbb … the two states are ever further apart in weight, and a leads from all of
    them to the same end: a search for a third string would never end."""
    cycles = [(1, "b", "b", 0, 1), (2, "b", "b", 0.25, 2)]
    begin, end = (
        [(0, "b", "b", 0, 1), (0, "b", "b", 0, 2)],
        [(1, "a", "a", 0, 3), (2, "a", "a", 0, 3)],
    )
    machine = from_arcs([*begin, *cycles, *end], [3])
    found = shortest_paths(machine, 2, unique="input")
    assert [("".join(path.inputs), path.weight) for path in found] == [("ba", 0), ("bba", 0)]


def test_a_cycle_that_makes_paths_lighter_has_no_shortest_path():
    machine = from_arcs([(0, "a", "a", -1, 0)], [0])
    for asked in (shortest_paths, minimize):
        with pytest.raises(ValueError, match="negative"):
            asked(machine)
    with pytest.raises(ValueError, match="negative"):
        remove_epsilon(from_arcs([(0, "", "", -1, 0)], [0]))
    with pytest.raises(ValueError, match="at least 1"):
        shortest_paths(acceptor_of(["a"]), 0)


def test_negative_weights_without_cycles():
    machine = from_arcs(
        [(0, "a", "a", 1, 1), (0, "b", "b", 2, 2), (1, "c", "c", 3, 3), (2, "c", "c", -4, 3)], [3]
    )
    assert [path.inputs for path in shortest_paths(machine, 2)] == [("b", "c"), ("a", "c")]


@settings(deadline=None)
@given(machines())
def test_topological_order_and_paths(machine):
    places = {state: place for place, state in enumerate(topological_order(machine))}
    assert sorted(places) == list(range(len(machine)))
    assert all(places[state] < places[arc.next] for state, arc in machine.all_arcs())
    listed = sorted(("".join(p.inputs), "".join(p.outputs), p.weight) for p in paths(machine))
    assert listed == all_paths(machine)


def test_paths_are_bounded():
    machine = concatenate(*[union(acceptor_of("a"), acceptor_of("b")) for _ in range(5)])
    assert len(paths(machine)) == 32
    with pytest.raises(ValueError, match="more than 31 paths"):
        paths(machine, 31)
    with pytest.raises(ValueError, match="cycle"):
        paths(closure(acceptor_of("a")))


@settings(deadline=None)
@given(
    machines(labels=("X", "a", ""), acceptor=True),
    machines(labels=("Y", "b", ""), acceptor=True),
    machines(labels=("a", "b", ""), acceptor=True),
    st.booleans(),
)
def test_replacement(root, x, y, simplified):
    """Every name in every string is replaced by every string of the machine it names."""

    def filled(language, name, by):
        found: dict[str, float] = {}
        for string, weight in language.items():
            parts = [("", weight)]
            for letter in string:
                options = by if letter == name else {letter: 0.0}
                parts = [(a + b, v + w) for a, v in parts for b, w in options.items()]
            for each, total in parts:
                found[each] = min(total, found.get(each, inf))
        return found

    def language(machine):
        return {read: weight for (read, _), weight in lightest(all_paths(machine)).items()}

    simplify = (lambda m: minimize(determinize(remove_epsilon(m)))) if simplified else None
    made = replace(root, {"X": x, "Y": y}, simplify=simplify)
    expected = filled(language(root), "X", filled(language(x), "Y", language(y)))
    assert close(language(made), expected)


def test_replacement_by_a_name_and_recursion():
    inner = acceptor_of(["b"], 0.25)
    outer = acceptor_of(["a", "X", "X"])
    made = replace("S", {"S": outer, "X": inner})
    assert shortest_paths(made) == [(("a", "b", "b"), ("a", "b", "b"), 0.5)]
    with pytest.raises(ValueError, match="X → Y → X"):
        replace("X", {"X": acceptor_of(["Y"]), "Y": acceptor_of(["X"])})
    with pytest.raises(ValueError, match="more than 4 states"):
        replace("S", {"S": outer, "X": inner}, max_states=4)


def test_failure_arcs_are_taken_only_where_nothing_else_reads():
    machine = from_arcs(
        [
            (0, "a", "a", 5, 1),
            (0, FAILURE, FAILURE, 1, 2),
            (2, "a", "a", 1, 1),
            (2, "b", "b", 1, 1),
        ],
        {2: 3.0, 1: 0.0},
    )
    assert weight_of(machine, ["a"]) == 5
    assert weight_of(machine, ["b"]) == 2
    assert weight_of(machine, []) == 4
    assert weight_of(machine, ["c"]) == inf


def test_failure_arcs_that_cannot_be_followed():
    loop = from_arcs([(0, FAILURE, FAILURE, 1, 1), (1, FAILURE, FAILURE, 1, 0)], [])
    with pytest.raises(ValueError, match="cycle"):
        weight_of(loop, ["a"])
    two = from_arcs([(0, FAILURE, FAILURE, 1, 1), (0, FAILURE, FAILURE, 1, 2)], [1])
    with pytest.raises(ValueError, match="one failure arc"):
        weight_of(two, ["a"])


def test_compositions_are_bounded():
    machine = closure(acceptor_of(["a"]))
    with pytest.raises(ValueError, match="more than 2 states"):
        compose(acceptor_of(["a"] * 5), machine, max_states=2)
