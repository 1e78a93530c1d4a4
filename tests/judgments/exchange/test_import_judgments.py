"""manage.py import_judgments: what good files become."""

from datetime import UTC, datetime

import pytest
from django.core.management import CommandError, call_command

from judgments.exchange.judgments.importer import import_judgments
from judgments.models import (
    Campaign,
    Item,
    Judgment,
    Membership,
    Preference,
    Rating,
    Role,
    Status,
    Task,
)
from tests import factory

from ..files.files import upload, written

pytestmark = pytest.mark.django_db

RATINGS = "annotator\tsegment\tsystem\tdimension\tvalue"
RANKINGS = "ranking\tannotator\tsegment\tsystem\trank"
PREFERENCES = "annotator\tsegment\tsystem_a\tsystem_b\tpreference"


@pytest.fixture
def test_set():
    """Segments 1 to 4, systems System-A to System-C."""
    return factory.make_test_set(factory.make_user("owner", is_staff=True))


def make_campaign(test_set, preset="adequacy-fluency", **fields):
    return factory.make_campaign(test_set, preset=preset, owner=test_set.owner, **fields)


def take(campaign, *rows, name="r.tsv"):
    return import_judgments(campaign, upload(name, "".join(r + "\n" for r in rows).encode()))


def ratings_of(item):
    rows = Rating.objects.filter(judgment__item=item).order_by("pk")
    return list(rows.values_list("output__system__name", "dimension", "value"))


def shown(item):
    return list(item.shown.order_by("position").values_list("output__system__name", flat=True))


def test_third_judgments_are_no_progress(test_set):
    campaign = make_campaign(test_set)
    take(
        campaign,
        RATINGS + "\tkind",
        "Ann\t1\tSystem-A\tadequacy\t2\tregular",
        "Ann\t2\tSystem-A\tadequacy\t4\tthird",
        "Bo\t2\tSystem-A\tadequacy\t1\tregular",
    )
    assert campaign.tasks.progress()["judged"] == 2
    [third] = campaign.tasks.filter(is_adjudication=True)
    assert (third.n_judged, third.items.get().kind) == (1, "third")


def test_ratings_of_one_segment_are_one_item(test_set):
    campaign = make_campaign(test_set)
    added = take(
        campaign,
        RATINGS,
        "Ann B.\t2\tSystem-B\tadequacy\t4",
        "Ann B.\t2\tSystem-A\tadequacy\t2",
        "Ann B.\t2\tSystem-A\tfluency\t5",
        "Ann B.\t2\tSystem-B\tfluency\t1",
        "zoë\t2\tSystem-B\tadequacy\t3",
        "Ann B.\t1\tSystem-A\tadequacy\t2",
    )
    assert (added.judgments, added.observations, added.annotators) == (3, 6, 2)
    first, second = Item.objects.filter(task__annotator__memberships__alias="Ann B.")
    assert (first.position, first.segment.key, second.position, second.segment.key) == (
        *(0, "2"),
        *(1, "1"),
    )
    assert shown(first) == ["System-B", "System-A"]  # in the order of the file
    assert ratings_of(first) == [
        ("System-B", "adequacy", 4.0),
        ("System-A", "adequacy", 2.0),
        ("System-A", "fluency", 5.0),
        ("System-B", "fluency", 1.0),
    ]
    assert (first.kind, first.part, first.is_judged) == ("regular", "", True)


def test_annotators_become_members_who_cannot_sign_in_by_password(test_set):
    campaign = make_campaign(test_set)
    take(campaign, RATINGS, "zoë\t1\tSystem-A\tadequacy\t4", "Al\t1\tSystem-A\tadequacy\t4")
    members = Membership.objects.filter(campaign=campaign, role=Role.ANNOTATOR)
    assert [member.alias for member in members] == ["Al", "zoë"]
    for member in members:
        assert not member.user.has_usable_password()
        assert not member.user.is_staff
        judgment = Judgment.objects.get(annotator=member.user)
        assert (judgment.campaign, judgment.revision) == (campaign, 1)
        assert judgment.item.task.annotator == member.user
    assert len({member.token for member in members}) == 2


