"""Ten million judgments in a hundred campaigns, made by COPY and SQL, for `many_campaigns.py`.

The largest campaign, and one of the others, are made as `large_campaign.py` makes them, in batches
of a hundred items, with the chains of their judgments and their records. PostgreSQL copies all rows
of the second ninety-eight times, each time with numbers, annotators and a test set of its own.
Seals, heads of chains and hashes of records are copied as they are: pages read them, but
`verify_judgments` would reject them.
"""

from __future__ import annotations

import math
import time

PRESET = "direct-assessment"
TASK_ITEMS = 100
N_CAMPAIGNS = 100
N_FREE = 40  # batches of each measured campaign that nobody has taken
FREE = 1_000_000  # their numbers come after all that are judged
STEP = 10_000_000  # numbers of the rows of each copy begin at a multiple
SMALL, SEED, LARGEST = "Small", "Campaign", "Largest"
SMALL_JUDGMENTS = 10_000

TASKS = "JOIN judgments_task AS task ON task.id = row.task_id WHERE task.campaign_id = {campaign}"
ITEMS = "JOIN judgments_item AS item ON item.id = row.item_id JOIN judgments_task AS task "
ITEMS += "ON task.id = item.task_id WHERE task.campaign_id = {campaign}"
JUDGED = "JOIN judgments_judgment AS judged ON judged.id = row.judgment_id "
JUDGED += "WHERE judged.campaign_id = {campaign}"
TEXTS = "JOIN judgments_segment AS segment ON segment.id = row.segment_id "
TEXTS += "WHERE segment.test_set_id = {test_set}"
OF_TEST_SET = "WHERE row.test_set_id = {test_set}"
OF_CAMPAIGN = "WHERE row.campaign_id = {campaign}"
ANNOTATORS = "WHERE row.id IN (SELECT user_id FROM judgments_membership "
ANNOTATORS += "WHERE campaign_id = {campaign} AND role = 'annotator')"
# By table: which rows are copied, which of their columns are numbers that move, and what else
# differs.
COPIED: dict[str, tuple[str, tuple[str, ...], dict[str, str]]] = {
    "auth_user": (ANNOTATORS, ("id",), {"username": "row.username || '-' || copy"}),
    "judgments_testset": (
        "WHERE row.id = {test_set}", ("id",), {"name": "row.name || ' ' || copy"}
    ),
    "judgments_document": (OF_TEST_SET, ("id", "test_set_id"), {}),
    "judgments_system": (OF_TEST_SET, ("id", "test_set_id"), {}),
    "judgments_segment": (OF_TEST_SET, ("id", "test_set_id", "document_id"), {}),
    "judgments_reference": (TEXTS, ("id", "segment_id"), {}),
    "judgments_output": (TEXTS, ("id", "segment_id", "system_id"), {}),
    "judgments_campaign": (
        "WHERE row.id = {campaign}", ("id", "test_set_id"), {"name": "row.name || ' ' || copy"}
    ),
    "judgments_membership": (
        OF_CAMPAIGN,
        ("id", "campaign_id"),
        {
            "user_id": "row.user_id + CASE role WHEN 'annotator' THEN {step} * copy ELSE 0 END",
            "token": "replace(gen_random_uuid()::text, '-', '')",
        },
    ),
    "judgments_task": (OF_CAMPAIGN, ("id", "campaign_id", "annotator_id"), {}),
    "judgments_item": (TASKS, ("id", "task_id", "segment_id"), {}),
    "judgments_itemoutput": (ITEMS, ("id", "item_id", "output_id"), {}),
    "judgments_judgment": (
        OF_CAMPAIGN,
        ("id", "item_id", "campaign_id", "annotator_id", "supersedes_id"),
        {"client_key": "gen_random_uuid()"},
    ),
    "judgments_rating": (JUDGED, ("id", "judgment_id", "output_id"), {}),
    "judgments_seal": (TASKS, ("judgment_id", "task_id"), {}),
    "judgments_chain": (OF_CAMPAIGN, ("task_id", "campaign_id"), {}),
    "judgments_campaignrecord": (OF_CAMPAIGN, ("id", "campaign_id"), {}),
    "judgments_recordedpart": (
        OF_CAMPAIGN, ("id", "campaign_id", "record_id", "object_id"), {}
    ),
}  # fmt: skip

