from django.apps import AppConfig


class SiteConfig(AppConfig):
    name = "mteval_site"
    verbose_name = "Site"

    def ready(self) -> None:
        from django.conf import settings
        from django.db.backends.signals import connection_created

        from mteval_site import checks, outgoing  # noqa: F401  registers checks
        from mteval_site.requests import time_statements

        connection_created.connect(time_statements)
        if settings.PUBLIC_DEMO:
            outgoing.refuse()
