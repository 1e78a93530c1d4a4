"""Chains of judgments: everything that is stored is in one, and whatever is done to judgments or to
their seals behind the site's back is named."""

import hashlib
import io
import json
import uuid
from datetime import timedelta

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError
from django.db import IntegrityError, connection, transaction
from django.urls import reverse
from django.utils import timezone

from judgments.exchange.demo import loading
from judgments.judging import queue
from judgments.judging.ticket import new_ticket
from judgments.models import (
    Campaign,
    Chain,
    ErasedJudgment,
    Erasure,
    Grade,
    Judgment,
    Membership,
    Rating,
    Seal,
)
from judgments.models.chains import checking, publication, record
from judgments.models.chains.canonical import canonical
from judgments.models.chains.content import COLUMNS, Head, content
from judgments.models.chains.record_checking import check_record
from judgments.models.chains.sealing import seal_all
from judgments.protocols.kinds import KINDS
from tests import factory

pytestmark = pytest.mark.django_db


@pytest.fixture
def campaign():
    """Two annotators, four judgments each, and a revision of the first one's second."""
    owner, *people = (factory.make_user(name) for name in ("owner", "ada", "bela"))
    campaign = factory.make_campaign(
        factory.make_test_set(owner), owner=owner, annotators=people, name="Chained"
    )
    tasks = [factory.make_task(campaign, user, seat=seat) for seat, user in enumerate(people, 1)]
    record.begin(campaign.pk, "opened")
    for task, user in zip(tasks, people, strict=True):
        for item in task.items.order_by("position"):
            answer(campaign, user, item, 3)
    answer(campaign, people[0], campaign.tasks.first().items.get(position=1), 4)
    return campaign


def answer(campaign, user, item, value):
    """An annotator's answer through the transaction of the judging screen."""
    now = timezone.now()
    ticket = new_ticket(item.pk, user.pk, item.position + 1, now - timedelta(seconds=9), 1)
    shown = range(1, item.shown.count() + 1)
    data = {f"output{n}-{name}": str(value) for n in shown for name in ("adequacy", "fluency")}
    membership = Membership.objects.get(campaign=campaign, user=user)
    done = queue.submit(membership, ticket, data, active_ms=1000, now=now)
    assert done.judgment is not None
    return done.judgment


def found(campaign):
    return checking.check(campaign).found


def verify(*arguments, **options):
    out = io.StringIO()
    call_command("verify_judgments", *arguments, stdout=out, **options)
    return out.getvalue()


def test_the_columns_are_those_that_are_stored():
    """A new column of an observation is not hashed by version 1: it needs a version 2."""
    assert {
        name: kind.columns + (("is_copy",) if kind.is_copied else ())
        for name, kind in KINDS.items()
    } == COLUMNS


def test_what_is_hashed():
    """The example of docs/guide/formats.md, by hand."""
    time = timezone.datetime.fromisoformat("2026-03-01T15:05:00.25+01:00")
    head = Head(3, 7, 31, 5, "11111111-2222-4333-8444-555555555555", submitted=time)
    text = content(head, {"ratings": [(9, "fluency", 4.0, False), (10, "fluency", 2.5, True)]})
    assert text == (
        '{"active_ms":null,"annotator":5,"campaign":3,"guideline":1,"item":31,'
        '"key":"11111111-2222-4333-8444-555555555555",'
        '"ratings":[[10,"fluency",2.5,true],[9,"fluency",4,false]],"revision":1,"started":null,'
        '"submitted":"2026-03-01T14:05:00.250000Z","supersedes":null,"task":7,"v":1}'
    )
    said = {kind: [(1, "é")] for kind in COLUMNS}
    whole = json.loads(content(head, said))
    assert list(whole) == sorted(whole) and content(head, said) == canonical(whole)


def test_everything_is_as_it_was_stored(campaign):
    report = checking.check(campaign)
    assert (report.judgments, report.tasks, report.erased, report.found) == (9, 2, 0, [])
    assert "9 judgments" in verify(campaign.pk) and "as they were stored" in verify()


