from django.apps import AppConfig


class SiteConfig(AppConfig):
    name = "mteval_site"
    verbose_name = "Site"

    def ready(self) -> None:
        from mteval_site import checks  # noqa: F401  registers them
