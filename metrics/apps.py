from django.apps import AppConfig


class MetricsConfig(AppConfig):
    name = "metrics"
    verbose_name = "Metrics"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self):
        from judgments import reports
        from metrics import checks, reporting  # noqa: F401  registers the checks

        reports.register(reporting.PART)
