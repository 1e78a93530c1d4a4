"""Large files: how long an import takes, and how much memory."""

import random
import time
from pathlib import Path

import pytest
from django.db import connection

from judgments.exchange.judgments.importer import import_judgments
from judgments.files import ImportProblem, texts
from judgments.files.output_texts import WORD_LINKS
from judgments.files.rows import AddedRows, import_rows
from judgments.models import Judgment, Output, PrefilledLink, Rating, TestSet
from judgments.test_sets.corpus import import_test_set
from judgments.test_sets.word_links.prefilled_links import ProposedLinks
from tests import factory

from ..files.files import upload

pytestmark = [pytest.mark.django_db, pytest.mark.proof]

MEGABYTE = 1024 * 1024


class PeakMemory:
    """How many bytes the resident memory of this process grew at most inside the block (Linux)."""

    def __enter__(self):
        try:
            Path("/proc/self/clear_refs").write_text("5")  # sets the peak to what is in use now
        except OSError:
            pytest.skip("the peak of resident memory can be measured on Linux alone")
        self.before = self.peak()
        return self

    def __exit__(self, *error):
        self.grown = self.peak() - self.before

    @staticmethod
    def peak() -> int:
        for line in Path("/proc/self/status").read_text().splitlines():
            if line.startswith("VmHWM:"):
                return int(line.split()[1]) * 1024
        pytest.skip("no VmHWM in /proc/self/status")


@pytest.fixture
def owner():
    return factory.make_user("owner", is_staff=True)


def big_test_set(owner, n_segments, n_systems):
    header = "source\t" + "\t".join(f"system:s{s}" for s in range(n_systems)) + "\n"
    rows = "".join(f"segment {i}" + f"\toutput {i}" * n_systems + "\n" for i in range(n_segments))
    test_set = TestSet(name="Big", owner=owner, source_language="de", target_language="en")
    return import_test_set(test_set, texts.from_table(upload("t.tsv", (header + rows).encode())))


def test_25138_ratings_are_imported_in_ten_seconds(owner):
    """The number of rows of WMT22's Ukrainian–English campaign."""
    test_set = big_test_set(owner, 2018, 9)
    campaign = factory.make_campaign(test_set, preset="direct-assessment", owner=owner)
    values = random.Random(20)
    rows = "".join(
        f"worker {i % 144}\t{i % 2018 + 1}\ts{i % 9}\tda\t{values.randint(0, 100)}\t{i}\n"
        for i in range(25_138)
    )
    content = ("annotator\tsegment\tsystem\tdimension\tvalue\titem\n" + rows).encode()
    start = time.perf_counter()
    with PeakMemory() as memory:
        import_judgments(campaign, upload("r.tsv", content))
        connection.check_constraints()  # what the commit would do
    seconds = time.perf_counter() - start
    assert Judgment.objects.count() == Rating.objects.count() == 25_138
    assert campaign.tasks.progress()["judged"] == 25_138
    assert seconds < 10
    assert memory.grown < 100 * MEGABYTE


def test_100000_links_are_imported_in_little_memory(owner):
    test_set = big_test_set(owner, 10_000, 5)
    campaign = factory.make_campaign(test_set, preset="word-alignment", owner=owner)
    line = "0-0 1p1\n"
    files = {f"s{s}": upload(f"s{s}.txt", (line * 10_000).encode()) for s in range(5)}
    with PeakMemory() as memory:
        rows = WORD_LINKS.from_lines(files, 10_000)
        assert import_rows(ProposedLinks, campaign, rows) == AddedRows(100_000, 50_000)
    assert PrefilledLink.objects.count() == 100_000
    assert memory.grown < 100 * MEGABYTE


def test_200_mb_of_ratings_are_refused_at_the_limit_of_rows(owner, tmp_path):
    test_set = big_test_set(owner, 100, 1)
    campaign = factory.make_campaign(test_set, preset="direct-assessment", owner=owner)
    path = tmp_path / "big.tsv"
    with path.open("w") as out:
        out.write("annotator\tsegment\tsystem\tdimension\tvalue\titem\n")
        number = 0
        while out.tell() < 200 * MEGABYTE:
            out.writelines(f"worker\t1\ts0\tda\t50\t{number + i}\n" for i in range(100_000))
            number += 100_000
    with PeakMemory() as memory, pytest.raises(ImportProblem) as caught:
        import_judgments(campaign, path)
    assert caught.value.row == 250_002  # the header is row 1
    assert "more than 250,000 rows, the limit of this site" in caught.value.reason
    assert not Judgment.objects.exists()
    assert memory.grown < 350 * MEGABYTE


def test_200_mb_of_texts_are_imported_in_little_memory(owner, tmp_path):
    for name in ("src", "A"):
        with (tmp_path / f"{name}.txt").open("w") as out:
            for number in range(20_000):
                out.write(f"{name} {number} " + "lorem ipsum " * 430 + "\n")
    files = sum(path.stat().st_size for path in tmp_path.iterdir())
    assert files > 195 * MEGABYTE
    test_set = TestSet(name="Big", owner=owner, source_language="de", target_language="en")
    with PeakMemory() as memory:
        segments = texts.from_lines(tmp_path / "src.txt", {}, {"A": tmp_path / "A.txt"})
        import_test_set(test_set, segments)
    assert Output.objects.filter(system__test_set=test_set).count() == 20_000
    assert memory.grown < 100 * MEGABYTE


def test_a_file_over_the_limit_of_bytes_is_refused(owner, tmp_path, settings):
    settings.MAX_UPLOAD_BYTES = 20 * MEGABYTE
    path = tmp_path / "A.txt"
    path.write_bytes((b"x" * 999 + b"\n") * 200_000)
    test_set = TestSet(name="Big", owner=owner, source_language="de", target_language="en")
    with PeakMemory() as memory, pytest.raises(ImportProblem) as caught:
        import_test_set(test_set, texts.from_lines(path, {}, {"A": path}))
    assert "larger than 20 MB" in caught.value.reason
    assert not TestSet.objects.exists()
    assert memory.grown < 50 * MEGABYTE


def test_the_database_knows_what_was_imported(tmp_path):
    """Without it, joins over fresh rows are planned as for small tables, and results take hours."""
    owner = factory.make_user("owner")
    test_set = factory.make_test_set(owner, n_segments=2, n_systems=1)
    dimension = {"slug": "only_in_this_test", "low": 0, "high": 100}
    campaign = factory.make_campaign(
        test_set, preset="custom-rating", owner=owner, options={"dimensions": [dimension]}
    )
    path = tmp_path / "ratings.tsv"
    rows = [f"w{i}\t{1 + i % 2}\tSystem-A\tonly_in_this_test\t{i % 101}" for i in range(300)]
    path.write_text("annotator\tsegment\tsystem\tdimension\tvalue\n" + "\n".join(rows) + "\n")
    import_judgments(campaign, path)
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT most_common_vals::text FROM pg_stats "
            "WHERE tablename = 'judgments_rating' AND attname = 'dimension'"
        )
        assert "only_in_this_test" in cursor.fetchone()[0]
