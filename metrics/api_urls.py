"""URLs of the API to metrics, under api/."""

from django.urls import path

from mteval_site.lazy_views import LazyViews

meta_evaluation = LazyViews("metrics.with_people.api")
uploads = LazyViews("metrics.scores.upload_api")
views = LazyViews("metrics.scores.api")

urlpatterns = [
    path("testsets/<int:test_set_id>/metrics/", views.test_set_metrics, name="api-metrics"),
    path(
        "testsets/<int:test_set_id>/metrics/<slug:slug>/segments/",
        views.segment_scores,
        name="api-segment-scores",
    ),
    path("testsets/<int:test_set_id>/metrics/<slug:slug>/pairs/", views.pairs, name="api-pairs"),
    path("testsets/<int:test_set_id>/jobs/<int:job_id>/", views.job, name="api-job"),
    path(
        "testsets/<int:test_set_id>/jobs/<int:job_id>/cancel/",
        views.job_cancel,
        name="api-job-cancel",
    ),
    path(
        "testsets/<int:test_set_id>/jobs/<int:job_id>/retry/", views.job_retry, name="api-job-retry"
    ),
    path("testsets/<int:test_set_id>/scores/", uploads.test_set_scores, name="api-upload"),
    path(
        "campaigns/<int:campaign_id>/meta-evaluation/",
        meta_evaluation.meta_evaluation,
        name="api-meta-evaluation",
    ),
]
