from django.apps import AppConfig


class MetricsConfig(AppConfig):
    name = "metrics"
    verbose_name = "Metrics"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self):
        from judgments import reports, results
        from metrics import checks, controls, reporting  # noqa: F401  registers the checks

        reports.register(reporting.PART)
        results.register_controls(controls.SOURCE)
