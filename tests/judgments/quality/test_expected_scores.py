"""Attention checks that name scores: from Pearmut's files to verdicts, tables and bundles."""

import csv
import json
import zipfile

import numpy as np
import pytest
from django.db import IntegrityError, transaction
from django.urls import reverse

from judgments.exchange.releases.importer import import_release
from judgments.exchange.releases.out import write
from judgments.files.uploads import Folder
from judgments.models import ExpectedScore, Item, Role, Segment, Status
from judgments.models.chains import record, record_checking
from judgments.models.chains.sealing import seal_all
from judgments.plans.design import plan
from judgments.plans.seats import extend
from judgments.plans.settings import PlanSettings
from judgments.publishing.bundles.release import release
from judgments.publishing.bundles.verification import verify
from judgments.quality.control_items.figures import control_facts
from judgments.quality.rules import figures as rules
from judgments.quality.rules.verdicts import verdict_of, verdicts_of, write_rule
from judgments.results.selection.filters import Filters
from judgments.results.selection.selection import Selection
from judgments.stats.planning.simulated_people import (
    CAREFUL,
    FAST,
    LAZY,
    RANDOM,
    AnswerScale,
    answers,
)
from tests import factory
from tests.judgments.exchange.releases.pearmut_files import campaign, item, read
from tests.judgments.publishing.bundles.sites import assert_as_on_the_site

pytestmark = pytest.mark.django_db

# The example of Pearmut 1.1.6's README, "Score comparison", three times over.
RULES = {"A": [{"score": [20, 40]}], "B": [{"score": [70, 90], "score_greaterthan": "A"}]}
CHECKS = [
    item(f"c{n}", f"AI transforms {n}.", A="UI transformuje", B="Umělá inteligence mění")
    | {"validation": RULES}
    for n in range(3)
]
ORDERED = item("c3", "Greater.", A="Méně", B="Více") | {
    "validation": {"B": {"score_greaterthan": 0}}
}
HOUSE = item("s1", "a house", A="dům", B="barák")
# (A, B) of each check, how many are passed by Pearmut's `validateResponse`.
ANSWERS = {
    "careful": ([(30, 80), (20, 90), (40, 70), (1, 2)], 4),
    "equal": ([(30, 30), (40, 40), (20, 20), (50, 50)], 0),  # not above
    "above": ([(30, 80), (30, 95), (10, 80), (99, 100)], 2),  # two out of their ranges
    "upside down": ([(80, 30), (90, 20), (70, 40), (60, 50)], 0),
}


@pytest.fixture
def planned(admin_user, tmp_path):
    found = campaign(
        info={"assignment": "task-based", "protocol": "cESA"},
        campaign_id="en-cs",
        data=[[[HOUSE], *([check] for check in (*CHECKS, ORDERED))]],
    )
    (tmp_path / "c.json").write_text(json.dumps(found), "utf-8")
    outcome = import_release([tmp_path / "c.json"], admin_user)
    assert not outcome.problems.n, outcome.problems.first
    ((made, _),) = outcome.written.campaigns
    return made


def judged(planned):
    """Each of ANSWERS by a person, in seats of the one batch; the tasks by the names of people."""
    extend(planned, seats=len(ANSWERS) - 1, rng=np.random.default_rng(1))
    planned.status = Status.OPEN
    planned.save()
    for task, (name, (pairs, _)) in zip(
        planned.tasks.order_by("seat"), ANSWERS.items(), strict=True
    ):
        user = factory.make_user(name.replace(" ", "-"))
        planned.memberships.create(user=user, role=Role.ANNOTATOR, alias=name)
        task = factory.seat(task, user)
        said = iter([(88, 77), *pairs])
        for each in task.items.order_by("position"):
            each.task = task
            a, b = next(said)
            names = each.shown.order_by("position").values_list("output__system__name", flat=True)
            factory.judge(each, {"esa": [a if name == "A" else b for name in names]})


