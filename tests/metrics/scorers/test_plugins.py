"""Metrics of other packages: which are accepted, and that unusable ones do no harm."""

import sys
from dataclasses import dataclass
from importlib.metadata import EntryPoint
from subprocess import run
from types import ModuleType

import pytest
from django.core.checks import run_checks

from metrics import scorers
from metrics.scorers import SCORERS, Scorer
from metrics.scorers.plugins import GROUP, OPTION_TYPES, PluginProblem, checked, find_plugins
from tests.packages import EXAMPLE, ROOT, install


@dataclass(kw_only=True)
class Toy(Scorer):
    slug = "toy"
    name = "Toy"
    family = "Words"
    description = "A toy."
    higher_is_better = True
    score_range = (0.0, 1.0)

    size: int = 1
    share: float | None = None

    def _signature_fields(self, level):
        return {"size": self.size}


@pytest.fixture
def offered(monkeypatch):
    """Entry points by name, with objects in a generated module."""
    module = ModuleType("offered_by_a_test")
    monkeypatch.setitem(sys.modules, module.__name__, module)

    def points(**objects):
        for name, value in objects.items():
            setattr(module, name, value)
        return [EntryPoint(name, f"{module.__name__}:{name}", GROUP) for name in objects]

    return points


def variant(**attributes) -> type[Scorer]:
    return dataclass(kw_only=True)(type("Variant", (Toy,), attributes))


def test_a_metric_is_taken(offered):
    found, problems = find_plugins(SCORERS, offered(toy=Toy))
    assert (found, problems) == ({"toy": Toy}, [])


def test_metrics_of_the_house_keep_the_contract():
    for slug, scorer in SCORERS.items():
        assert checked(slug, scorer, {}) is scorer


class Unsigned(Toy):
    def _signature_fields(self, level):
        raise KeyError("size")


WRONG = {
    "no class": ("toy", 7, "7 is not a subclass of metrics.scorers.Scorer"),
    "another class": ("toy", dict, "is not a subclass"),
    "a slug of the house": ("bleu", variant(slug="bleu"), "metrics.scorers.bleu has a metric of"),
    "a slug with a capital": ("Toy", variant(slug="Toy"), "small letters, digits and _"),
    "another slug": ("toy2", Toy, "has the slug 'toy'; it should be that of the entry point"),
    "no name": ("toy", variant(name=None), "attribute name is missing or has a wrong type"),
    "no direction": ("toy", variant(higher_is_better="yes"), "attribute higher_is_better is"),
    "no family": ("toy", variant(family="Toys"), "its family 'Toys' is none of: Runs of words"),
    "a range": ("toy", variant(score_range=(1.0, 0.0)), "its score_range is not"),
    "no dataclass": ("toy", type("Variant", (Toy,), {}), "needs the decorator @dataclass"),
    "an option's type": (
        "toy",
        variant(__annotations__={"words": list}, words=()),
        "its option words has the type <class 'list'>; possible are bool, int, float and str",
    ),
    "no default": (
        "toy",
        variant(__annotations__={"words": "str"}),
        "cannot be made with its defaults and sign: TypeError",
    ),
    "no signature": (
        "toy",
        dataclass(kw_only=True)(Unsigned),
        "cannot be made with its defaults and sign: KeyError: 'size'",
    ),
}


@pytest.mark.parametrize(("slug", "value", "reason"), WRONG.values(), ids=WRONG)
def test_what_cannot_be_used_is_left_out(offered, caplog, slug, value, reason):
    points = offered(**{slug: value, "toy3": variant(slug="toy3")})
    found, problems = find_plugins(SCORERS, points)
    assert list(found) == ["toy3"]
    assert reason in problems[0].reason and reason in caplog.text


def test_types_of_options():
    assert OPTION_TYPES == ("bool", "int", "float", "str")


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        ("import no_such_package", "failed with ModuleNotFoundError: No module named"),
        ("raise SystemExit", "failed with SystemExit"),
        ("1 +", "failed with SyntaxError"),
        ("Metric = 1 / 0", "failed with ZeroDivisionError: division by zero"),
        ("", "failed with AttributeError"),
    ],
)
def test_a_module_that_fails(tmp_path, monkeypatch, content, reason):
    (tmp_path / "broken_for_a_test.py").write_text(content)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "broken_for_a_test", raising=False)
    points = [EntryPoint("toy", "broken_for_a_test:Metric", GROUP)]
    found, problems = find_plugins(SCORERS, points)
    assert not found and reason in problems[0].reason


def test_two_of_one_slug(offered):
    point = offered(toy=Toy)[0]
    found, problems = find_plugins(SCORERS, [point, point])
    assert found == {"toy": Toy} and "has a metric of this name already" in problems[0].reason


def test_the_check_names_what_was_left_out(monkeypatch):
    problem = PluginProblem("toy", "toy-metrics", "its module failed.")
    monkeypatch.setattr(scorers, "PLUGIN_PROBLEMS", [problem])
    warnings = [message for message in run_checks() if message.id == "metrics.W001"]
    assert [message.msg for message in warnings] == [
        "The metric 'toy' of the package toy-metrics is left out: its module failed."
    ]


def test_the_check_is_silent_without_any():
    assert not scorers.PLUGIN_PROBLEMS
    assert not [message for message in run_checks() if message.id.startswith("metrics")]


class TestExample:
    """docs/example-metric, installed into a separate folder."""

    @pytest.fixture
    def python(self, tmp_path):
        """Runs Python in the checkout with that folder on its path; returns its output."""
        install(EXAMPLE, tmp_path)

        def call(*arguments: str) -> str:
            done = run(
                [sys.executable, *arguments],
                cwd=ROOT,
                env={"PYTHONPATH": f"{tmp_path}:{ROOT}", "PATH": "/usr/bin:/bin"},
                capture_output=True,
                text=True,
            )
            assert done.returncode == 0, done.stdout + done.stderr
            return done.stdout

        return call

    def test_it_joins_the_metrics(self, python):
        code = (
            "from metrics.scorers import SCORERS, PLUGIN_PROBLEMS, get_scorer\n"
            "scorer = get_scorer('punctuation', alike=False)\n"
            "stats = scorer.statistics(['a, b.'], [['a b.']])\n"
            "print(list(SCORERS)[-1], scorer.score(stats[0]), scorer.signature(1), PLUGIN_PROBLEMS)"
        )
        # One shared mark of two and one.
        expected = f"punctuation {200 / 3} nrefs:1|alike:no|version:1|impl:mteval []\n"
        assert python("-c", code) == expected

    def test_its_own_tests_pass(self, python):
        assert "4 passed" in python("-m", "pytest", "-q", "-p", "no:cacheprovider", str(EXAMPLE))