# The columns of a table, without those that PostgreSQL makes of others.
WRITTEN = """
SELECT column_name FROM information_schema.columns
WHERE table_schema = current_schema() AND table_name = %s AND is_generated = 'NEVER'
"""
# What `large_campaign.py` leaves out: when tasks were begun and ended.
TIMES = """
UPDATE judgments_task AS task
SET claimed_at = of_task.first, last_judged_at = of_task.last, active_ms = of_task.active
FROM (
    SELECT item.task_id, min(started_at) AS first, max(submitted_at) AS last,
        sum(judged.active_ms) AS active
    FROM judgments_judgment AS judged JOIN judgments_item AS item ON item.id = judged.item_id
    WHERE judged.campaign_id = %s GROUP BY item.task_id
) AS of_task
WHERE task.id = of_task.task_id
"""


def make_small(owner, researcher, annotator):
    """The campaign that the large site has in common with the small one."""
    return make(SMALL, SMALL_JUDGMENTS, 10, owner, researcher, annotator)


def make_others(judgments: int, owner, researcher, annotator) -> None:
    """The hundred campaigns: a tenth of all judgments in the largest one."""
    from tests import factory

    other = factory.make_user("owner-of-many", is_staff=True)
    largest, rest = judgments // 10, judgments - judgments // 10
    made = make(LARGEST, largest, max(2, largest // 2000), owner, researcher, annotator)
    print_size("the largest campaign", made)
    annotators = max(2, math.ceil(rest / (N_CAMPAIGNS - 1) / 1000))
    seed = make(SEED, annotators * 1000, annotators, other)
    print_size("each of the others", seed)
    began = time.perf_counter()
    copy_campaign(seed, N_CAMPAIGNS - 2)
    print(f"copied {N_CAMPAIGNS - 2} times in {time.perf_counter() - began:.0f} s", flush=True)


def make(name: str, n_judgments: int, n_annotators: int, owner, researcher=None, annotator=None):
    """A campaign with chains and record, and free batches."""
    from django.db import connection
    from large_campaign import add

    from judgments.models import Membership, Role
    from judgments.models.chains import record
    from judgments.models.chains.sealing import seal_all
    from tests import factory

    campaign = add(name, PRESET, n_judgments, n_annotators, owner, TASK_ITEMS)
    with connection.cursor() as cursor:
        cursor.execute(TIMES, [campaign.pk])
        cursor.execute("ANALYZE")
    seal_all()
    segments = list(campaign.test_set.segments.order_by("position")[:TASK_ITEMS])
    if researcher:
        Membership.objects.create(
            campaign=campaign, user=researcher, role=Role.RESEARCHER, alias="researcher"
        )
        Membership.objects.create(
            campaign=campaign, user=annotator, role=Role.ANNOTATOR, alias="annotator"
        )
        for batch in range(N_FREE):
            factory.make_task(campaign, batch=FREE + batch, n_outputs=1, segments=segments)
    record.begin(campaign.pk, "opened")
    return campaign


def copy_campaign(seed, times: int) -> None:
    """Copy all rows of a campaign and of its test set; triggers and checks are off meanwhile."""
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute("SET session_replication_role = replica")
        for table, (rows, moved, other) in COPIED.items():
            cursor.execute(WRITTEN, [table])
            columns = [name for (name,) in cursor.fetchall()]
            values = {column: f"row.{column} + {STEP} * copy" for column in moved}
            values |= {column: value.format(step=STEP) for column, value in other.items()}
            origin = rows.format(campaign=seed.pk, test_set=seed.test_set_id)
            join, _, condition = origin.partition("WHERE ")
            cursor.execute(
                f"INSERT INTO {table} ({', '.join(columns)}) "
                f"SELECT {', '.join(values.get(name, f'row.{name}') for name in columns)} "
                f"FROM generate_series(1, {times}) AS copy CROSS JOIN {table} AS row {join} "
                f"WHERE {condition}"
            )
        cursor.execute("SET session_replication_role = origin")


def print_size(what: str, campaign) -> None:
    from judgments.models import Judgment

    n = Judgment.objects.filter(campaign=campaign).count()
    print(f"{what}: {n:,} judgments", flush=True)
