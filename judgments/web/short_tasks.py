"""Short background tasks: done in seconds, while the person who started them looks at the page.

They have a separate queue, so that they never wait for tasks that take minutes.
"""

from django.db.models import Sum
from django.db.models.functions import Length

from judgments.models import Output, TestSet

SHORT, SLOW = "short", "slow"
# Limit of test sets whose words are linked within some ten seconds: 1,000 outputs of 25 words take
# half a second to learn from, and a few to link (docs/guide/aligner.md).
MOST_OUTPUTS, MOST_CHARACTERS = 5_000, 1_000_000


def queue_for_linking(test_set: TestSet) -> str:
    """Return the name of the queue for linking the words of a test set."""
    outputs = Output.objects.filter(system__test_set=test_set).order_by()
    if outputs.count() > MOST_OUTPUTS:  # without reading all of their texts for this
        return SLOW
    characters = outputs.aggregate(n=Sum(Length("text"), default=0))["n"]
    return SHORT if characters <= MOST_CHARACTERS else SLOW
