from django.apps import AppConfig


class MetricsConfig(AppConfig):
    name = "metrics"
    verbose_name = "Metrics"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self):
        from judgments import reports, results
        from metrics import checks, controls  # noqa: F401  registers the checks
        from metrics import reports as metric_reports

        reports.register(metric_reports.PART)
        results.register_controls(controls.SOURCE)
