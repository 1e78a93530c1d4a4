"""Wording, scales and visibility of the presets, as data: one module per protocol."""

from . import alignment, pairwise, post_editing, questions, ranking, rating, spans

PRESETS = {
    preset.slug: preset
    for module in (rating, pairwise, ranking, spans, post_editing, questions, alignment)
    for preset in module.PRESETS
}
