"""What people do in a campaign reads as much of the database where many judgments are stored.

Two campaigns, one with twenty times the judgments of the other, and the blocks that each statement
touches (`benchmarks/statement_blocks.py`), which are the same on every machine.
"""

import large_site
import large_work
import pytest
import statement_blocks
from django.db import connection

from judgments.files.copying import MANY_ROWS, analyze
from judgments.models import Judgment, Rating

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.proof]

FEW, MANY = 20, 400  # batches of a hundred judgments
# Trees of indexes may be one page deeper, and pages that statements write to may be begun: the
# import of 5,000 judgments, each with its row in the campaign's record, reads 2.1 % more.
MORE, MORE_OF_MANY = 40, 0.03
# Their statements read no more; what a manager sees counts batches as well.
FLAT = {
    *("offer of a batch", "first page", "row", "submission", "start page of an annotator"),
    *("list of items", "next batch of an old hand", "plan", "import"),
}
# Blocks for each batch more, where batches are counted: 2,000 judgments have more.
BY_BATCHES = {"campaign", "people", "watch: counters", "list of campaigns"}


@pytest.fixture(autouse=True)
def same_plans(transactional_db):
    """The same plans each time: tables are as long as their rows, and statistics are from all rows,
    not from a sample. PostgreSQL does not collect them by itself meanwhile."""
    with connection.cursor() as cursor:
        tables = connection.introspection.table_names(cursor)
        for table in tables:
            cursor.execute(f"ALTER TABLE {table} SET (autovacuum_enabled = off)")
        cursor.execute("VACUUM FULL")  # tests before have left dead rows
        cursor.execute("SET default_statistics_target = 1000")
        yield
        cursor.execute("RESET default_statistics_target")
        for table in tables:
            cursor.execute(f"ALTER TABLE {table} RESET (autovacuum_enabled)")


def look_at_tables():
    with connection.cursor() as cursor:
        cursor.execute("VACUUM ANALYZE")


def blocks_by_step(judged, names):
    """Of the second time: with the first, PostgreSQL reads what it has about its tables."""
    found = {}
    for _ in range(2):
        look_at_tables()  # and what the steps before have left is swept
        for name, step in large_work.all_steps(judged):
            if name in names:
                with statement_blocks.explained() as explained:
                    step()
                found[name] = explained
    return found


def what_differs(before, after):
    """The statements that read more, with their plans."""
    pairs = zip(before.statements, after.statements, strict=False)
    return "\n".join(
        f"{few.blocks} and {many.blocks} blocks: {few.sql[:200]}\n"
        f"  {statement_blocks.in_short(few.plan)}\n  {statement_blocks.in_short(many.plan)}"
        for few, many in pairs
        if many.blocks > few.blocks
    )


def test_work_reads_as_much_of_a_campaign_with_many_judgments():
    few, many = (
        large_site.make(name, design="latin-square", n_annotators=20) for name in ("few", "many")
    )
    large_site.multiply(few, FEW)
    large_site.multiply(many, MANY, 2 * large_site.FIRST)
    before, after = (blocks_by_step(judged, FLAT | BY_BATCHES) for judged in (few, many))
    for name, explained in before.items():
        most = MANY - FEW if name in BY_BATCHES else MORE + MORE_OF_MANY * explained.blocks
        more = after[name].blocks - explained.blocks
        assert more <= most, f"{name}: {what_differs(explained, after[name])}"
    for name in ("offer of a batch", "first page"):
        assert "task_unfinished" in after[name].indexes, name


def analyzed(*tables, **options):
    with statement_blocks.explained() as asked:
        analyze(*tables, **options)
    return [sql for sql in asked.others if sql.startswith("ANALYZE")]


def test_a_large_table_that_hardly_grew_is_not_looked_at():
    large_site.multiply(large_site.make("large"), 110)
    both = ['ANALYZE (SKIP_LOCKED) "judgments_judgment", "judgments_rating"']
    assert analyzed(Judgment, Rating, added=100) == both  # never looked at
    assert analyzed(Judgment, Rating, added=100) == []
    assert analyzed(Judgment, Rating, added=200) == both
    assert analyzed(Judgment, Rating, added=MANY_ROWS) == both
    assert analyzed(Judgment, Rating) == both
