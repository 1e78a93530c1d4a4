"""Presets of the protocol `pairwise`."""

from ..base import Preset

PRESETS: tuple[Preset, ...] = (
    Preset(
        "pairwise",
        "pairwise",
        "Pairwise comparison",
        "Two translations side by side: one is better, or both are equal.",
        (),
        options={"show_source": True, "show_reference": True, "highlight": True},
    ),
)
