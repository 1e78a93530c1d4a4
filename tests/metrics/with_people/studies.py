"""A campaign's arrays and figures of metrics against people, in one call, for tests."""

from judgments.results.selection.selection import Selection
from metrics import with_people as agreement
from metrics.with_people import MetricsPage, Settings, StudyChoice


def board_of(campaign):
    return agreement.board_of(campaign.test_set, statistics=True)


def study_of(campaign, dimension=None, method="raw", over="all"):
    choice = StudyChoice(dimension, method, over)
    return agreement.study_of(Selection.of(campaign), choice, board_of(campaign))


def over_systems(campaign, **chosen):
    return agreement.system_agreement(
        Selection.of(campaign), StudyChoice(**chosen), board_of(campaign)
    )


def over_segments(campaign, grouping="none", **chosen):
    board = board_of(campaign)
    return agreement.segment_agreement(
        Selection.of(campaign), StudyChoice(**chosen), board, grouping
    )


def page_of(campaign, **chosen):
    return MetricsPage(Selection.of(campaign), board_of(campaign), Settings(**chosen))


def row_of(found, metric):
    """Return the row of a metric, by its name in the registry."""
    return next(row for row in found.rows if row.metric.metric == metric)


def place_of(study, metric):
    return next(i for i, each in enumerate(study.metrics) if each.metric == metric)
