"""Presets of the protocol `ranking`.

Relative ranking: Callison-Burch et al. (2007), "(Meta-) evaluation of machine translation".
"""

from django.utils.translation import gettext_lazy as _

from ..base import Preset

PRESETS: tuple[Preset, ...] = (
    Preset(
        "relative-ranking",
        "ranking",
        "Relative ranking",
        _("Up to five translations at once, ranked from the best to the worst; ties are allowed."),
        (),
        options={
            "show_source": True,
            "show_reference": True,
            "outputs_per_item": 5,
        },
    ),
    Preset(
        "partial-ranking",
        "ranking",
        "Partial ranking",
        _("Up to ten translations at once; those that cannot be ranked may be left out."),
        (),
        options={
            "show_source": True,
            "show_reference": True,
            "outputs_per_item": 10,
            "may_leave_out": True,
        },
    ),
)