def test_counters_of_tasks(test_set):
    campaign = make_campaign(test_set)
    take(
        campaign,
        RATINGS + "\tstarted\tsubmitted\tseconds",
        "a\t1\tSystem-A\tadequacy\t4\t2026-01-02T10:00:00Z\t2026-01-02T10:01:00Z\t30.5",
        "a\t1\tSystem-A\tfluency\t4\t\t\t30.5",
        "b\t1\tSystem-A\tadequacy\t4\t\t\t",
        "a\t2\tSystem-A\tadequacy\t4\t2026-01-02 12:00\t2026-01-02T14:30:00.5+01:30\t1.25",
    )
    first, second = Task.objects.order_by("batch")
    assert (first.batch, first.n_items, first.n_judged, first.active_ms) == (1, 2, 2, 31_750)
    assert first.last_judged_at == datetime(2026, 1, 2, 13, 0, 0, 500_000, tzinfo=UTC)
    assert (second.batch, second.n_items, second.n_judged, second.active_ms) == (2, 1, 1, 0)
    assert second.last_judged_at is None
    assert Item.objects.filter(is_judged=False).count() == 0
    early = Judgment.objects.get(item__task=first, item__position=0)
    assert early.started_at == datetime(2026, 1, 2, 10, tzinfo=UTC)
    assert early.submitted_at == datetime(2026, 1, 2, 10, 1, tzinfo=UTC)
    assert early.active_ms == 30_500
    untimed = Judgment.objects.get(item__task=second)
    assert (untimed.started_at, untimed.submitted_at, untimed.active_ms) == (None, None, None)


def test_a_second_file_adds_batches_and_keeps_its_annotators(test_set):
    campaign = make_campaign(test_set)
    take(campaign, RATINGS, "a\t1\tSystem-A\tadequacy\t4")
    take(campaign, RATINGS, "a\t2\tSystem-A\tadequacy\t4", "b\t2\tSystem-A\tadequacy\t4")
    tasks = Task.objects.filter(campaign=campaign).order_by("batch")
    assert [task.batch for task in tasks] == [1, 2, 3]
    assert tasks[0].annotator == tasks[1].annotator != tasks[2].annotator


def test_someone_who_judges_here_already_keeps_the_account(test_set):
    person = factory.make_user("person")
    campaign = make_campaign(test_set, annotators=[person])
    factory.make_task(campaign, person, batch=7)
    take(campaign, RATINGS, "person\t1\tSystem-A\tadequacy\t4")
    assert [t.batch for t in person.tasks.order_by("batch")] == [7, 8]
    assert campaign.memberships.count() == 2


def test_item_and_kind_tell_repetitions_apart(test_set):
    campaign = make_campaign(test_set, "direct-assessment")
    take(
        campaign,
        RATINGS + "\titem\tkind",
        "a\t1\tSystem-A\tda\t40\t1\tregular",
        "a\t1\tSystem-A\tda\t60\t2\trepeat",
        "a\t1\tSystem-A\tda\t5\t3\tdegraded",
        "a\t1\tSystem-A\tda\t95\t4\treference",
        "b\t1\tSystem-A\tda\t60\t2\t",
        "a\t1\tSystem-A\tda\t50\t\trepeat",
    )
    kinds = Item.objects.order_by("task__batch", "position").values_list("kind", flat=True)
    assert list(kinds) == ["regular", "repeat", "degraded", "reference", "repeat", "regular"]


def test_where_one_output_is_shown_at_a_time_every_row_is_an_item(test_set):
    campaign = make_campaign(test_set, "direct-assessment")
    take(campaign, RATINGS, "a\t1\tSystem-A\tda\t40", "a\t1\tSystem-B\tda\t0")
    assert [shown(item) for item in Item.objects.all()] == [["System-A"], ["System-B"]]


def test_passes_are_items_of_their_own(test_set):
    options = {"outputs_per_item": 5, "separate_passes": True}
    campaign = make_campaign(test_set, options=options)
    take(
        campaign,
        RATINGS,
        "a\t1\tSystem-A\tadequacy\t4",
        "a\t1\tSystem-B\tadequacy\t4",
        "a\t1\tSystem-A\tfluency\t4",
    )
    assert [(i.part, shown(i)) for i in Item.objects.all()] == [
        ("adequacy", ["System-A", "System-B"]),
        ("fluency", ["System-A"]),
    ]


def test_rankings(test_set):
    campaign = make_campaign(test_set, "relative-ranking")
    row = "a\t1\tSystem-{}\t{}"
    take(
        campaign,
        RANKINGS,
        *(f"r1\t{row.format(s, r)}" for s, r in (("C", 2), ("A", 1), ("B", 2))),
        *(f"r2\t{row.format(s, r)}" for s, r in (("C", 2), ("A", 1), ("B", 2))),
    )
    first, second = Item.objects.all()  # the same content twice, under two numbers
    assert shown(first) == shown(second) == ["System-C", "System-A", "System-B"]
    assert ratings_of(first) == [
        ("System-C", "rank", 2.0),
        ("System-A", "rank", 1.0),
        ("System-B", "rank", 2.0),
    ]


