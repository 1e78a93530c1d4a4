"""Objects that apps register in their AppConfig: pages and sections of results, control variates.

They are imported when first needed, so that a start of the site and the judging pages do not load
the analysis.

    class MetricsConfig(AppConfig):
        results_pages = ("metrics.with_people.reports.PAGE",)
"""

from typing import Any

from django.apps import apps
from django.utils.module_loading import import_string


def registered(attribute: str) -> list[Any]:
    """Return the objects whose dotted names are listed under `attribute` in the apps'
    configurations."""
    configs = apps.get_app_configs()
    return [import_string(name) for each in configs for name in getattr(each, attribute, ())]
