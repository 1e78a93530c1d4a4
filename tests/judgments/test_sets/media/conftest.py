"""Each test has a separate folder of files."""

import pytest

from tests import factory


@pytest.fixture(autouse=True)
def media_root(settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path / "kept"
    return settings.MEDIA_ROOT


@pytest.fixture
def owner():
    return factory.make_user("owner", is_staff=True)
