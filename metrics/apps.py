from django.apps import AppConfig


class MetricsConfig(AppConfig):
    name = "metrics"
    verbose_name = "Metrics"
    default_auto_field = "django.db.models.BigAutoField"
    # Found by judgments.web.extension_points, which imports them when a page of results needs them.
    results_pages = ("metrics.with_people.reports.PAGE",)
    project_pages = ("metrics.with_people.project_page.PAGE",)
    report_parts = ("metrics.with_people.report_part.PART",)
    compared_systems = ("metrics.with_people.compared_words.section",)
    control_sources = ("metrics.scores.controls.SOURCE",)
    error_sources = ("metrics.scores.error_source.SOURCE",)
    segment_scores = ("metrics.scores.segment_columns.segment_scores",)
    segment_findings = ("metrics.scores.segment_columns.diagnoses",)
    release_scores = ("metrics.scores.importing.release.write_scores",)
    release_score_files = ("metrics.scores.exports.write_metric_scores",)
    recomputed_scores = ("metrics.scores.recomputation.recomputed_scores",)
    score_page_parts = ("metrics.with_people.year_views.year_context",)
    after_model_judged = ("metrics.scores.model_judges.publish",)
    after_scoring = ("metrics.scores.tasks.enqueue_comparisons",)
    after_metric_import = ("metrics.with_people.tasks.enqueue_figures",)
    after_demo = ("metrics.scores.demo.score_demo",)
    model_judge_leaves = ("metrics.scores.model_judges.forget",)
    system_leaves = ("metrics.scores.comparisons.forget",)
    bundled_rows = (
        "metrics.scores.bundles.SCORES",
        "metrics.scores.bundles.SPANS",
        "metrics.scores.bundles.COMPARED",
    )
    bundled_work = ("metrics.scores.bundles.compare_again",)
    word_aligners = ("metrics.lessons.word_aligner.ALIGNER",)
    audited_acts = "metrics.lessons.acts.ACTS"

    def ready(self):
        from metrics import checks  # noqa: F401  registers them
