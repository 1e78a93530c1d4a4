"""Fixtures of the tests of scorers."""

import pytest

from metrics.scorers import meteor

from .small_dictionary import SmallWordNet


@pytest.fixture
def small_wordnet(monkeypatch):
    """METEOR with a few synonyms."""
    monkeypatch.setattr(meteor, "find_wordnet", SmallWordNet)


@pytest.fixture
def no_wordnet(monkeypatch):
    """METEOR without synonyms."""
    monkeypatch.setattr(meteor, "find_wordnet", lambda: None)
