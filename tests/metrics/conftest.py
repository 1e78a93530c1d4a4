"""A small test set, and scores imported into it."""

import pytest

from metrics.scores.importing import import_scores
from tests import factory

from .scores.score_files import HIGHER


@pytest.fixture
def test_set(db):
    """Four segments in two documents, systems A, B and C, the reference "ref"."""
    return factory.make_test_set(factory.make_user("owner", is_staff=True))


@pytest.fixture
def bring(test_set, tmp_path):
    """Import files given as name → content; what was imported."""

    def run(files, instructions=HIGHER):
        paths = []
        for name, content in files.items():
            path = tmp_path / name
            path.write_text(content, encoding="utf-8")
            paths.append(path)
        return import_scores(test_set, paths, instructions)

    return run
