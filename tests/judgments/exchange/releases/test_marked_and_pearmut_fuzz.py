"""Damaged files of marked errors and of Pearmut: a problem in words, never another exception."""

import gzip
import json
import random

import pytest
from django.db import connection
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from judgments.exchange.releases import registry
from judgments.exchange.releases.importer import import_release
from judgments.exchange.releases.records import Problems
from judgments.files.problem import ImportProblem
from judgments.files.uploads import opened
from judgments.models import Campaign
from tests.judgments.exchange.releases.pearmut_files import GARDEN, HOUSE, campaign, entry, said
from tests.shared import shared_data

PIECES = (
    *(b"<v>", b"</v>", b"\t", b"\n", b'"', b"\\", b"{", b"}", b"[", b"]", b",", b":", b"\0"),
    *(b"\xff", b"null", b"1e999", b"-1", b"NaN", b'"\\ud800"', b"No-error", b"[" * 2000),
)


def mutated(data: bytes, seed: int) -> bytes:
    rng = random.Random(seed)
    for _ in range(rng.randint(1, 6)):
        at = rng.randrange(len(data) + 1)
        cut = rng.choice([0, 0, 1, 5, 40])
        data = data[:at] + rng.choice(PIECES) + data[at + cut :]
    return data


MAROT = "system\tdoc\tdocSegId\tglobalSegId\trater\tsource\ttarget\tcategory\tseverity\tmetadata"
VALUES = (
    None,
    1,
    -5,
    10**400,
    1e300,
    True,
    "",
    "x",
    "\ud800",
    "\0",
    [],
    {},
    [1],
    {"a": 1},
    [[]],
    [{}],
)


def replaced(value, rng):
    """The same with another value somewhere in it."""
    if isinstance(value, dict | list) and value and rng.random() < 0.85:
        keys = list(value) if isinstance(value, dict) else range(len(value))
        key = rng.choice(list(keys))
        copy = value.copy()
        copy[key] = replaced(value[key], rng)
        return copy
    return rng.choice(VALUES)


def bring(path):
    problems = Problems()
    answers = {"source-language": "en", "target-language": "de"}
    try:
        with opened([path]) as files:
            release = registry.read(files, answers, problems)
            for part in release.texts:
                list(part.segments())
            for judged in release.judgments:
                list(judged.screens())
            for plan in release.plans:
                list(plan.batches())
    except ImportProblem as problem:
        problems.add(problem)
    assert all(isinstance(problem, ImportProblem) for problem in problems.first)


@pytest.mark.proof
@pytest.mark.parametrize(
    "name",
    [
        "mqm_ted_zhen.first2000.tsv.gz",
        "mqm_newstest2020_zhen.source-errors.first400.tsv.gz",
        "ratings.en-de.tsv.gz",
    ],
)
@given(seed=st.integers(0, 2**32))
@settings(
    max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
def test_tables(tmp_path, name, seed):
    folder = ["10_as_released", "google-mqm"]
    if name.startswith("ratings"):
        folder = ["04_mqm_3raters_wmt23_en-de"]
    data = gzip.decompress(shared_data(*folder, name).read_bytes())
    lines = data.split(b"\n")[:30]
    path = tmp_path / name.removesuffix(".gz")
    path.write_bytes(mutated(b"\n".join(lines) + b"\n", seed))
    bring(path)


@pytest.mark.proof
@given(seed=st.integers(0, 2**32))
@settings(
    max_examples=80, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
def test_pearmut(tmp_path, seed):
    log = [
        entry("u1", [HOUSE, GARDEN], [{"A": said(9, (0, 2, "minor"))}, {"B": said(3, x=1)}]),
        entry("u2", [HOUSE], [{"A": said(9)}], times=(1.5, 2.5)),
    ]
    info = {
        "protocol": "MQM",
        "assignment": "task-based",
        "mqm_categories": {"a": ["b"], "c": []},
        "mqm_severities": ["Minor", "Major"],
        "users": 2,
    }
    plan = campaign(data_welcome=[[HOUSE]], data_random=[[GARDEN]])
    sliders = [{"name": "X", "min": 0, "max": 5, "step": 1}]
    files = {
        "a.jsonl": log,
        "b.json": {"one": log},
        "c.json": plan,
        "d.json": plan | {"info": info},
        "e.json": plan | {"info": info | {"sliders": sliders}},
    }
    rng = random.Random(seed)
    for name, value in files.items():
        other = replaced(value, rng)
        lines = map(json.dumps, other if name == "a.jsonl" and isinstance(other, list) else [other])
        (tmp_path / name).write_text("\n".join(lines))
        bring(tmp_path / name)
        (tmp_path / name).write_bytes(mutated(json.dumps(value).encode(), seed))
        bring(tmp_path / name)


@pytest.mark.proof
@given(seed=st.integers(0, 2**32))
@settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
def test_marot(tmp_path, seed):
    rng = random.Random(seed)
    metadata = {
        "timestamp": 1725456558197,
        "timing": {"a": {"count": 2, "timeMS": 1500, "log": []}},
        "score": 4,
        "repeat": 2,
        "segment": {"references": {"a": "b"}, "reference_tokens": {"c": ["d", "e"]}},
        "evaluation": {"source_language": "en", "target_language": "de"},
    }
    row = "A\td\t1\t0\tr\ta house\t<v>ein</v> Haus\tFluency\tMajor\t"
    lines = [row + json.dumps(replaced(metadata, rng)) for _ in range(3)]
    path = tmp_path / "x.tsv"
    path.write_text("\n".join([MAROT, *lines]))
    bring(path)


@pytest.mark.proof
@pytest.mark.django_db
def test_through_the_database(tmp_path, admin_user):
    """Either all of it comes in, or nothing, and the reason is said."""
    log = [
        entry("u1", [HOUSE, GARDEN], [{"A": said(9.5, (0, 2, "minor"))}, {"B": said(3)}]),
        entry("u2", [HOUSE], [{"A": said(9)}], times=(1.5, 2.5)),
    ]
    rows = [
        "A\td\t1\t1\tr\ta house\t<v>ein</v> Haus\tFluency\tMajor\t{}",
        'B\td\t1\t1\ts\ta house\tein Haus\tNo-error\tNo-error\t{"timestamp": 1, "score": 7}',
    ]
    files = {
        "a.jsonl": "\n".join(map(json.dumps, log)),
        "c.json": json.dumps(campaign(data_welcome=[[HOUSE]])),
        "m.en-de.tsv": "\n".join([MAROT, *rows]),
    }
    answers = {"source-language": "en", "target-language": "de"}
    n_in = 0
    for seed in range(60):
        rng = random.Random(seed)
        for name, text in files.items():
            data = mutated(text.encode(), seed)
            if name == "a.jsonl" and seed % 2:
                data = "\n".join(json.dumps(replaced(each, rng)) for each in log).encode()
            (tmp_path / name).write_bytes(data)
            outcome = import_release([tmp_path / name], admin_user, answers=answers, keep=False)
            connection.check_constraints()
            n_in += not outcome.problems.n
    assert 0 < n_in < 180
    assert not Campaign.objects.exists()
