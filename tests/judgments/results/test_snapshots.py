"""Snapshots of observations: what is read with them is what the database has, whatever happened."""

import threading
from pathlib import Path

import numpy as np
import pytest
from django.conf import settings
from django.db import connection
from django.test import TestCase, TransactionTestCase

from judgments.models import Campaign, ErrorSpan, Rating
from judgments.models.moments import read_moment
from judgments.results.observations import snapshots, storage, tasks
from judgments.results.observations.observations import forget, load
from judgments.results.selection.selection import Selection
from tests import factory


@pytest.fixture(autouse=True)
def small_parts(monkeypatch, tmp_path, settings):
    monkeypatch.setattr(snapshots, "PART", 4)
    settings.SNAPSHOTS_DIR = tmp_path / "snapshots"
    for memory in (tasks._asked, tasks._seen):
        memory.clear()
    monkeypatch.setattr(tasks, "_erased", "")
    monkeypatch.setattr(tasks, "_next_sweep", 0.0)
    forget()


def files() -> list[Path]:
    return [path for path in settings.SNAPSHOTS_DIR.rglob("*") if path.is_file()]


class Judged:
    """A campaign of two annotators, and what is read of it."""

    def __init__(self, preset="adequacy-fluency", prefix="", **fields):
        self.people = [factory.make_user(f"{prefix}a{n}") for n in (1, 2)]
        owner = factory.make_user(f"{prefix}owner")
        self.test_set = factory.make_test_set(owner, n_segments=8)
        self.campaign = factory.make_campaign(
            self.test_set, preset=preset, annotators=self.people, **fields
        )
        self.items = []
        for place, person in enumerate(self.people, 1):
            task = factory.make_task(self.campaign, person, seat=place)
            self.items += task.items.order_by("position")
        self.rng = np.random.default_rng(1)
        self.judgments = []

    def judge(self, n, supersedes=None):
        for _ in range(n):
            item = supersedes.item if supersedes else self.items[len(self.judgments)]
            self.judgments.append(
                factory.judge(item, self.values(item), supersedes=supersedes, active_ms=1200)
            )
        return self.judgments[-1]

    def values(self, item):
        campaign, n = self.campaign, item.shown.count()
        if campaign.protocol == "pairwise":
            return int(self.rng.integers(-1, 2))
        slugs = [each.slug for each in storage.protocol_of(campaign).dimensions()]
        return {slug: self.rng.integers(1, 4, n).tolist() for slug in slugs}

    def read(self):
        return read(self.campaign)

    def assert_same(self):
        return assert_same(self.campaign)


def read(campaign):
    """Return all rows, as a process reads them that has just started."""
    forget()
    return load(Selection.of(Campaign.objects.get(pk=campaign.pk)))


def assert_same(campaign):
    """Assert that reading with the snapshot and without one gives the same rows; return them."""
    assert snapshots.of(campaign).parts
    found = read_all(campaign)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(snapshots, "of", lambda campaign: snapshots.Snapshot())
        expected = read_all(campaign)
    assert found.keys() == expected.keys()
    for name, column in expected.items():
        assert found[name].dtype == column.dtype, name
        np.testing.assert_array_equal(found[name], column, name)
    return read(campaign)


def read_all(campaign):
    """Return everything that is read of a campaign's observations, as columns by name."""
    rows = read(campaign)
    judgments = rows.judgments["judgment"]
    tables = {name: getattr(rows, name) for name in ("judgments", "ratings", "preferences")}
    columns = {
        f"{name}.{column}": table[column]
        for name, table in tables.items()
        for column in table._columns
    }
    columns |= {
        f"errors.{name}": column
        for name, column in storage.read_errors(campaign, judgments).items()
    }
    columns |= storage.read_times(campaign, judgments)
    return columns | {
        "annotators": rows.annotators,
        "off protocol": np.array(rows.n_off_protocol),
        "fingerprint": np.array(rows.fingerprint),
    }


