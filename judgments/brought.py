"""What apps above this one bring to it: pages and sections of results, control variates.

An app names them in its AppConfig, and they are imported when somebody asks for them: a start of
the site and the pages of judging do without the analysis.

    class MetricsConfig(AppConfig):
        results_pages = ("metrics.reports.PAGE",)
"""

from typing import Any

from django.apps import apps
from django.utils.module_loading import import_string


def brought(attribute: str) -> list[Any]:
    """The objects whose dotted names stand under `attribute` in the configurations of all apps."""
    configs = apps.get_app_configs()
    return [import_string(name) for each in configs for name in getattr(each, attribute, ())]
