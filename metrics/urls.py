"""Addresses of the metrics app."""

from django.urls import path

from .views import correlation, metric_pages, scores, segments

urlpatterns = [
    # What each metric is
    path("metrics/", metric_pages.metric_list, name="metric-list"),
    path("metrics/<slug:slug>/", metric_pages.metric_page, name="metric-page"),
    # Scores of a test set
    path("testsets/<int:test_set_id>/metrics/", scores.test_set_metrics, name="test-set-metrics"),
    path(
        "testsets/<int:test_set_id>/metrics/segments/",
        segments.metric_segments,
        name="metric-segments",
    ),
    # Agreement with people
    path("campaigns/<int:campaign_id>/correlation/", correlation.correlation, name="correlation"),
    # Jobs
    path("testsets/<int:test_set_id>/metrics/start/", scores.score_start, name="score-start"),
    path(
        "testsets/<int:test_set_id>/metrics/jobs/<int:job_id>/",
        scores.score_progress,
        name="score-progress",
    ),
    path(
        "testsets/<int:test_set_id>/metrics/jobs/<int:job_id>/cancel/",
        scores.score_cancel,
        name="score-cancel",
    ),
    path(
        "testsets/<int:test_set_id>/metrics/jobs/<int:job_id>/retry/",
        scores.score_retry,
        name="score-retry",
    ),
]