def test_an_altered_value_is_named(campaign):
    rating = Rating.objects.order_by("?").first()
    with factory.rewriting():
        Rating.objects.filter(pk=rating.pk).update(value=1)
    (sentence,) = found(campaign)
    assert sentence.startswith(f"Judgment {rating.judgment_id} ") and "altered" in sentence
    with pytest.raises(CommandError, match="1 thing is wrong"):
        verify(campaign.pk)


CHANGES = {
    "client_key": uuid.UUID(int=7),
    "revision": 9,
    "started_at": None,
    "submitted_at": timezone.now(),
    "active_ms": 7,
    "guideline_version": 9,
}


@pytest.mark.parametrize("column", CHANGES)
def test_every_column_of_a_judgment_counts(campaign, column):
    judgment = Judgment.objects.order_by("pk")[2]
    with factory.rewriting():
        Judgment.objects.filter(pk=judgment.pk).update(**{column: CHANGES[column]})
    (sentence,) = found(campaign)
    assert sentence.startswith(f"Judgment {judgment.pk} ")


def test_judgments_given_to_somebody_else_are_named(campaign):
    one, two = Judgment.objects.order_by("pk")[:2]
    with factory.rewriting():
        Judgment.objects.filter(pk=one.pk).update(annotator=campaign.memberships.last().user)
        Judgment.objects.filter(pk=two.pk).update(campaign=factory_campaign(campaign).pk)
    assert [s.split(" (")[0] for s in found(campaign)] == [f"Judgment {j.pk}" for j in (one, two)]
    other = Campaign.objects.get(name="Another")
    assert [s.split(" (")[0] for s in found(other)] == [f"Judgment {two.pk}"]


def factory_campaign(campaign):
    return factory.make_campaign(campaign.test_set, name="Another")


def test_removed_observations_are_named(campaign):
    judgment = Judgment.objects.order_by("pk")[3]
    with factory.rewriting():
        judgment.ratings.first().delete()
    (sentence,) = found(campaign)
    assert sentence.startswith(f"Judgment {judgment.pk} ") and "altered" in sentence


@pytest.mark.parametrize("place", [0, 2, 8])
def test_a_removed_judgment_is_named(campaign, place):
    """The first, one in the middle, and the last of all."""
    judgment = Judgment.objects.order_by("pk")[place]
    remove([judgment.pk])
    (sentence,) = found(campaign)
    assert sentence.startswith(f"Judgment {judgment.pk} ") and sentence.endswith("missing.")


def remove(ids, *, seals=False):
    with factory.rewriting():
        Rating.objects.filter(judgment__in=ids).delete()
        Judgment.objects.filter(pk__in=ids).delete()
        if seals:
            Seal.objects.filter(pk__in=ids).delete()


def test_judgments_removed_with_their_seals_are_missed(campaign):
    first, second = campaign.tasks.order_by("pk")
    ids = list(Seal.objects.filter(task_id=first.pk, place=3).values_list("pk", flat=True))
    ids += Seal.objects.filter(task_id=second.pk, place__gte=3).values_list("pk", flat=True)
    remove(ids, seals=True)
    assert found(campaign) == [
        f"Place 3 of task {first.pk}: missing with its seal.",
        f"Places 3 to 4 of task {second.pk}: missing with their seals.",
    ]


def test_a_task_removed_with_all_its_judgments_is_missed(campaign):
    task = campaign.tasks.order_by("pk")[1]
    number = task.pk
    remove(list(Seal.objects.filter(task_id=number).values_list("pk", flat=True)), seals=True)
    with factory.rewriting():
        task.items.all().delete()
        task.delete()
    assert found(campaign) == [f"Places 1 to 4 of task {number}: missing with their seals."]


