"""Figures for Prometheus: requests, counted by every web process; the rest, asked when it is read.

prometheus_client is imported only where PROMETHEUS_TOKEN is set. The web processes write their
counts into files in PROMETHEUS_MULTIPROC_DIR, and whichever is asked adds them up.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from functools import cache
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from prometheus_client.core import Metric

# Judging takes some milliseconds, pages of results up to seconds.
BUCKETS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30)


@cache
def _requests() -> tuple[Any, Any]:
    from prometheus_client import CollectorRegistry, Counter, Histogram

    # Processes are added up by the collector of `exposition`; alone, this registry is the figures.
    registry = own_registry()
    assert isinstance(registry, CollectorRegistry)
    counted = Counter(
        "mteval_requests", "Requests answered.", ["view", "method", "status"], registry=registry
    )
    timed = Histogram(
        "mteval_request_seconds",
        "Time to answer.",
        ["view", "method"],
        buckets=BUCKETS,
        registry=registry,
    )
    return counted, timed


@cache
def own_registry() -> Any:
    from prometheus_client import CollectorRegistry

    return CollectorRegistry()


def observe(view: str, method: str, status: int, seconds: float) -> None:
    """Count a request under the name of its address."""
    if method not in {"GET", "HEAD", "POST", "OPTIONS", "PUT", "PATCH", "DELETE"}:
        method = "other"  # a made-up method must not make a new row for ever
    counted, timed = _requests()
    counted.labels(view, method, str(status)).inc()
    timed.labels(view, method).observe(seconds)


def exposition() -> tuple[bytes, str]:
    """Return all figures in Prometheus's text format, and its content type."""
    from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, generate_latest
    from prometheus_client.multiprocess import MultiProcessCollector

    if os.environ.get("PROMETHEUS_MULTIPROC_DIR"):
        registry = CollectorRegistry()
        MultiProcessCollector(registry)
    else:
        _requests()
        registry = own_registry()
    asked = CollectorRegistry()
    asked.register(Gauges())  # type: ignore[arg-type]
    return generate_latest(registry) + generate_latest(asked), CONTENT_TYPE_LATEST


class Gauges:
    """What the database and the disk say at this moment."""

    def collect(self) -> Iterator[Metric]:
        from prometheus_client.core import GaugeMetricFamily

        from mteval_site import state

        yield GaugeMetricFamily(
            "mteval_items_judged", "Items with a judgment.", state.items_judged()
        )
        tasks = GaugeMetricFamily("mteval_tasks", "Background tasks.", labels=["queue", "status"])
        oldest = GaugeMetricFamily(
            "mteval_oldest_task_seconds", "Age of the task that waits longest.", labels=["queue"]
        )
        for queue in state.queues():
            for status, n in queue.by_status:
                tasks.add_metric([queue.name, status], n)
            oldest.add_metric([queue.name], queue.oldest_seconds)
        yield tasks
        yield oldest
        programs = GaugeMetricFamily(
            "mteval_database_connections", "Connections to the database.", labels=["program"]
        )
        connections = state.connections()
        for program in sorted({*state.PROGRAMS, *connections}):
            programs.add_metric([program], connections.get(program, 0))
        yield programs
        database = state.database()
        yield GaugeMetricFamily(
            "mteval_database_connections_limit", "max_connections.", database.most_connections
        )
        yield GaugeMetricFamily("mteval_database_bytes", "Size of the database.", database.n_bytes)
        disk = state.disk()
        yield GaugeMetricFamily("mteval_disk_free_bytes", "Free space where var/ is.", disk.free)
        yield GaugeMetricFamily("mteval_disk_bytes", "Total space where var/ is.", disk.total)
        backup = state.last_backup()
        if backup is not None:
            yield GaugeMetricFamily(
                "mteval_last_backup_timestamp_seconds",
                "When the last backup was made.",
                backup.at.timestamp(),
            )
