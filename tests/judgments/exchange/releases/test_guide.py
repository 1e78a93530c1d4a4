"""docs/guide/releases.md: whatever format is registered is described there as it is."""

import re
from pathlib import Path

from judgments.exchange.releases.registry import FORMATS

GUIDE = Path(__file__).resolve().parents[4] / "docs" / "guide" / "releases.md"


def test_the_table_lists_every_format():
    listed = re.findall(
        r"^\| `([a-z-]+)` \| (.+) \| (.+) \| (in|in, out) \|$", GUIDE.read_text(), re.M
    )
    known = [(f.slug, f.name, f.holds, "in, out" if f.writes else "in") for f in FORMATS]
    assert listed == known