class SnapshotTest(TestCase):
    def test_ratings_with_revisions_and_dimensions_that_are_no_longer_asked(self):
        world = Judged()
        world.judge(5)
        output = world.items[0].shown.first().output
        Rating.objects.create(
            judgment=world.judgments[0], output=output, dimension="former", value=2
        )
        assert snapshots.write(world.campaign).n == 5
        world.judge(1, supersedes=world.judgments[1])  # of a judgment in the snapshot
        world.judge(2)
        found = world.assert_same()
        assert found.n_off_protocol == 1
        assert len(found.judgments) == 7

    def test_preferences(self):
        world = Judged("pairwise")
        world.judge(6)
        snapshots.write(world.campaign)
        world.judge(2)
        assert len(world.assert_same().preferences) == 8

    def test_ranks_have_the_places_of_their_outputs(self):
        world = Judged("relative-ranking")
        world.judge(5)
        snapshots.write(world.campaign)
        world.judge(1, supersedes=world.judgments[0])
        world.judge(1)
        found = world.assert_same()
        assert set(found.ratings["position"].tolist()) == {0, 1, 2}

    def test_marked_errors(self):
        world = Judged("esa")
        world.judge(5)
        severities, sides = ["minor", "major"] * 2 + ["x"], ["target", "missing"] * 2 + ["target"]
        for judgment, severity, side in zip(world.judgments, severities, sides, strict=True):
            ErrorSpan.objects.create(
                judgment=judgment,
                output=judgment.item.shown.first().output,
                side=side,
                start=0,
                end=3 if side == "target" else 0,
                severity=severity,
                category="accuracy/omission" if severity == "x" else "",
            )
        part = snapshots.write(world.campaign)
        world.judge(1)
        world.assert_same()
        content = snapshots._content(part.files["errors"])
        import pyarrow
        from pyarrow import parquet

        table = parquet.read_table(pyarrow.BufferReader(content))
        assert table["severity"].to_pylist() == severities
        assert table["category"].to_pylist() == [""] * 4 + ["accuracy/omission"]
        assert table["side"].to_pylist() == sides

    def test_few_new_judgments_write_nothing(self):
        world = Judged()
        world.judge(3)
        assert snapshots.write(world.campaign) is None
        assert not files()

    def test_parts_are_joined_like_digits_of_a_binary_counter(self):
        world = Judged()
        sizes = []
        for _ in range(4):
            world.judge(4)
            snapshots.write(world.campaign)
            sizes.append([part.n for part in snapshots.of(world.campaign).parts])
        assert sizes == [[4], [8], [8, 4], [16]]
        assert len(files()) == len(snapshots.TABLES)
        world.assert_same()

    def test_an_unknown_time_stays_unknown(self):
        world = Judged()
        world.judge(4)
        snapshots.write(world.campaign)
        times = storage.read_times(world.campaign, np.array([j.pk for j in world.judgments]))
        assert np.isnan(times["submitted"]).all()

    def test_a_damaged_file_is_not_read(self):
        world = Judged()
        world.judge(5)
        part = snapshots.write(world.campaign)
        path = settings.SNAPSHOTS_DIR / part.files["ratings"]
        content = bytearray(path.read_bytes())
        content[len(content) // 2] ^= 1
        path.write_bytes(content)
        assert not snapshots.of(world.campaign).parts
        assert not path.exists()
        assert len(world.read().judgments) == 5
        assert snapshots.write(world.campaign).n == 5  # a worker mends it
        world.assert_same()

    def test_a_file_of_another_campaign_is_not_read(self):
        worlds = [Judged(prefix=prefix) for prefix in "ab"]
        for world in worlds:
            world.judge(5)
        one, other = (snapshots.write(world.campaign) for world in worlds)
        mark = other.files["ratings"].rpartition("_")[2]
        place = one.files["ratings"].rpartition("_")[0]
        (settings.SNAPSHOTS_DIR / one.files["ratings"]).unlink()
        content = (settings.SNAPSHOTS_DIR / other.files["ratings"]).read_bytes()
        (settings.SNAPSHOTS_DIR / f"{place}_{mark}").write_bytes(content)
        assert not snapshots.of(worlds[0].campaign).parts

    def test_rows_are_in_the_order_in_which_they_were_stored_across_parts(self):
        # Of two who answer at once, one may draw the judgment first and the other the ratings.
        world = Judged()
        world.judge(4)
        late = list(Rating.objects.filter(judgment=world.judgments[3]).order_by("pk"))
        with factory.rewriting():
            Rating.objects.filter(judgment=world.judgments[3]).delete()
        world.judge(1)
        for rating in late:
            rating.pk = None
            rating.save(force_insert=True)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(snapshots, "settled_last", lambda campaign: world.judgments[3].pk)
            assert snapshots.write(world.campaign).n == 4
        ids = world.assert_same().ratings["id"]
        assert (np.diff(ids) > 0).all()

    def test_a_missing_file_is_not_missed(self):
        world = Judged()
        world.judge(5)
        part = snapshots.write(world.campaign)
        (settings.SNAPSHOTS_DIR / part.files["judgments"]).unlink()
        assert len(world.read().judgments) == 5

    def test_erased_judgments_leave_the_files_too(self):
        world = Judged()
        world.judge(6)
        snapshots.write(world.campaign)
        with factory.rewriting():
            Rating.objects.filter(judgment=world.judgments[2]).delete()
            world.judgments[2].delete()
        assert not snapshots.of(world.campaign).parts
        assert len(world.read().judgments) == 5
        tasks._asked[world.campaign.pk] = world.judgments[-1].pk
        tasks.look()  # the number of erasures says so
        assert not files()
        tasks.write_snapshot.func(world.campaign.pk)
        world.assert_same()

    def test_what_is_erased_while_a_part_is_written_does_not_stay(self):
        world = Judged()
        world.judge(5)

        def erase(*arguments):
            if world.judgments[0].pk:
                with factory.rewriting():
                    Rating.objects.filter(judgment=world.judgments[0]).delete()
                    world.judgments[0].delete()
            return as_parquet(*arguments)

        as_parquet = snapshots._as_parquet
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(snapshots, "_as_parquet", erase)
            assert snapshots.write(world.campaign) is None
        assert not files()

    def test_names_that_are_not_ours_are_let_be(self):
        world = Judged()
        folder = settings.SNAPSHOTS_DIR / snapshots.folder_of(world.campaign)
        folder.mkdir(parents=True)
        for name in ("notes.txt", "²_5_5_x_ratings_y.parquet", ".hidden"):
            (folder / name).touch()
        assert not snapshots.of(world.campaign).parts

    def test_another_history_of_the_same_numbers_is_another(self):
        # The database was restored from a copy, and judging went on from there.
        world = Judged()
        world.judge(5)
        snapshots.write(world.campaign)
        with factory.rewriting():
            stored = world.campaign.judgments.filter(pk=world.judgments[-1].pk)
            stored.update(client_key="00000000-0000-4000-8000-000000000000")
        assert not snapshots.of(world.campaign).parts

    def test_files_of_deleted_campaigns_go(self):
        world = Judged()
        world.judge(5)
        snapshots.write(world.campaign)
        folder = snapshots.folder_of(world.campaign).partition("/")[0]
        gone = settings.SNAPSHOTS_DIR / folder / "1-20200101000000000000"
        gone.mkdir()
        (gone / "0_5_5_x_ratings_y.parquet").write_bytes(b"")
        snapshots.sweep()
        assert {path.parent.name for path in files()} == {
            snapshots.folder_of(world.campaign).rpartition("/")[2]
        }

    def test_without_pyarrow_the_database_is_read(self):
        world = Judged()
        world.judge(5)
        snapshots.write(world.campaign)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("mteval_site.extras.is_there", lambda package: False)
            assert not snapshots.of(world.campaign).parts
            tasks.look()

    def test_workers_write_what_is_due(self):
        world = Judged()
        world.judge(3)
        assert tasks._due() == []
        last = world.judge(1)
        assert tasks._due() == [(world.campaign.pk, last.pk)]
        tasks.look()
        tasks._asked.clear()
        tasks._seen.clear()
        tasks.look()  # of another worker: it is queued already
        queued = list(tasks.DBTaskResult.objects.filter(status="READY"))
        assert [task.task_path for task in queued] == [tasks.write_snapshot.module_path]
        tasks.write_snapshot.func(world.campaign.pk)
        assert [part.n for part in snapshots.of(world.campaign).parts] == [4]
        world.judge(3)
        assert tasks._due() == []
        world.judge(1)
        assert len(tasks._due()) == 1


class ConcurrentSnapshotTest(TransactionTestCase):
    def test_a_lower_number_that_is_stored_later_is_waited_for(self):
        world = Judged()
        world.judge(4)
        stored, may_end = threading.Event(), threading.Event()
        last = []

        def slowly():
            from django.db import transaction

            try:
                with transaction.atomic():
                    world.judge(1)  # draws a number
                    stored.set()
                    may_end.wait(60)
            finally:
                connection.close()

        writer = threading.Thread(target=slowly)
        writer.start()
        stored.wait(60)
        higher = factory.judge(world.items[8], world.values(world.items[8]))
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(snapshots, "LONGEST_WAIT", 0.1)
            tasks.write_snapshot.func(world.campaign.pk)  # an import of an hour holds up nobody
        [again] = tasks.DBTaskResult.objects.filter(status="READY")
        assert again.run_after > tasks.timezone.now()
        settling = threading.Thread(
            target=lambda: (last.append(snapshots.settled_last(world.campaign)), connection.close())
        )
        settling.start()
        settling.join(0.3)
        assert settling.is_alive()
        may_end.set()
        writer.join(60)
        settling.join(60)
        assert last == [higher.pk]
        assert snapshots.write(world.campaign).n == 6


@pytest.mark.django_db(transaction=True, databases=list(settings.DATABASES))
def test_a_part_that_is_written_later_is_not_read_at_one_moment(settings):
    """An export has begun; then people judge, and a worker writes what they judged."""
    settings.MOMENT_DATABASE = "moment"
    world = Judged()
    world.judge(4)
    snapshots.write(world.campaign)
    n_parts = []

    def go_on():
        world.judge(4)
        snapshots.write(world.campaign)
        n_parts.append([part.n for part in snapshots.of(world.campaign).parts])
        connection.close()

    with read_moment():
        assert len(world.read().judgments) == 4
        worker = threading.Thread(target=go_on)
        worker.start()
        worker.join(60)
        assert n_parts == [[8]]
        assert len(world.read().judgments) == 4
    assert len(world.read().judgments) == 8
