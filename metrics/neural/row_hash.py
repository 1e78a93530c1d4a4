"""The digest of what a metric read to score one output. In the site and in the kit."""

import hashlib
import json
from collections.abc import Sequence

DIGITS = 16


def row_hash(source: str, output: str, references: Sequence[str]) -> str:
    """Return sixteen hexadecimal digits of the SHA-256 of the texts as a JSON array: source,
    output, and the references that were read, in the order of their names."""
    texts = json.dumps([source, output, *references], separators=(",", ":"))
    return hashlib.sha256(texts.encode("ascii")).hexdigest()[:DIGITS]
