"""Published files through the import of releases, for tests."""

from collections.abc import Iterable, Mapping
from pathlib import Path

from django.contrib.auth import get_user_model

from judgments.exchange.releases import registry, writing
from judgments.exchange.releases.records import Problems, Release
from judgments.exchange.releases.writing import Written
from judgments.files.uploads import opened

OWNER = "real-data"


def owner():
    return get_user_model().objects.get_or_create(username=OWNER, defaults={"is_staff": True})[0]


def bring(paths: Iterable[Path], answers: Mapping[str, str] | None = None, **options) -> Written:
    """Import the content of the files into the database. Fails on the first problem."""
    with opened(paths) as files:
        problems = Problems()
        release = registry.read(files, answers or {}, problems)
        return writing.write(release, owner(), problems, **options)


def facts(release: Release) -> dict:
    """Return the content of a release, without the names and orders that no file stores, to compare
    two."""
    texts = {part.key: part for part in release.texts}
    return {
        "texts": sorted(
            (
                part.source_language,
                part.target_language,
                segment.key,
                segment.document,
                segment.domain,
                segment.source,
                tuple(sorted(segment.references.items())),
                tuple(sorted(segment.outputs.items())),
            )
            for part in release.texts
            for segment in part.segments()
        ),
        "screens": sorted(
            (
                texts[part.texts].source_language,
                screen.annotator,
                screen.segment,
                screen.kind,
                tuple(screen.outputs),
                tuple(sorted(screen.copies)),
                tuple(sorted(screen.ratings)),
                tuple(screen.preferences),
                (screen.spans is not None, *sorted(screen.spans or ())),
                screen.active_ms or 0,
                str(screen.started),
                str(screen.submitted),
            )
            for part in release.judgments
            for screen in part.screens()
        ),
    }
