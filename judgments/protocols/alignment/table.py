"""Word links in files."""

from judgments.files.table import Columns

from ..tables import EXCLUDED, ObservationTable

WORDS_OF_LINKS = {True: "sure", False: "possible"}


LINKS = ObservationTable(
    Columns(
        (
            "annotator",
            "segment",
            "system",
            "source_place",
            "target_place",
            "source_word",
            "target_word",
            "link",
            "proposed",
            "item",
            "kind",
            EXCLUDED,
            "tokenization",
        )
    ),
    "judgments.results.links.rows.link_rows",
)
