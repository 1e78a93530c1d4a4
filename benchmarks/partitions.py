"""Whether partitions by campaign would help: the tables of judgments and ratings as they are, and
copies of them that are partitioned.

The copies have a partition for each campaign. Their ratings have the campaign's number too, as each
table must have it that is partitioned by it; unique constraints must contain it, so that nothing
holds any more that a key is given once on the whole site. Other indexes are the same. What is
measured: what a page of results reads, what one annotator's page reads, an answer, finding an
answer by its key alone, and the deletion of a campaign (of the largest: in a transaction that is
rolled back). Triggers and checks of foreign keys are off, for both kinds.
"""

from __future__ import annotations

import statistics
import time

import hundred_campaigns

PLAIN, PARTED = "judgments", "parted"  # what the names of their tables begin with
COLUMNS = "id, revision, client_key, started_at, submitted_at, active_ms, guideline_version, "
COLUMNS += "annotator_id, campaign_id, item_id, supersedes_id"
RATING = "id, dimension, value, is_copy, judgment_id, output_id"

TABLES = """
    CREATE TABLE parted_judgment (LIKE judgments_judgment INCLUDING DEFAULTS)
        PARTITION BY LIST (campaign_id);
    CREATE TABLE parted_rating (
        LIKE judgments_rating INCLUDING DEFAULTS, campaign_id bigint NOT NULL
    ) PARTITION BY LIST (campaign_id);
"""
FILL = f"""
    INSERT INTO parted_judgment ({COLUMNS}) SELECT {COLUMNS} FROM judgments_judgment;
    INSERT INTO parted_rating ({RATING}, campaign_id)
        SELECT {", ".join(f"r.{name}" for name in RATING.split(", "))}, j.campaign_id
        FROM judgments_rating r JOIN judgments_judgment j ON j.id = r.judgment_id;
"""
INDEXES = """
    ALTER TABLE parted_judgment ADD PRIMARY KEY (campaign_id, id),
        ADD UNIQUE (campaign_id, client_key), ADD UNIQUE (campaign_id, item_id, revision),
        ADD UNIQUE (campaign_id, supersedes_id);
    CREATE INDEX ON parted_judgment (annotator_id);
    ALTER TABLE parted_rating ADD PRIMARY KEY (campaign_id, id),
        ADD UNIQUE (campaign_id, judgment_id, output_id, dimension);
    CREATE INDEX ON parted_rating (output_id);
"""
# Of a page of results, of an annotator's page, and by key; {same} joins partitions alike.
QUERIES = {
    "ratings of a campaign": """
        SELECT count(*), sum(r.value), sum(hashint8(r.output_id)) FROM {kind}_judgment j
        JOIN {kind}_rating r ON r.judgment_id = j.id {same} WHERE j.campaign_id = %(campaign)s
        AND NOT EXISTS (SELECT FROM {kind}_judgment n WHERE n.supersedes_id = j.id {later})
    """,
    "first, last and number": """
        SELECT min(id), max(id), count(*) FROM {kind}_judgment WHERE campaign_id = %(campaign)s
    """,
    "judgments of an annotator": """
        SELECT count(*) FROM {kind}_judgment WHERE annotator_id = %(annotator)s
    """,
    "ratings of an output": "SELECT count(*) FROM {kind}_rating WHERE output_id = %(output)s",
    "an answer by its key": "SELECT id FROM {kind}_judgment WHERE client_key = %(key)s",
    "a judgment by its number": "SELECT id FROM {kind}_judgment WHERE id = %(judgment)s",
}
ANSWER = f"""
    WITH new AS (
        INSERT INTO {{kind}}_judgment ({COLUMNS}) SELECT nextval('answers'), 9, gen_random_uuid(),
            now(), now(), 1, 1, annotator_id, campaign_id, item_id, NULL
        FROM {{kind}}_judgment WHERE campaign_id = %(campaign)s AND id = %(judgment)s RETURNING id
    )
    INSERT INTO {{kind}}_rating ({RATING} {{column}})
    SELECT nextval('answers'), 'adequacy', 50, false, id, %(output)s {{value}} FROM new
"""
# What is said to partitions beyond that.
BESIDE = {
    PLAIN: {"same": "", "later": "", "column": "", "value": ""},
    PARTED: {
        "same": "AND r.campaign_id = j.campaign_id",
        "later": "AND n.campaign_id = j.campaign_id",
        "column": ", campaign_id",
        "value": ", %(campaign)s",
    },
}
DELETE = {
    PLAIN: (
        "DELETE FROM judgments_rating r USING judgments_judgment j WHERE j.id = r.judgment_id "
        "AND j.campaign_id = %(campaign)s",
        "DELETE FROM judgments_judgment WHERE campaign_id = %(campaign)s",
    ),
    PARTED: (
        "ALTER TABLE parted_rating DETACH PARTITION parted_rating_%(campaign)s",
        "DROP TABLE parted_rating_%(campaign)s",  # before what it refers to
        "ALTER TABLE parted_judgment DETACH PARTITION parted_judgment_%(campaign)s",
        "DROP TABLE parted_judgment_%(campaign)s",
    ),
}


