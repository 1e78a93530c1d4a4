"""Addresses of the metrics app."""

from django.urls import path

from judgments.later import ViewsLater

columns = ViewsLater("metrics.views.columns")
corpora = ViewsLater("metrics.views.corpora")
correlation = ViewsLater("metrics.views.correlation")
diagnostic = ViewsLater("metrics.views.diagnostic")
examples = ViewsLater("metrics.views.examples")
meta_evaluation = ViewsLater("metrics.views.meta_evaluation")
metric_pages = ViewsLater("metrics.views.metric_pages")
references = ViewsLater("metrics.views.references")
scores = ViewsLater("metrics.views.scores")
segments = ViewsLater("metrics.views.segments")
uploads = ViewsLater("metrics.views.uploads")

urlpatterns = [
    # What each metric is
    path("metrics/", metric_pages.metric_list, name="metric-list"),
    path("metrics/meta-evaluation/", meta_evaluation.meta_evaluation, name="meta-evaluation"),
    path(
        "metrics/meta-evaluation.csv",
        meta_evaluation.meta_evaluation_file,
        name="meta-evaluation-file",
    ),
    path("metrics/<slug:slug>/", metric_pages.metric_page, name="metric-page"),
    # Worked examples, for everybody
    path("examples/", examples.examples, name="examples"),
    path("examples/<slug:slug>/", examples.example, name="example"),
    path("examples/<slug:slug>/<slug:case>/", examples.example, name="example-case"),
    # Texts that language models learn from
    path("corpora/", corpora.corpora, name="corpora"),
    path("corpora/<int:corpus_id>/delete/", corpora.corpus_delete, name="corpus-delete"),
    # Scores of a test set
    path("testsets/<int:test_set_id>/metrics/", scores.test_set_metrics, name="test-set-metrics"),
    path(
        "testsets/<int:test_set_id>/metrics/segments/",
        segments.metric_segments,
        name="metric-segments",
    ),
    path(
        "testsets/<int:test_set_id>/metrics/segments/<int:segment_id>/<int:system_id>/",
        diagnostic.segment,
        name="metric-diagnostic",
    ),
    path(
        "testsets/<int:test_set_id>/metrics/substitutions/",
        diagnostic.substitutions,
        name="metric-substitutions",
    ),
    path(
        "testsets/<int:test_set_id>/metrics/references/",
        references.references,
        name="metric-references",
    ),
    path(
        "testsets/<int:test_set_id>/metrics/references.json",
        references.references_json,
        name="metric-references-json",
    ),
    path(
        "testsets/<int:test_set_id>/metrics/references/<slug:table>.csv",
        references.references_file,
        name="metric-references-file",
    ),
    path("testsets/<int:test_set_id>/metrics/table/", scores.score_fragment, name="score-fragment"),
    path("testsets/<int:test_set_id>/metrics/test/", scores.score_test, name="score-test"),
    path(
        "testsets/<int:test_set_id>/metrics/of/<slug:slug>/",
        columns.column,
        name="metric-column",
    ),
    path(
        "testsets/<int:test_set_id>/metrics/of/<slug:slug>/documents/",
        columns.column_documents,
        name="metric-documents",
    ),
    path(
        "testsets/<int:test_set_id>/metrics/of/<slug:slug>/delete/",
        columns.column_delete,
        name="metric-delete",
    ),
    # Scores as files
    path("testsets/<int:test_set_id>/metrics/upload/", uploads.upload, name="score-upload"),
    path("testsets/<int:test_set_id>/metrics/scores.zip", uploads.download, name="score-download"),
    # Agreement with people
    path("campaigns/<int:campaign_id>/correlation/", correlation.correlation, name="correlation"),
    path(
        "campaigns/<int:campaign_id>/correlation/charts/<slug:name>.<slug:kind>",
        correlation.correlation_chart,
        name="correlation-chart",
    ),
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