def test_preferences(test_set):
    campaign = make_campaign(test_set, "pairwise")
    take(
        campaign,
        PREFERENCES,
        "a\t1\tSystem-B\tSystem-A\t1",
        "a\t1\tSystem-B\tSystem-C\t-1",
        "a\t2\tSystem-A\tSystem-B\t0",
    )
    found = Preference.objects.values_list(
        "judgment__item__segment__key", "output_a__system__name", "output_b__system__name", "value"
    )
    assert list(found) == [
        ("1", "System-B", "System-A", 1),
        ("1", "System-B", "System-C", -1),
        ("2", "System-A", "System-B", 0),
    ]
    assert shown(Item.objects.first()) == ["System-B", "System-A"]


def test_preferences_with_strength(test_set):
    campaign = make_campaign(test_set, "pairwise")
    take(
        campaign,
        f"{PREFERENCES}\tstrength",
        "a\t1\tSystem-B\tSystem-A\t1\t2",
        "a\t1\tSystem-B\tSystem-C\t-1\t1",
        "a\t2\tSystem-A\tSystem-B\t0\t",
    )
    found = Preference.objects.values_list("value", "strength")
    assert list(found) == [(1, 2), (-1, 1), (0, None)]


def test_json_lines(test_set):
    campaign = make_campaign(test_set)
    line = '{"annotator": "a", "segment": 1, "system": "System-A", "dimension": "%s", "value": %s}'
    take(campaign, line % ("adequacy", 4), line % ("fluency", "5.0"), name="r.jsonl")
    assert [value for _, _, value in ratings_of(Item.objects.get())] == [4.0, 5.0]


def test_the_guideline_version_is_the_campaigns(test_set):
    campaign = make_campaign(test_set, guideline_version=3)
    take(campaign, RATINGS, "a\t1\tSystem-A\tadequacy\t4")
    assert Judgment.objects.get().guideline_version == 3


def test_the_command_adds_to_a_campaign(test_set, tmp_path, capsys):
    campaign = make_campaign(test_set)
    file = written(tmp_path / "r.tsv", RATINGS, "a\t1\tSystem-A\tadequacy\t4")
    call_command("import_judgments", str(file), "--campaign", str(campaign.pk))
    assert Judgment.objects.get().campaign == campaign
    assert "1 judgments (1 observations) by 1 annotators" in capsys.readouterr().out


def test_the_command_makes_a_campaign(test_set, tmp_path):
    file = written(tmp_path / "r.tsv", RATINGS, "a\t1\tSystem-A\tbelievability\t99")
    call_command(
        *("import_judgments", str(file), "--create", "Old study", "--owner", "owner"),
        *("--test-set", str(test_set.pk), "--preset", "custom-rating", "--outputs-per-item", "1"),
        *("--dimension", "adequacy:1:5", "--dimension", "believability:0:100"),
    )
    campaign = Campaign.objects.get(name="Old study")
    assert (campaign.protocol, campaign.status) == ("rating", Status.CLOSED)
    assert campaign.options["outputs_per_item"] == 1
    assert campaign.options["dimensions"] == [
        {"slug": "adequacy", "low": 1, "high": 5},
        {"slug": "believability", "low": 0, "high": 100},
    ]
    assert campaign.memberships.get(role=Role.OWNER).user == test_set.owner
    assert Judgment.objects.get().campaign == campaign


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"--preset": None}, "--create needs --preset"),
        ({"--test-set": "0"}, "There is no test set 0|needs --test-set"),
        ({"--owner": "nobody"}, "There is no account “nobody”"),
        ({"--dimension": "adequacy:5:1"}, "should look like adequacy:1:5"),
        ({"--dimension": "adequacy"}, "should look like adequacy:1:5"),
        ({"--preset": "custom-rating"}, "needs at least one"),
        ({"--dimension": "adequacy:1:5"}, "Dimensions belong to the preset custom-rating"),
        ({"--outputs-per-item": "0"}, "at least one output"),
        ({"--preset": "pairwise"}, "column system_a: this column is missing"),
    ],
)
def test_a_campaign_that_cannot_be_made(test_set, tmp_path, options, message):
    file = written(tmp_path / "r.tsv", RATINGS, "a\t1\tSystem-A\tadequacy\t4")
    given = {
        "--test-set": str(test_set.pk),
        "--owner": "owner",
        "--preset": "adequacy-fluency",
    } | options
    words = [word for pair in given.items() if pair[1] is not None for word in pair]
    with pytest.raises(CommandError, match=message):
        call_command("import_judgments", str(file), "--create", "New", *words)
    assert not Campaign.objects.exists()


def test_a_campaign_that_is_not_there(tmp_path):
    with pytest.raises(CommandError, match="There is no campaign 0"):
        call_command("import_judgments", str(tmp_path / "r.tsv"), "--campaign", "0")
