"""Marot's tables: like Google's, with the segment's number in its document, and metadata as JSON.

    system  doc  docSegId  globalSegId  rater  source  target  category  severity  metadata

The README of github.com/google-research/google-research/tree/master/marot describes them. The
header may be missing. Read from the metadata: times, references, languages. Marot only supports
marked errors: an additional score (ESA) is written to and read from `score` of the metadata;
campaigns of plain scores cannot be written. A rater's second judgment of an output is distinguished
from the first by `repeat` of the metadata.
"""

from __future__ import annotations

from .google_mqm import GoogleMqm
from .records import TextsPart


class Marot(GoogleMqm):
    slug = "marot"
    name = "Marot"
    holds = "marked errors, a row each, with times"
    described = "https://github.com/google-research/google-research/tree/master/marot"
    file = "marot.tsv"
    is_marot = True
    columns = (
        *("system", "doc", "docSegId", "globalSegId", "rater"),
        *("source", "target", "category", "severity", "metadata"),
    )

    def file_of(self, texts: TextsPart) -> str:
        return self.file  # its metadata contain the languages