def measure(repeats: int) -> None:
    from django.db import connection

    from judgments.models import Campaign

    campaigns = {
        name: Campaign.objects.get(name=name).pk
        for name in (hundred_campaigns.SMALL, hundred_campaigns.LARGEST)
    }
    with connection.cursor() as cursor:
        drop(cursor)
        cursor.execute("CREATE SEQUENCE answers START 2000000000")
        cursor.execute("SET session_replication_role = replica")
        try:
            make(cursor)
            for name, campaign in campaigns.items():
                compare(cursor, name, campaign, repeats)
            for kind in (PLAIN, PARTED):
                delete(cursor, kind, campaigns[hundred_campaigns.LARGEST])
        finally:
            cursor.execute("ROLLBACK")  # of what failed
            cursor.execute("SET session_replication_role = origin")
            drop(cursor)


def make(cursor) -> None:
    began = time.perf_counter()
    cursor.execute(TABLES)
    cursor.execute("SELECT DISTINCT campaign_id FROM judgments_judgment")
    for (campaign,) in cursor.fetchall():
        for table in ("judgment", "rating"):
            cursor.execute(
                f"CREATE TABLE parted_{table}_{campaign} PARTITION OF parted_{table} "
                f"FOR VALUES IN ({campaign})"
            )
    cursor.execute(FILL)
    cursor.execute(INDEXES)
    cursor.execute("VACUUM ANALYZE parted_judgment, parted_rating")
    print(f"partitioned tables made in {time.perf_counter() - began:.0f} s", flush=True)


def compare(cursor, name: str, campaign: int, repeats: int) -> None:
    """Every statement by turns; medians. The first time does not count."""
    cursor.execute(
        "SELECT j.id, j.annotator_id, j.client_key, r.output_id FROM judgments_judgment j "
        "JOIN judgments_rating r ON r.judgment_id = j.id WHERE campaign_id = %s LIMIT 1",
        [campaign],
    )
    judgment, annotator, key, output = cursor.fetchone()
    values = {
        "campaign": campaign, "annotator": annotator, "output": output, "key": key,
        "judgment": judgment,
    }  # fmt: skip
    print(f"\n{name:28}{'as it is, ms':>14}{'parted, ms':>14}")
    statements = {
        what: {kind: sql.format(kind=kind, **BESIDE[kind]) for kind in (PLAIN, PARTED)}
        for what, sql in (QUERIES | {"an answer": ANSWER}).items()
    }
    for what, by_kind in statements.items():
        times: dict[str, list[float]] = {PLAIN: [], PARTED: []}
        for _ in range(repeats + 1):
            for kind, sql in by_kind.items():
                cursor.execute("BEGIN")
                began = time.perf_counter()
                cursor.execute(sql, values)
                times[kind].append(1000 * (time.perf_counter() - began))
                cursor.execute("ROLLBACK")
        ms = [statistics.median(each[1:]) for each in times.values()]
        print(f"{what:28}" + "".join(f"{each:14.2f}" for each in ms), flush=True)


def delete(cursor, kind: str, campaign: int) -> None:
    cursor.execute("BEGIN")
    for sql in DELETE[kind]:
        began = time.perf_counter()
        cursor.execute(sql, {"campaign": campaign})
        print(f"{kind}: {time.perf_counter() - began:.2f} s: {' '.join(sql.split())[:70]}")
    cursor.execute("ROLLBACK")


def drop(cursor) -> None:
    cursor.execute("DROP TABLE IF EXISTS parted_rating, parted_judgment")
    cursor.execute("DROP SEQUENCE IF EXISTS answers")
