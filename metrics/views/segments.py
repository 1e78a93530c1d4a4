"""Scores of a system segment by segment, beside the texts."""

from dataclasses import dataclass
from urllib.parse import urlencode

import numpy as np
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import HttpRequest
from django.shortcuts import render
from django.views.decorators.http import require_GET

from judgments import access
from judgments.models import Segment, System, TestSet
from metrics.tables import Column, score_table, segment_matrix
from metrics.texts import load_outputs, load_sources

PER_PAGE = 25


@dataclass(frozen=True)
class Choice:
    """What the address asks for; anything it does not know is passed over."""

    system: System
    sort: int | None  # index of a column; None: the order of the test set
    descending: bool

    def query(self, **changes) -> str:
        pairs = {
            "system": self.system.pk,
            "sort": "" if self.sort is None else self.sort,
            "order": "down" if self.descending else "up",
        }
        return urlencode(pairs | changes)


def read_choice(request: HttpRequest, systems: list[System], n_columns: int) -> Choice:
    by_key = {str(system.pk): system for system in systems}
    sort = request.GET.get("sort", "")
    is_known = sort.isdecimal() and int(sort) < n_columns
    return Choice(
        by_key.get(request.GET.get("system", ""), systems[0]),
        int(sort) if is_known else None,
        request.GET.get("order") == "down",
    )


@login_required
@require_GET
def metric_segments(request, test_set_id):
    test_set = access.readable_test_set(request.user, test_set_id)
    table = score_table(test_set)
    if not table.systems or not table.columns:
        return render(request, "metrics/segments.html", {"test_set": test_set, "empty": True})
    choice = read_choice(request, table.systems, len(table.columns))
    scores = np.array(
        [segment_matrix(c, [choice.system.pk], table.n_segments)[0] for c in table.columns]
    )
    order = sort_order(scores, choice)
    paginator = Paginator(order, PER_PAGE)
    page = paginator.get_page(request.GET.get("page") or page_of(request, test_set, order))
    context = {
        "test_set": test_set,
        "table": table,
        "choice": choice,
        "page": page,
        "query": choice.query(),
        "headings": headings(table.columns, choice),
        "rows": rows(test_set, choice.system, list(page), scores),
    }
    return render(request, "metrics/segments.html", context)


def sort_order(scores: np.ndarray, choice: Choice) -> list[int]:
    """Places of the segments in the order asked for, those without a score last."""
    if choice.sort is None:
        return list(range(scores.shape[1]))
    values = scores[choice.sort]
    keys = -values if choice.descending else values
    return np.argsort(keys, kind="stable").tolist()


def page_of(request: HttpRequest, test_set: TestSet, order: list[int]) -> int:
    """The page that shows the segment a link points at; the first without one."""
    wanted = request.GET.get("segment", "")
    if not wanted.isdecimal() or len(wanted) > 18:
        return 1
    segments = list(Segment.objects.filter(test_set=test_set).values_list("pk", flat=True))
    place = segments.index(int(wanted)) if int(wanted) in segments else order[0]
    return order.index(place) // PER_PAGE + 1


def headings(columns: list[Column], choice: Choice) -> list[dict]:
    """Columns with the address that sorts by them: the worst first, since those are looked for."""
    found = []
    for index, column in enumerate(columns):
        is_sorted = choice.sort == index
        down = not choice.descending if is_sorted else not column.higher_is_better
        found.append(
            {
                "column": column,
                "query": choice.query(sort=index, order="down" if down else "up"),
                "aria": ("descending" if choice.descending else "ascending") if is_sorted else "",
            }
        )
    return found


def rows(test_set: TestSet, system: System, places: list[int], scores: np.ndarray) -> list[dict]:
    """Texts and scores of the segments at these places."""
    sources = load_sources(test_set, test_set.reference_names)
    outputs = load_outputs(sources, [system.pk])[system.pk]
    keys = list(Segment.objects.filter(test_set=test_set).values_list("key", flat=True))
    return [
        {
            "segment_id": sources.segment_ids[i],
            "key": keys[i],
            "source": sources.sources[i],
            "output": outputs[i],
            "references": [
                (name, stream[i])
                for name, stream in zip(sources.names, sources.references, strict=True)
                if stream[i] is not None
            ],
            "scores": [None if np.isnan(v) else v for v in scores[:, i]],
        }
        for i in places
    ]
