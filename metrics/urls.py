"""URLs of the metrics app."""

from django.urls import include, path

from mteval_site.lazy_views import LazyViews

baseline = LazyViews("metrics.lessons.baseline_jobs.views")
bitext_views = LazyViews("metrics.lessons.phrase_tables.bitext_views")
columns = LazyViews("metrics.scores.column_views")
corpora = LazyViews("metrics.lessons.phrase_tables.corpus_views")
correlation = LazyViews("metrics.with_people.correlation_views")
diagnostic = LazyViews("metrics.with_people.diagnostic_views")
examples = LazyViews("metrics.lessons.examples.views")
kits = LazyViews("metrics.scores.kit_views")
metric_pairs = LazyViews("metrics.scores.metric_pairs.views")
metric_pages = LazyViews("metrics.scores.metric_pages")
phrases = LazyViews("metrics.lessons.phrase_tables.views")
project_metrics = LazyViews("metrics.with_people.views")
references = LazyViews("metrics.with_people.references.views")
rules = LazyViews("metrics.lessons.transducers.rule_views")
scores = LazyViews("metrics.scores.views")
segments = LazyViews("metrics.scores.segment_views")
transducers = LazyViews("metrics.lessons.transducers.views")
uploads = LazyViews("metrics.scores.upload_views")

# Of one test set.
of_test_set = [
    # Scores of a test set
    path("metrics/", scores.test_set_metrics, name="test-set-metrics"),
    path("metrics/segments/", segments.metric_segments, name="metric-segments"),
    path(
        "metrics/segments/<int:segment_id>/<int:system_id>/",
        diagnostic.segment,
        name="metric-diagnostic",
    ),
    path("metrics/substitutions/", diagnostic.substitutions, name="metric-substitutions"),
    path("metrics/pairs/", metric_pairs.metric_pairs, name="metric-pairs"),
    path("metrics/pairs.json", metric_pairs.metric_pairs_json, name="metric-pairs-json"),
    path(
        "metrics/pairs/<slug:table>.csv", metric_pairs.metric_pairs_file, name="metric-pairs-file"
    ),
    path("metrics/references/", references.references, name="metric-references"),
    path("metrics/references.json", references.references_json, name="metric-references-json"),
    path(
        "metrics/references/<slug:table>.csv",
        references.references_file,
        name="metric-references-file",
    ),
    path("metrics/phrases/", phrases.phrases, name="metric-phrases"),
    path("metrics/phrases/link/", phrases.phrases_link, name="metric-phrases-link"),
    path("metrics/phrases/<slug:table>.csv", phrases.phrases_file, name="metric-phrases-file"),
    path("metrics/phrases/phrase-table.txt.gz", phrases.phrases_moses, name="metric-phrases-moses"),
    path("metrics/table/", scores.score_fragment, name="score-fragment"),
    path("metrics/test/", scores.score_test, name="score-test"),
    path("metrics/of/<slug:slug>/", columns.column, name="metric-column"),
    path("metrics/of/<slug:slug>/documents/", columns.column_documents, name="metric-documents"),
    path("metrics/of/<slug:slug>/delete/", columns.column_delete, name="metric-delete"),
    # A system of known weakness
    path("baseline/", baseline.baseline, name="baseline"),
    path("baseline/<int:baseline_job_id>/", baseline.baseline_progress, name="baseline-progress"),
    path(
        "baseline/<int:baseline_job_id>/cancel/", baseline.baseline_cancel, name="baseline-cancel"
    ),
    # Scores as files
    path("metrics/upload/", uploads.upload, name="score-upload"),
    path("metrics/scores.zip", uploads.download, name="score-download"),
    path("metrics/elsewhere/", kits.score_kit, name="score-kit"),
    path("metrics/elsewhere/texts.zip", kits.score_kit_file, name="score-kit-file"),
    # Jobs
    path("metrics/start/", scores.score_start, name="score-start"),
    path("metrics/jobs/<int:job_id>/", scores.score_progress, name="score-progress"),
    path("metrics/jobs/<int:job_id>/cancel/", scores.score_cancel, name="score-cancel"),
    path("metrics/jobs/<int:job_id>/retry/", scores.score_retry, name="score-retry"),
]

urlpatterns = [
    # What each metric is
    path("metrics/", metric_pages.metric_list, name="metric-list"),
    path(
        "metrics/projects/<slug:project>/", project_metrics.project_metrics, name="project-metrics"
    ),
    path(
        "metrics/projects/<slug:project>.csv",
        project_metrics.project_metrics_file,
        name="project-metrics-file",
    ),
    path("metrics/<slug:slug>/", metric_pages.metric_page, name="metric-page"),
    # The lectures' translation systems, at work
    path("transducers/", transducers.transducers, name="transducers"),
    path("transducers/rules/", rules.hierarchical_rules, name="hierarchical-rules"),
    # Worked examples, for everybody
    path("examples/", examples.examples, name="examples"),
    path("examples/<slug:slug>/", examples.example, name="example"),
    path("examples/<slug:slug>/<slug:case>/", examples.example, name="example-case"),
    # Texts that language models learn from
    path("corpora/", corpora.corpora, name="corpora"),
    path("corpora/<int:corpus_id>/delete/", corpora.corpus_delete, name="corpus-delete"),
    # Texts in two languages, and their phrase tables
    path("bitexts/", bitext_views.bitexts, name="bitexts"),
    path("bitexts/<int:bitext_id>/", bitext_views.bitext, name="bitext"),
    path("bitexts/<int:bitext_id>/link/", bitext_views.bitext_link, name="bitext-link"),
    path("bitexts/<int:bitext_id>/delete/", bitext_views.bitext_delete, name="bitext-delete"),
    path("bitexts/<int:bitext_id>/<slug:table>.csv", bitext_views.bitext_file, name="bitext-file"),
    path(
        "bitexts/<int:bitext_id>/phrase-table.txt.gz",
        bitext_views.bitext_moses,
        name="bitext-moses",
    ),
    path("testsets/<int:test_set_id>/", include(of_test_set)),
    # Agreement with people
    path("campaigns/<int:campaign_id>/correlation/", correlation.correlation, name="correlation"),
    path(
        "campaigns/<int:campaign_id>/correlation/charts/<slug:name>.<slug:kind>",
        correlation.correlation_chart,
        name="correlation-chart",
    ),
]
