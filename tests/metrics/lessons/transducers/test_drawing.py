"""Drawings of machines: positions of their parts, for any machine."""

from hypothesis import given, settings
from hypothesis import strategies as st

from metrics.lessons.baselines.machines import acceptor_of, connect, from_arcs
from metrics.lessons.transducers.drawing import (
    MOST_ARCS,
    MOST_STATES,
    Box,
    arc_words,
    can_be_drawn,
    drawing_of,
    weight_words,
)
from metrics.lessons.transducers.layers import layered
from tests.metrics.lessons.baselines.machine_oracle import machines


@settings(deadline=None)
@given(machines(cycles=True, arcs=12, states=6))
def test_everything_is_inside_and_no_two_states_meet(machine):
    machine = connect(machine)
    drawing = drawing_of(machine)
    assert len(drawing.states) == len(machine)
    assert len(drawing.edges) == len({(state, arc.next) for state, arc in machine.all_arcs()})
    n_lines = sum(len(edge.labels) for edge in drawing.edges)
    assert n_lines == min(n_lines, machine.n_arcs)
    r = drawing.radius
    circles = [Box(s.x - r, s.y - r, 2 * r, 2 * r) for s in drawing.states]
    for box in [*circles, *(edge.ground for edge in drawing.edges)]:
        assert box.x >= drawing.left and box.y >= 0
        assert box.x + box.width <= drawing.left + drawing.width
        assert box.y + box.height <= drawing.height
    for i, one in enumerate(circles):
        assert not any(one.meets(other) for other in circles[i + 1 :])


@settings(deadline=None)
@given(machines(arcs=12, states=6))
def test_arcs_go_to_the_right_where_there_are_no_cycles(machine):
    machine = connect(machine)
    drawing = drawing_of(machine)
    for state, arc in machine.all_arcs():
        assert drawing.states[state].x < drawing.states[arc.next].x
    layers = layered(machine)
    assert not layers.others
    for (source, target), route in layers.routes.items():
        assert (route[0], route[-1]) == (source, target)
        places = [layers.places()[each][0] for each in route]
        assert places == list(range(places[0], places[-1] + 1))


def test_crossings_that_need_not_be_are_undone():
    """0 leads to 1 and 2, 1 to 4, 2 to 3: in numerical order the last two would cross."""
    arcs = [(0, 1), (0, 2), (1, 4), (2, 3), (3, 5), (4, 5)]
    machine = from_arcs([(a, "x", "x", 0.0, b) for a, b in arcs], [5])
    rows = layered(machine).rows
    assert (rows[1].index(1) < rows[1].index(2)) == (rows[2].index(4) < rows[2].index(3))


def test_labels():
    machine = from_arcs(
        [(0, "that", "", 0.0, 1), (0, "", "the", 0.693, 1), (0, "a", "a", 0.0, 1)], {1: 0.5}
    )
    (edge,) = drawing_of(machine).edges
    assert [label.text for label in edge.labels] == ["that : ε", "ε : the / 0.69", "a"]
    assert [state.below for state in drawing_of(machine).states] == ["", "/ 0.50"]
    assert drawing_of(machine, ["first", "last"]).states[1].below == "last / 0.50"
    assert weight_words(0.004) == ""
    assert arc_words(acceptor_of([" φ"]).arcs[0][0]) == "φ"


def test_many_arcs_between_two_states_are_counted():
    machine = from_arcs([(0, str(i), str(i), 0.0, 1) for i in range(12)], [1])
    (edge,) = drawing_of(machine).edges
    assert [label.text for label in edge.labels][-2:] == ["6", "and 5 more"]


def test_wide_letters_take_more_room():
    latin, chinese = (
        drawing_of(acceptor_of([word])) for word in ("abcdefghijklm", "甲乙丙丁戊己庚辛壬癸子丑寅")
    )
    assert chinese.width > latin.width


def test_what_is_too_large():
    assert can_be_drawn(acceptor_of(["a"] * (MOST_STATES - 1)))
    assert not can_be_drawn(acceptor_of(["a"] * MOST_STATES))
    loops = [(0, str(i), str(i), 0.0, 0) for i in range(MOST_ARCS + 1)]
    assert not can_be_drawn(from_arcs(loops, [0]))


@settings(deadline=None)
@given(st.integers(0, 3), st.integers(0, 3))
def test_boxes(x, y):
    assert Box(0, 0, 2, 2).meets(Box(x, y, 2, 2)) == (x < 2 and y < 2)
