"""Whether a decision in force leaves an annotator out, and so out of the work to come.

Screens read it with the membership (`LEFT_OUT`); a claim asks again (`is_left_out_now`) once it has
the lock on the membership that `decide` takes, too.
"""

from django.db.models import OuterRef, Subquery

from judgments.models import Decision, Membership

# Annotates memberships: true for those whose whole work is left out; null where nothing is decided.
LEFT_OUT = Subquery(
    Decision.objects.filter(campaign=OuterRef("campaign"), annotator=OuterRef("user"), dimension="")
    .order_by("-pk")
    .values("excluded")[:1]
)


def is_left_out_now(membership: Membership) -> bool:
    """Return whether whatever they judged is left out, by what is stored now."""
    decided = Decision.objects.filter(
        campaign=membership.campaign_id, annotator=membership.user_id, dimension=""
    )
    return bool(decided.order_by("-pk").values_list("excluded", flat=True).first())


def is_left_out(membership: Membership) -> bool:
    """Return the same, without a statement where it was read with the membership."""
    known = vars(membership)
    return bool(known["left_out"]) if "left_out" in known else is_left_out_now(membership)