def test_a_judgment_put_in_is_named(campaign):
    item = campaign.tasks.first().items.first()
    put_in = factory.judge(item, {"adequacy": [1, 1, 1]}, supersedes=item.judgments.get())
    assert found(campaign) == [
        f"Judgment {put_in.pk} (task {item.task_id}): inserted outside the chain."
    ]
    with factory.rewriting():  # with a seal at the end, as somebody would who does not know more
        Seal.objects.create(judgment_id=put_in.pk, task_id=item.task_id, place=6, hash=bytes(32))
    sentences = found(campaign)
    assert sentences[0].startswith(f"Judgment {put_in.pk} (task {item.task_id}, place 6): altered")
    assert "does not end where it should" in sentences[1]


def test_swapped_judgments_are_named(campaign):
    """What two judgments say, exchanged; and their places in the chain, exchanged."""
    one, two = Seal.objects.filter(place__in=[2, 3]).order_by("task_id", "place")[:2]
    with factory.rewriting():
        Rating.objects.filter(judgment=one.pk).update(judgment=Judgment(pk=two.pk + 1000))
        Rating.objects.filter(judgment=two.pk).update(judgment=Judgment(pk=one.pk))
        Rating.objects.filter(judgment=two.pk + 1000).update(judgment=Judgment(pk=two.pk))
    assert [s.split(" (")[0] for s in found(campaign)] == [f"Judgment {s.pk}" for s in (one, two)]


def test_exchanged_seals_are_named(campaign):
    one, two = Seal.objects.filter(place__in=[2, 3]).order_by("task_id", "place")[:2]
    with factory.rewriting():
        for seal, place in ((one, 99), (two, 2), (one, 3)):
            Seal.objects.filter(pk=seal.pk).update(place=place)
    named = {s.split(" (")[0] for s in found(campaign)}
    assert {f"Judgment {seal.pk}" for seal in (one, two)} <= named


def test_an_altered_seal_and_an_altered_end_are_named(campaign):
    seal = Seal.objects.get(task_id=campaign.tasks.first().pk, place=2)
    with factory.rewriting():
        Seal.objects.filter(pk=seal.pk).update(hash=bytes(32))
        Chain.objects.filter(task_id=campaign.tasks.last().pk).update(head=bytes(32))
    assert len(found(campaign)) == 3  # the seal, the one that stands on it, and the end
    with factory.rewriting():
        Chain.objects.all().delete()
    assert sum("its end was removed" in sentence for sentence in found(campaign)) == 2


def test_what_was_published_shows_a_chain_that_was_recomputed(campaign, tmp_path, client):
    """A superuser who knows the algorithm can recompute everything; not what others have kept."""
    files = {}
    client.force_login(campaign.members.get(username="owner"))
    for name in ("export-json", "export-chain"):
        files[name] = tmp_path / name
        address = reverse(name, args=[campaign.pk])
        files[name].write_bytes(b"".join(client.get(address).streaming_content))
        verify(campaign.pk, against=files[name])
    answer(campaign, campaign.tasks.first().annotator, campaign.tasks.first().items.first(), 5)
    for file in files.values():  # the chain may go on
        verify(campaign.pk, against=file)
    rating = Rating.objects.filter(judgment=Seal.objects.filter(place=3).first().pk).first()
    task = rating.judgment.item.task_id
    with factory.rewriting():
        Rating.objects.filter(pk=rating.pk).update(value=1)
        Seal.objects.all().delete()
        Chain.objects.all().delete()
    seal_all()
    assert found(campaign) == []
    out = io.StringIO()
    with pytest.raises(CommandError):
        call_command("verify_judgments", campaign.pk, against=files["export-chain"], stdout=out)
    assert f"Task {task}, place 3: not the judgment that was published." in out.getvalue()
    with pytest.raises(CommandError):
        verify(campaign.pk, against=files["export-json"])
    altered = files["export-json"].read_text().replace(published_head(files["export-json"]), "0")
    files["export-json"].write_text(altered)
    with pytest.raises(CommandError, match="altered: its head"):
        verify(campaign.pk, against=files["export-json"])
    with pytest.raises(CommandError, match="neither"):
        verify(campaign.pk, against=__file__)
    with pytest.raises(CommandError, match="which campaign"):
        verify(against=__file__)


def published_head(file):
    return json.loads(file.read_text())["chain"]["head"]


