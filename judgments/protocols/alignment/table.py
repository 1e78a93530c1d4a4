"""Word links as files have them."""

from judgments.formats.table import Columns

from ..tables import EXCLUDED, ObservationTable

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
    )
)
