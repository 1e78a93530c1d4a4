"""Scores of a system segment by segment, beside the texts."""

import math

from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import HttpRequest
from django.shortcuts import render
from django.views.decorators.http import require_GET

from judgments.people import access
from metrics.scores.segment_table import (
    DISAGREE,
    WHERE,
    Scores,
    SegmentChoice,
    documents_of,
    load_page,
    places_of,
    read_choice,
    scores_of,
    segment_text,
)
from metrics.scores.tables import MetricColumn, ScoreTable, score_table

PER_PAGE = 25


@login_required
@require_GET
def metric_segments(request, test_set_id):
    test_set = access.readable_test_set(request.user, test_set_id)
    table = score_table(test_set, check_stale=False)
    if not table.systems or not table.columns:
        return render(request, "metrics/segments.html", {"test_set": test_set, "empty": True})
    documents = documents_of(test_set)
    choice = read_choice(request.GET, table, [pk for pk, _ in documents])
    segments = list(test_set.segments.order_by("position").values_list("pk", "key", "document_id"))
    scores = scores_of(table, choice)
    order = places_of(test_set, table, choice, segments, scores)
    paginator = Paginator(order, PER_PAGE)
    page = paginator.get_page(request.GET.get("page") or page_of(request, segments, order))
    shown = [i for i, c in enumerate(table.columns) if not choice.show or c.slug in choice.show]
    context = {
        "test_set": test_set,
        "table": table,
        "documents": documents,
        "choice": choice,
        "where": WHERE,
        "page": page,
        "query": choice.query(),
        "in_order": choice.query(sort=""),
        "shown": [table.columns[i] for i in shown],
        "headings": headings([table.columns[i] for i in shown], choice),
        "rows": rows(table, choice, segments, scores, list(page), shown),
    }
    return render(request, "metrics/segments.html", context)


def page_of(request: HttpRequest, segments: list[tuple], order: list[int]) -> int:
    """Return the page that shows the segment a link points at; the first without one."""
    wanted = request.GET.get("segment", "")
    places = {str(segments[place][0]): number for number, place in enumerate(order)}
    return places.get(wanted, 0) // PER_PAGE + 1


def headings(columns: list[MetricColumn], choice: SegmentChoice) -> list[dict]:
    """Return columns with the address that sorts by them: the worst first, since those are looked
    for."""
    found = []
    for column in columns:
        is_sorted = choice.sort == column.slug
        down = not choice.descending if is_sorted else not column.higher_is_better
        found.append(
            {
                "column": column,
                "query": choice.query(sort=column.slug, descending=down),
                "aria": ("descending" if choice.descending else "ascending") if is_sorted else "",
            }
        )
    if choice.seeks_disagreement:
        is_sorted = choice.sort == DISAGREE
        found.append(
            {
                "column": None,
                "query": choice.query(sort=DISAGREE, descending=not choice.descending),
                "aria": ("descending" if choice.descending else "ascending") if is_sorted else "",
            }
        )
    return found


def rows(
    table: ScoreTable,
    choice: SegmentChoice,
    segments: list[tuple],
    scores: Scores,
    places: list[int],
    shown: list[int],
) -> list[dict]:
    """Return texts and scores of the segments at these places."""
    systems = [system for system in (choice.system, choice.other) if system]
    texts = load_page([segments[place][0] for place in places], systems)
    return [
        {
            "segment_id": segments[place][0],
            "key": segments[place][1],
            "source": texts.sources[segments[place][0]],
            "outputs": [
                (system, texts.outputs.get((segments[place][0], system.pk))) for system in systems
            ],
            "references": texts.references[segments[place][0]],
            "cells": [cell(table.columns[i], scores, i, place) for i in shown],
            "disagreement": None
            if scores.disagreement is None
            else round(float(scores.disagreement[place]), 2),
        }
        for place in places
    ]


def cell(column: MetricColumn, scores: Scores, index: int, place: int) -> dict:
    """Return a score, and against a second system the difference, as texts; empty where there is
    none."""
    own = float(scores.own[index, place])
    differences = scores.differences
    difference = math.nan if differences is None else float(differences[index, place])
    return {
        "value": own,
        "score": "" if math.isnan(own) else segment_text(column, own),
        "difference": ""
        if math.isnan(difference)
        else segment_text(column, difference, signed=True),
    }