def test_a_stranger_recomputes_the_chain_from_the_file_alone(campaign):
    """With what docs/guide/formats.md says and nothing else."""
    before, ends = {}, {}
    for line in publication.lines(campaign):
        row = json.loads(line)
        last = before.get(row["task"], bytes(32))
        digest = hashlib.sha256(row["content"].encode()).digest()
        before[row["task"]] = hashlib.sha256(last + digest).digest()
        assert before[row["task"]].hex() == row["hash"]
        ends[row["task"]] = [row["task"], row["place"], row["hash"]]
        said = json.loads(row["content"])
        assert row["annotator"] in ("ada", "bela") and row["systems"]
        assert {str(rating[0]) for rating in said["ratings"]} == row["systems"].keys()
    tasks = [ends[task] for task in sorted(ends)]
    text = json.dumps(tasks, separators=(",", ":"))
    heads = publication.heads(campaign)
    assert heads["head"] == hashlib.sha256(text.encode()).hexdigest()
    assert (heads["tasks"], heads["judgments"], heads["erased"]) == (tasks, 9, 0)


def test_old_judgments_are_sealed_once(campaign):
    """As the migration does for judgments from before there were chains."""
    before = publication.heads(campaign)
    with factory.rewriting():
        Seal.objects.all().delete()
        Chain.objects.all().delete()
    assert len(found(campaign)) == 9
    assert seal_all() == 9
    assert found(campaign) == [] and seal_all() == 0
    assert publication.heads(campaign) == before  # the order of a task is that of its judgments


@pytest.mark.proof
def test_the_demo_is_sealed():
    loading.load()
    assert Judgment.objects.count() > 100
    assert all(checking.check(each).found == [] for each in Campaign.objects.all())
    assert all(check_record(each).found == [] for each in Campaign.objects.all())
    assert Seal.objects.count() == Judgment.objects.count()


# What the database refuses


KEPT = [Judgment, *(kind.model for kind in KINDS.values()), Grade]
LOGS = [Seal, Erasure, ErasedJudgment]


@pytest.mark.parametrize("model", KEPT + LOGS, ids=lambda model: model.__name__)
@pytest.mark.parametrize("statement", ["UPDATE {0} SET {1} = {1}", "TRUNCATE {0} CASCADE"])
def test_rows_cannot_be_altered(campaign, model, statement):
    """By any role, in any table; even if no row is affected."""
    with connection.cursor() as cursor:
        # TRUNCATE would complain about rows that were just stored before it asks the trigger.
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        with pytest.raises(IntegrityError, match="only ever added"), transaction.atomic():
            cursor.execute(statement.format(model._meta.db_table, model._meta.pk.column))


def test_rows_cannot_be_deleted(campaign):
    for model in (Judgment, Rating, Seal, Chain):
        assert model.objects.exists()
        with pytest.raises(IntegrityError, match="DELETE refused"), transaction.atomic():
            model.objects.all()._raw_delete("default")
    assert found(campaign) == []


def test_only_what_is_listed_as_erased_can_be_deleted(campaign):
    one, two = Rating.objects.order_by("pk").distinct("judgment", "pk")[:8:7]
    assert one.judgment_id != two.judgment_id
    erasure = Erasure.objects.create(account=1, erased_by="somebody", reason="asked for")
    ErasedJudgment.objects.create(judgment_id=one.judgment_id, erasure=erasure, digest=bytes(32))
    with pytest.raises(IntegrityError, match="DELETE refused"), transaction.atomic():
        Rating.objects.filter(pk__in=[one.pk, two.pk])._raw_delete("default")
    Rating.objects.filter(pk=one.pk)._raw_delete("default")
    assert not Rating.objects.filter(pk=one.pk).exists()


def test_a_chain_only_goes_on(campaign):
    chain = Chain.objects.first()
    for change in ({"head": bytes(32)}, {"length": chain.length - 1}, {"campaign": 0}):
        with pytest.raises(IntegrityError, match="UPDATE refused"), transaction.atomic():
            Chain.objects.filter(pk=chain.pk).update(**change)
