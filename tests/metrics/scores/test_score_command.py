"""`manage.py score`: scores, intervals and errors in a terminal."""

import time
from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.db import connection

from metrics.models import MetricScore, PartStatus, ScoringPart
from metrics.scorers import SCORERS
from metrics.scores.comparisons import compare_column
from metrics.scores.tables import score_table
from metrics.scoring import jobs
from metrics.scoring.choices import MetricChoice, parse_metric
from mteval_site.local import postgres
from tests import factory
from tests.settings import POSTGRES_HOME

pytestmark = pytest.mark.slow


@pytest.fixture
def test_set(db):
    return factory.make_test_set(factory.make_user("owner"), n_segments=6)


def test_the_command_scores_and_prints(test_set):
    out = StringIO()
    call_command(
        "score", str(test_set.pk), "--metric=bleu", "--metric=chrf:word_order=2", stdout=out
    )
    lines = [line.split("\t") for line in out.getvalue().splitlines()]
    assert len(lines) == 6
    assert [line[1] for line in lines[:3]] == ["System-A", "System-B", "System-C"]
    stored = MetricScore.objects.get(system__name="System-A", metric="chrf")
    assert lines[3][0] == f"{stored.score:.2f}" and lines[3][2].startswith("chrF2++|")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["999999"], "no test set 999999"),
        (["{pk}", "--metric=blue"], "Unknown metric 'blue'; known metrics: bleu,"),
        (["{pk}", "--metric=chrf:words=2"], "Unknown option 'words'"),
        (["{pk}", "--metric=chrf:word_order=two"], "Option word_order is a number, not 'two'"),
        (["{pk}", "--metric=bleu:lowercase=maybe"], "Option lowercase is yes or no"),
        (["{pk}", "--metric=bleu:max_order=400"], "at most 20"),
        (["{pk}", "--metric=bleu:lowercase"], "name=value"),
        (["{pk}", "--reference=x"], "No reference set 'x'"),
    ],
)
def test_the_command_says_what_is_wrong(test_set, arguments, message):
    with pytest.raises(CommandError, match=message):
        call_command("score", *(text.format(pk=test_set.pk) for text in arguments))
    assert not MetricScore.objects.exists()


def test_the_command_fails_when_a_part_fails(test_set):
    test_set.systems.get(name="System-B").outputs.all().delete()
    out, errors = StringIO(), StringIO()
    with pytest.raises(CommandError, match=r"1 of 3 parts failed\. TER of System-B") as failure:
        call_command("score", str(test_set.pk), "--metric=ter", stdout=out, stderr=errors)
    assert failure.value.returncode == 3
    assert errors.getvalue() == (
        "TER of System-B: System-B has no segment with an output and a reference.\n"
    )
    assert [line.split("\t")[1] for line in out.getvalue().splitlines()] == [
        "System-A",
        "System-C",
    ]


def test_the_command_lists_every_metric_with_its_options(monkeypatch):
    why = "Its environment is absent."
    monkeypatch.setattr(SCORERS["ter"], "unavailable", classmethod(lambda cls: why))
    out = StringIO()
    call_command("score", "--list", stdout=out)
    text = out.getvalue()
    for slug, scorer in SCORERS.items():
        if slug != "uploaded":
            assert f"{slug}  {scorer.name}: " in text
            assert all(f"    {name} (" in text for name in scorer.option_names())
    assert f"not here: {why}" in text


def test_the_command_refuses_a_metric_that_cannot_run_here(test_set, monkeypatch):
    why = "Its environment is absent."
    monkeypatch.setattr(SCORERS["ter"], "unavailable", classmethod(lambda cls: why))
    with pytest.raises(CommandError, match=r"TER cannot be computed here\. Its") as found:
        call_command("score", str(test_set.pk), "--metric=ter")
    assert found.value.returncode == 1


def test_the_command_prints_intervals_and_groups(test_set):
    out = StringIO()
    call_command("score", str(test_set.pk), "--metric=ter", "--intervals", stdout=out)
    rows = [line.split("\t") for line in out.getvalue().splitlines()]
    column = score_table(test_set).columns[0]
    tested = compare_column(column, score_table(test_set))
    for score, name, signature, low, high, group in rows:
        system = test_set.systems.get(name=name)
        assert signature == column.signature
        assert (float(low), float(high)) == pytest.approx(tested.intervals[system.pk], abs=0.005)
        assert float(low) <= float(score) <= float(high)
        assert int(group) == tested.group_numbers[system.pk]


def test_the_command_prints_what_it_was_asked_for(test_set):
    chosen = [parse_metric("ter:case_sensitive=yes"), MetricChoice("bleu")]
    jobs.work_on(jobs.create_job(test_set, chosen, ["ref"]).pk)
    out = StringIO()
    call_command("score", str(test_set.pk), "--metric=ter", stdout=out)
    signatures = {line.split("\t")[2] for line in out.getvalue().splitlines()}
    assert len(signatures) == 1 and "case:lc" in signatures.pop()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "Say which test set"),
        (["{pk}", "--workers=0"], "from 1 to 64"),
        (["--join=999999"], "no job 999999"),
    ],
)
def test_the_command_says_what_is_missing(test_set, arguments, message):
    with pytest.raises(CommandError, match=message):
        call_command("score", *(text.format(pk=test_set.pk) for text in arguments))


@pytest.mark.django_db(transaction=True)
def test_the_command_with_several_workers(monkeypatch):
    """The others are separate processes; this one waits with its first part until they have
    computed one."""
    name = str(connection.settings_dict["NAME"])
    monkeypatch.setenv("DJANGO_SETTINGS_MODULE", "mteval_site.settings")
    monkeypatch.setenv("DATABASE_URL", postgres.url(POSTGRES_HOME, name))
    test_set = factory.make_test_set(factory.make_user("owner"), n_systems=5)
    own = []
    compute = jobs.compute

    def slowly(part, bench):
        own.append(part.pk)
        end = time.monotonic() + 60 * (len(own) == 1)
        done = ScoringPart.objects.filter(status=PartStatus.DONE)
        while time.monotonic() < end and not done.exists():
            time.sleep(0.1)
        return compute(part, bench)

    monkeypatch.setattr(jobs, "compute", slowly)
    out = StringIO()
    arguments = [str(test_set.pk), "--metric=bleu", "--metric=ter", "--metric=chrf", "--workers=2"]
    call_command("score", *arguments, stdout=out)
    assert len(out.getvalue().splitlines()) == 15
    assert 0 < len(own) < 15


def test_the_command_prints_scores_that_are_there_under_another_name(test_set):
    """chrF with word order 2 is chrF++: one signature, one score."""
    printed = []
    for metric in ("chrfpp", "chrf:word_order=2"):
        out = StringIO()
        call_command("score", str(test_set.pk), f"--metric={metric}", stdout=out)
        printed.append(out.getvalue())
    assert printed[0] == printed[1] and "chrF2++|" in printed[0]
