"""Locking a campaign. Items are locked before their tasks (`judgments/assignment/work.py`), and
both after their campaign and its memberships."""

from .models import Campaign


def lock_campaign(pk: int) -> Campaign:
    """The campaign as it is now; until the transaction ends, nobody else who locks it goes on.

    Answers do: at its commit each looks whether its campaign is still there (FOR KEY SHARE), and
    would wait for FOR UPDATE while whoever has that may wait for the answer's task: a deadlock.
    """
    return Campaign.objects.select_for_update(of=("self",), no_key=True).get(pk=pk)
