from django.apps import AppConfig


class MetricsConfig(AppConfig):
    name = "metrics"
    verbose_name = "Metrics"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self):
        from judgments import pages, results
        from metrics import checks, controls, reporting  # noqa: F401  registers the checks

        pages.register(reporting.PAGE)
        results.register_controls(controls.SOURCE)
