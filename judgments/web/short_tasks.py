"""Which background tasks are short: done in seconds, while the person who asked looks at the page.

They have a queue of their own, so that they never wait behind what takes minutes.
"""

from django.db.models import Sum
from django.db.models.functions import Length

from judgments.models import Output, TestSet

SHORT, SLOW = "short", "slow"
# Of a test set whose words are linked within some ten seconds: 1,000 outputs of 25 words take half
# a second to learn from, and a few to link (docs/guide/aligner.md).
MOST_OUTPUTS, MOST_CHARACTERS = 5_000, 1_000_000


def queue_for_linking(test_set: TestSet) -> str:
    """Return the name of the queue in which the words of a test set are linked."""
    outputs = Output.objects.filter(system__test_set=test_set).order_by()
    if outputs.count() > MOST_OUTPUTS:  # whose texts are not all read for this
        return SLOW
    characters = outputs.aggregate(n=Sum(Length("text"), default=0))["n"]
    return SHORT if characters <= MOST_CHARACTERS else SLOW
