"""Charts are drawn by a separate process: nobody else's thread waits for one."""

import json
import os
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from unittest.mock import patch

import pytest

from judgments.web import chart_process
from judgments.web.chart_process import CannotDraw, ChartProcess

BARS = json.dumps(
    {
        "data": {"values": [{"a": n, "b": n % 7} for n in range(400)]},
        "mark": "bar",
        "encoding": {"x": {"field": "a", "type": "ordinal"}, "y": {"field": "b"}},
    }
)


@pytest.fixture
def charts():
    found = ChartProcess()
    yield found
    found.close()


def test_the_library_that_draws_is_not_in_this_process(charts):
    """It holds the lock of all threads while it draws."""
    before = "vl_convert" in sys.modules
    assert charts.draw("svg", BARS).startswith(b"<svg")
    assert ("vl_convert" in sys.modules) == before


def test_other_threads_go_on_while_a_chart_is_drawn(charts):
    """What they do meanwhile, counted and not timed: nothing, where the lock is held."""
    charts.draw("svg", BARS)  # the process is up, and has its engine
    n_done, is_over = 0, threading.Event()

    def work() -> None:
        nonlocal n_done
        while not is_over.is_set():
            n_done += 1
            is_over.wait(0.0001)

    other = threading.Thread(target=work)
    with patch.object(chart_process.json, "loads", wraps=json.loads) as read:
        other.start()
        before = n_done
        charts.draw("svg", BARS.replace('"bar"', '"point"'))
        during = n_done - before
    is_over.set()
    other.join()
    assert read.call_count == 1
    assert during > 3


@pytest.mark.proof
def test_pictures_do_not_mix(charts):
    specs = [BARS.replace('"bar"', f'"bar", "title": "chart {n}"') for n in range(6)]
    with ThreadPoolExecutor(6) as pool:
        drawn = list(pool.map(lambda spec: charts.draw("svg", spec).decode(), specs))
    assert [f">chart {n}<" in picture for n, picture in enumerate(drawn)] == [True] * 6
    assert charts.draw("png", drawn[0]).startswith(b"\x89PNG")


def test_what_cannot_be_drawn_is_said_and_the_next_is_drawn(charts):
    with pytest.raises(CannotDraw):
        charts.draw("svg", '{"mark": "no such mark"}')
    assert charts.draw("svg", BARS).startswith(b"<svg")


def test_a_process_that_was_killed_is_started_again(charts):
    charts.draw("svg", BARS)
    charts.process.kill()
    charts.process.wait()
    assert charts.draw("svg", BARS).startswith(b"<svg")


def test_a_copy_of_the_process_draws_for_itself(charts):
    """Background work is done in copies that fork makes."""
    charts.draw("svg", BARS)
    first = charts.process
    with patch.object(chart_process.os, "getpid", return_value=os.getpid() + 1):
        assert charts.draw("svg", BARS).startswith(b"<svg")
        assert charts.process is not first
        charts.close()
    assert first.poll() is None, "the other's is left to it"
    first.kill()
    first.communicate()
