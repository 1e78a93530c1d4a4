"""Tests of every preset: one of each protocol in `./test`, the others as proofs."""

import pytest

from judgments.protocols import PRESETS

FIRST = {preset.protocol: preset.slug for preset in reversed(PRESETS.values())}
EACH = [
    pytest.param(slug, marks=() if slug in FIRST.values() else pytest.mark.proof)
    for slug in sorted(PRESETS)
]
