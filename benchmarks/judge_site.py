"""A separate site for a benchmark with a judge that queries a server on this machine; for
`recorded_judges.py` and `random_judge.py`.
"""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))


@contextlib.contextmanager
def empty_site() -> Iterator[None]:
    from tests.throw_away import throw_away

    with throw_away() as cluster:
        os.environ |= {
            "DATABASE_URL": cluster.url(),
            "SECRET_KEY": "benchmark",
            "DJANGO_SETTINGS_MODULE": "mteval_site.settings",
        }
        import django
        from django.core.management import call_command

        django.setup()
        call_command("migrate", verbosity=0)
        yield


def make_test_set(owner, languages: tuple[str, str], texts: Sequence[Mapping[str, Any]]):
    """Return a test set of segments in order. texts: for each its document, key, source and outputs
    by the names of systems."""
    from judgments.models import Document, Output, Segment, System, TestSet

    test_set = TestSet.objects.create(
        name="Recorded", owner=owner, source_language=languages[0], target_language=languages[1],
        may_leave=True,
    )  # fmt: skip
    names = dict.fromkeys(text["document"] for text in texts)
    documents = {
        name: Document.objects.create(test_set=test_set, name=name, position=place)
        for place, name in enumerate(names)
    }
    systems = {
        name: System.objects.create(test_set=test_set, name=name)
        for name in sorted({system for text in texts for system in text["outputs"]})
    }
    for place, text in enumerate(sorted(texts, key=lambda t: list(names).index(t["document"]))):
        segment = Segment.objects.create(
            test_set=test_set, document=documents[text["document"]], key=str(text["key"]),
            position=place, source=text["source"],
        )  # fmt: skip
        Output.objects.bulk_create(
            Output(segment=segment, system=systems[name], text=words)
            for name, words in text["outputs"].items()
        )
    return test_set


def judged_by(address: str, campaign, owner, *, name: str, prompt: str = "campaign", **fields):
    """Return a judge of a campaign that has queried the server at a URL for everything."""
    from django.test import override_settings

    from judgments.judges import runs, set_up
    from judgments.judges.prompts import PROMPTS
    from judgments.models import Judge, JudgeStatus

    values = {
        "endpoint": "here", "model": name, "budget": 1_000_000, "at_once": 4,
        "requests_a_minute": 100_000, "tokens_a_minute": 100_000_000, "status": JudgeStatus.QUEUED,
    }  # fmt: skip
    judge = Judge(name=name, prompt=prompt, prompt_hash=PROMPTS[prompt].hash, **values | fields)
    set_up.make(campaign, judge, segments=None)
    with override_settings(JUDGE_ENDPOINTS={"here": address}, JUDGE_KEYS={"here": ""}):
        while runs.work_on(judge.pk):
            pass
    judge.refresh_from_db()
    if judge.status != JudgeStatus.DONE:
        raise SystemExit(f"{name} stopped: {judge.message}")
    return judge


def scores_of_metric(judge) -> dict[tuple[str, str], float]:
    """Return the published scores of a judge as a metric: (system, key of the segment) → score."""
    from metrics.models import MetricScore

    test_set = judge.answers.test_set
    keys = list(test_set.segments.order_by("position").values_list("key", flat=True))
    stored = MetricScore.objects.filter(
        test_set=test_set, options__name=judge.name, options__origin="judge"
    )
    return {
        (row.system.name, key): value
        for row in stored.select_related("system")
        for key, value in zip(keys, row.segment_scores.tolist(), strict=True)
        if not np.isnan(value)
    }
