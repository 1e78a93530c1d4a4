"""Blocks read by statements: every statement sent by Django is also run under EXPLAIN (ANALYZE,
BUFFERS), in a transaction or a savepoint that is rolled back.

The number of 8 kB pages touched by PostgreSQL does not depend on other work of the machine, so it
shows what grows with a table. Not counted: COPY and ANALYZE, which EXPLAIN does not support, and
the reads of triggers and checks at the end of a transaction.
"""

import contextlib
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field

EXPLAINED = re.compile(r"\s*(SELECT|INSERT|UPDATE|DELETE|WITH|EXECUTE|\(SELECT)\b", re.IGNORECASE)


@dataclass
class Statement:
    """blocks: shared pages that were hit or read; plan: as reported by PostgreSQL, in JSON."""

    sql: str
    blocks: int
    rows: int
    plan: dict


@dataclass
class Explained:
    statements: list[Statement] = field(default_factory=list)
    others: list[str] = field(default_factory=list)

    @property
    def blocks(self) -> int:
        return sum(each.blocks for each in self.statements)

    @property
    def indexes(self) -> set[str]:
        """The indexes used."""
        plans = [each.plan for each in self.statements]
        return {node.get("Index Name", "") for plan in plans for node in nodes(plan)}

    def __call__(self, execute, sql, params, many, context):
        if not EXPLAINED.match(sql):
            self.others.append(sql[:80])
        else:
            for values in params if many else [params]:
                self.explain(context["connection"].connection, sql, values)
        return execute(sql, params, many, context)

    def explain(self, driver, sql: str, values) -> None:
        alone = driver.autocommit and driver.info.transaction_status == 0
        begin, end = ("BEGIN", "ROLLBACK") if alone else ("SAVEPOINT seen", "ROLLBACK TO seen")
        with driver.cursor() as cursor:
            cursor.execute(begin)
            try:
                cursor.execute(f"EXPLAIN (ANALYZE, BUFFERS, TIMING OFF, FORMAT JSON) {sql}", values)
                ((found,),) = cursor.fetchall()
            finally:
                cursor.execute(end)
        plan = (json.loads(found) if isinstance(found, str) else found)[0]["Plan"]
        blocks = plan["Shared Hit Blocks"] + plan["Shared Read Blocks"]
        self.statements.append(Statement(sql, blocks, int(plan["Actual Rows"]), plan))


@contextlib.contextmanager
def explained() -> Iterator[Explained]:
    from django.db import connection

    found = Explained()
    with connection.execute_wrapper(found):
        yield found


def nodes(plan: dict) -> Iterator[dict]:
    """Yield a plan and all its subplans."""
    yield plan
    for below in plan.get("Plans", ()):
        yield from nodes(below)


def scans_of(plan: dict) -> list[dict]:
    return [node for node in nodes(plan) if "Relation Name" in node or "Index Name" in node]


def in_short(plan: dict) -> str:
    """Return a plan in short: each scan with the rows it read and the blocks."""
    scans = scans_of(plan)
    return "; ".join(
        f"{node['Node Type']} {node.get('Index Name') or node.get('Relation Name', '')} "
        f"rows {node['Actual Rows']:.0f}×{node['Actual Loops']:.0f}, "
        f"{node['Shared Hit Blocks'] + node['Shared Read Blocks']} blocks"
        for node in scans
    )
