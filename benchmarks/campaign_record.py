"""Time to record the content of a campaign, and to compare it with the record.

    python3 bootstrap.py python -m benchmarks.campaign_record [ITEMS]

A campaign with that many items (100,000) with one of ten systems' outputs on each, in tasks of a
hundred. Also prints the time to write the items, in the same run.
"""

import os
import sys
import time
from collections.abc import Callable

import django

from tests.throw_away import throw_away

N_SYSTEMS, IN_A_TASK = 10, 100

# Texts of twenty words, and each system's output of each segment.
TEXTS = """
INSERT INTO judgments_document (id, test_set_id, name, domain, original_language, position)
    SELECT n, %(test_set)s, 'd' || n, 'news', '', n FROM generate_series(1, %(segments)s / 10) n;
INSERT INTO judgments_segment (id, test_set_id, document_id, key, position, source)
    SELECT n, %(test_set)s, (n - 1) / 10 + 1, n, n, repeat('source ' || n || ' ', 10)
    FROM generate_series(1, %(segments)s) n;
INSERT INTO judgments_reference (segment_id, name, text)
    SELECT id, 'ref', repeat('reference ' || id || ' ', 10) FROM judgments_segment;
INSERT INTO judgments_system (id, test_set_id, name, copies_reference)
    SELECT n, %(test_set)s, 'S' || n, '' FROM generate_series(1, %(systems)s) n;
INSERT INTO judgments_output (id, segment_id, system_id, text)
    SELECT (g.id - 1) * %(systems)s + s.id, g.id, s.id, repeat('output ' || g.id || ' ', 10)
    FROM judgments_segment g, judgments_system s;
"""
WORK = """
INSERT INTO judgments_task (campaign_id, batch, seat, n_items, n_judged, active_ms)
    SELECT %(campaign)s, n, 1, %(in_a_task)s, 0, 0
    FROM generate_series(1, %(items)s / %(in_a_task)s) n;
INSERT INTO judgments_item (id, task_id, position, segment_id, kind, part, is_judged)
    SELECT n, t.id, (n - 1) %% %(in_a_task)s, (n - 1) / %(systems)s + 1, 'regular', '', false
    FROM generate_series(1, %(items)s) n
    JOIN judgments_task t ON t.batch = (n - 1) / %(in_a_task)s + 1;
INSERT INTO judgments_itemoutput (item_id, output_id, position)
    SELECT n, n, 0 FROM generate_series(1, %(items)s) n;
ANALYZE judgments_item, judgments_itemoutput, judgments_output, judgments_segment, judgments_task;
"""


def main(items: int) -> None:
    with throw_away() as cluster:
        os.environ |= {"DATABASE_URL": cluster.url(), "SECRET_KEY": "throw-away"}
        os.environ["DJANGO_SETTINGS_MODULE"] = "mteval_site.settings"
        django.setup()
        measure(items)


def measure(items: int) -> None:
    from django.core.management import call_command
    from django.db import connection

    from judgments.models import RecordedPart, TestSet
    from judgments.models.chains import record
    from judgments.models.chains.record_checking import check_record
    from tests import factory

    call_command("migrate", verbosity=0)
    owner = factory.make_user("owner")
    test_set = TestSet.objects.create(
        name="Large", owner=owner, source_language="de", target_language="en"
    )
    campaign = factory.make_campaign(test_set, owner=owner, preset="direct-assessment")
    values = {
        "test_set": test_set.pk,
        "campaign": campaign.pk,
        "items": items,
        "segments": items // N_SYSTEMS,
        "systems": N_SYSTEMS,
        "in_a_task": IN_A_TASK,
    }
    with connection.cursor() as cursor:
        cursor.execute(TEXTS, values)
        seconds("Writing the items", lambda: cursor.execute(WORK, values))
    seconds("Recording them", lambda: record.begin(campaign.pk, "opened"))
    task = campaign.tasks.first()
    seconds(
        "Recording that a batch was returned",
        lambda: record.note_tasks(campaign.pk, "work given back", [task.pk]),
    )
    seconds(
        "Recording a decision",
        lambda: record.note(campaign.pk, "rule written", "rule", ids=[1]),
    )
    report = seconds("Comparing all with the record", lambda: check_record(campaign))
    assert report.found == [], report.found
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_total_relation_size('judgments_recordedpart')")
        [size] = cursor.fetchone()
    print(f"{RecordedPart.objects.count():,} rows recorded, {size / 2**20:.0f} MB")


def seconds(what: str, do: Callable):
    start = time.perf_counter()
    found = do()
    print(f"{what}: {time.perf_counter() - start:.2f} s")
    return found


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 100_000)