def test_every_seat_asks_for_the_scores(planned):
    extend(planned, seats=2, rng=np.random.default_rng(1))
    assert Item.objects.filter(kind="check").count() == 3 * 4
    rows = ExpectedScore.objects.filter(item__task__batch=1).values_list(
        *("item__task__seat", "output__system__name", "low", "high", "above__system__name")
    )
    own = [("A", 20, 40, None), ("B", 70, 90, "A")] * 3 + [("B", None, None, "A")]
    assert sorted(rows, key=str) == sorted(((s, *row) for s in (1, 2, 3) for row in own), key=str)
    record.begin(planned.pk, "opened")
    assert not record_checking.check_record(planned).found
    with factory.rewriting():
        ExpectedScore.objects.filter(low=70).first().delete()
    assert len(record_checking.check_record(planned).found) == 1


def test_verdicts(planned, admin_user, client):
    write_rule(planned, text="", by=admin_user, least_checks=0.5)
    judged(planned)
    report = rules.quality(Selection.of(planned))
    passed = {a.alias: (a.checks.n_expected, a.checks.n_expected_passed) for a in report.annotators}
    assert passed == {name: (4, n) for name, (_, n) in ANSWERS.items()}
    assert {a.checks.n for a in report.annotators} == {4}
    states = {
        member.alias: verdict_of(member).state
        for member in planned.memberships.filter(role=Role.ANNOTATOR)
    }
    assert states == {
        "careful": "pass", "equal": "fail", "above": "pass", "upside down": "fail"
    }  # fmt: skip
    of_page = verdicts_of(planned, report)
    assert {a.alias: of_page[a.user].state for a in report.annotators} == states
    client.force_login(admin_user)
    page = client.get(reverse("quality", args=[planned.pk]))
    assert "Of 16 attention checks 6 were passed." in page.text


def test_filters_are_those_of_the_page(planned):
    judged(planned)
    check = Item.objects.filter(kind="check").order_by("pk").first()
    document = check.segment.document.name

    def checks(**filters):
        report = rules.quality(Selection.of(planned, filters=Filters(**filters)))
        return {each.checks.n_expected for each in report.annotators}

    assert checks() == checks(kinds=("check",)) == {4}
    assert checks(documents=(document,)) == {1}
    assert checks(kinds=("regular",)) == {0}
    assert checks(systems=("A",)) == {3}  # one expects only that B is above A


def test_a_check_that_expects_a_score_of_another_system_is_no_silent_one(admin_user):
    texts = factory.make_test_set(admin_user, n_segments=12, n_documents=4)
    made = factory.make_campaign(
        texts, preset="cesa-wmt26", owner=admin_user, options={"outputs_per_item": 3}
    )
    plan(made, PlanSettings(beside_checks=2, batch_items=6))
    task = factory.seat(made.tasks.first(), factory.make_user("someone"))
    made.memberships.create(user=task.annotator, role=Role.ANNOTATOR, alias="someone")
    for each in task.items.order_by("position"):
        each.task = task
        factory.judge(each, {"esa": [50.0] * each.shown.count()})
    for system in texts.systems.all():
        filters = Filters(systems=(system.name,))
        [own] = rules.quality(Selection.of(made, filters=filters)).annotators
        assert (own.checks.n_silent, own.checks.n_loud) == (0, 0), system


def test_the_table_says_who_met_what(planned, admin_user, client):
    judged(planned)
    client.force_login(admin_user)
    address = reverse("export-table", args=[planned.pk, "quality-expected-scores"])
    text = client.get(address).getvalue().decode("utf-8-sig")
    head, *rows = csv.reader(line for line in text.splitlines() if not line.startswith("#"))
    known = [dict(zip(head, row, strict=True)) for row in rows]
    assert len(known) == 4 * 7
    own = [row for row in known if row["annotator"] == "above" and row["above"] == "A"]
    seen = [(row["segment"], float(row["score"]), float(row["other"]), row["met"]) for row in own]
    assert seen == [
        ("c0", 80, 30, "yes"), ("c1", 95, 30, "no"), ("c2", 80, 10, "yes"),
        ("c3", 100, 99, "yes"),
    ]  # fmt: skip


def test_out_and_in_again(planned, tmp_path):
    write([planned], "pearmut", Folder(tmp_path / "out"))
    (path,) = (tmp_path / "out").iterdir()
    known = [document for user in json.loads(path.read_text())["data"] for document in user]
    assert known[1][0]["validation"] == {name: rule for name, (rule,) in RULES.items()}
    assert known[4][0]["validation"] == {"B": {"score_greaterthan": "A"}}
    first, _ = read(tmp_path / "c.json")
    again, problems = read(path)
    assert not problems.n
    assert list(again.plans[0].batches()) == list(first.plans[0].batches())


