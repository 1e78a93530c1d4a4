import json

import pytest

from tests.shared import shared_data


@pytest.fixture(scope="session")
def golden() -> dict:
    """Examples with figures that other tools gave; skips where the folder shared is absent."""
    return json.loads((shared_data().parent / "golden.json").read_text(encoding="utf-8"))
