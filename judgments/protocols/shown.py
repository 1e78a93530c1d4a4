"""Which texts stand beside the translations, and how a question reads beside them."""

from dataclasses import replace

from .base import Dimension
from .presets import PRESETS


def texts_beside(campaign) -> tuple[bool, bool]:
    """Whether source and reference stand beside the segment that is judged.

    What would give the answer away is held back by the preset, whatever the campaign's options say.
    """
    preset = PRESETS[campaign.preset].options
    options = preset | campaign.options
    held_back = preset.get("held_back", ())
    source, reference = (
        text not in held_back and bool(options.get(f"show_{text}", True))
        for text in ("source", "reference")
    )
    return source, reference


def texts_shown(campaign) -> tuple[bool, bool]:
    """The same, or paragraph by paragraph with the translation of a whole document."""
    options = PRESETS[campaign.preset].options | campaign.options
    source, reference = texts_beside(campaign)
    return (
        source or bool(options.get("source_document")),
        reference or bool(options.get("reference_document")),
    )


def as_shown(dimension: Dimension, source: bool, reference: bool) -> Dimension:
    """The dimension with the wording for the texts that are shown."""
    if source == reference:
        return dimension
    other = dimension.of_source if source else dimension.of_reference
    return replace(dimension, question=other) if other else dimension
