"""Which static files are collected, and how they are named."""

from collections.abc import Iterable
from typing import Any

from django.contrib.staticfiles.finders import AppDirectoriesFinder
from whitenoise.storage import CompressedManifestStaticFilesStorage


class AppFilesFinder(AppDirectoriesFinder):
    """Extensions of htmx stay out: no page uses them, and one imports a file that is not there."""

    def list(self, ignore_patterns: Iterable[str] | None) -> Iterable[Any]:
        return super().list([*(ignore_patterns or ()), "django_htmx/ext/*"])


class ModuleManifestStaticFilesStorage(CompressedManifestStaticFilesStorage):
    """Imports of modules name the hashed files, so that no browser mixes an old module with a new
    one. Modules must not import each other in a circle: their hashes would never settle."""

    support_js_module_import_aggregation = True