def test_copies_beside_their_originals_go_out(admin_user, tmp_path):
    """As planned here, in the order of the screen, so that Pearmut asks what the site does."""
    texts = factory.make_test_set(admin_user, n_segments=12, n_documents=4)
    options = {"outputs_per_item": 3}
    made = factory.make_campaign(
        texts, preset="cesa-wmt26", owner=admin_user, options=options, status=Status.DRAFT
    )
    plan(made, PlanSettings(beside_checks=2, batch_items=6))
    write([made], "pearmut", Folder(tmp_path / "out"))
    (path,) = (tmp_path / "out").iterdir()
    known = [
        each
        for user in json.loads(path.read_text())["data"]
        for document in user
        for each in document
        if "validation" in each
    ]
    shown = [
        {row.output.system.name: row.text for row in each.shown.order_by("position")}
        for each in Item.objects.filter(kind="check").order_by("task__batch", "position")
    ]
    assert [list(each["tgt"].items()) for each in known] == [list(each.items()) for each in shown]
    names = ("output__system__name", "above__system__name")
    stored = ExpectedScore.objects.order_by("item__task__batch", "item__position")
    assert [each["validation"] for each in known] == [
        {output: {"score_greaterthan": above}} for output, above in stored.values_list(*names)
    ]
    again, problems = read(path)
    assert not problems.n
    items = [each for batch in again.plans[0].batches() for each in batch]
    assert [each.kind for each in items if each.expected] == ["check"] * len(known)


@pytest.mark.proof
def test_a_release_recomputes_who_met_what(planned, tmp_path):
    judged(planned)
    seal_all()
    release(planned, tmp_path / "c.zip", aliases=True)
    with zipfile.ZipFile(tmp_path / "c.zip") as packed:
        (name,) = [n for n in packed.namelist() if n.endswith("/expected-scores.jsonl")]
        rows = [json.loads(line) for line in packed.read(name).splitlines()]
    assert len(rows) == 4 * 7 and {row["high"] for row in rows} == {40, 90, None}
    assert not verify(tmp_path / "c.zip").wrong
    assert_as_on_the_site(planned, tmp_path / "c.zip")


@pytest.mark.parametrize(
    ("scale", "known"),
    [
        (AnswerScale(0, 100), {CAREFUL: 0.99, RANDOM: 0.49, LAZY: 0, FAST: 0.75}),
        (AnswerScale(1, 5), {CAREFUL: 0.85, RANDOM: 0.40, LAZY: 0, FAST: 0.62}),
    ],
)
def test_who_passes_a_copy_beside_its_original(scale, known):
    """The table of docs/guide/quality-control.md."""
    rng, n = np.random.default_rng(1), 20_000
    found = {}
    for kind in known:
        original = np.clip(rng.normal(0.65, 0.15, n), 0, 1)
        quality = scale.low + scale.width * np.stack([original, original - 0.25], 1).ravel()
        screen = np.repeat(np.arange(n), 2)
        said = answers(kind, quality, scale, rng, noise=0.07 * scale.width, screen=screen)
        found[kind] = float((said[::2] > said[1::2]).mean())
    assert found == pytest.approx(known, abs=0.01)


def test_what_expects_nothing_is_refused(planned):
    first = Item.objects.filter(kind="check").first()
    output = Segment.objects.get(pk=first.segment_id).outputs.first()
    with pytest.raises(IntegrityError), transaction.atomic():
        ExpectedScore.objects.create(item=first, output=output, dimension="da")


def test_an_answer_that_was_mended_counts_once(planned):
    """For the rule, which asks about one person, as for the page, which asks about all."""
    judged(planned)
    task = planned.tasks.get(annotator__username="upside-down")
    check = next(each for each in task.items.order_by("position") if each.expected_scores.exists())
    check.task = task
    names = check.shown.order_by("position").values_list("output__system__name", flat=True)
    right = [30 if name == "A" else 80 for name in names]
    before = check.judgments.get()
    factory.judge(check, {"esa": right}, supersedes=before)
    everybody = control_facts(planned).expected[task.annotator_id]
    alone = control_facts(planned, task.annotator_id).expected[task.annotator_id]
    assert alone == everybody
    assert (len(alone), sum(alone.values())) == (4, 1)
