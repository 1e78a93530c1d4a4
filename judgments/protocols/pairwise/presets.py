"""Presets of the protocol `pairwise`."""

from django.utils.translation import gettext_lazy as _

from ..base import Preset

PRESETS: tuple[Preset, ...] = (
    Preset(
        "pairwise",
        "pairwise",
        "Pairwise comparison",
        _("Two translations side by side: one is better, or both are equal."),
        (),
        options={"show_source": True, "show_reference": True, "highlight": True},
    ),
)
