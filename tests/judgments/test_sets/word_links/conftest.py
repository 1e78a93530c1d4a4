"""People of a campaign."""

import pytest

from tests import factory


@pytest.fixture
def people():
    return {name: factory.make_user(name) for name in ("owner", "annotator", "outsider")}
