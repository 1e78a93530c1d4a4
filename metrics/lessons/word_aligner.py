"""The aligner for campaigns, registered by the app's configuration."""

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from judgments.test_sets.word_links.aligner import Texts, TrainedAligner, WordAligner
from metrics.lessons.baselines.aligner import train_aligner

MODELS: dict[str, str | Promise] = {"diagonal": _("IBM 2 with the diagonal prior"), "ibm1": "IBM 1"}
METHODS: dict[str, str | Promise] = {
    "grow-diag-final-and": "grow-diag-final-and",
    "intersection": "intersection",
    "union": "union",
}


def train(sources: Texts, targets: Texts, model: str) -> TrainedAligner:
    return train_aligner(sources, targets, model=model)


ALIGNER = WordAligner(MODELS, METHODS, train)
