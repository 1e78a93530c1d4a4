"""Who is left out of the results that a page shows, and the switch to the other results.

Django imports all tags with the first template, so these import the analysis only when used.
"""

from django import template

from judgments.models import Campaign

register = template.Library()
MOST_NAMED = 5


@register.inclusion_tag("judgments/_excluded.html", takes_context=True)
def excluded_annotators(context) -> dict:
    """A sentence with the switch on pages that hold a campaign's results; else nothing."""
    from judgments import results

    campaign, request = context["campaign"], context["request"]
    if not results.is_held(campaign):
        return {}
    users = results.excluded(campaign)
    if not users:
        return {}
    aliases = campaign.memberships.filter(user__in=users).values_list("alias", flat=True)
    names = sorted(aliases)
    chosen = results.chosen(campaign)
    query = request.GET.copy()
    query["annotators"] = "kept" if chosen == "all" else "all"
    return {
        "campaign": campaign,
        "n": len(users),
        "names": names[:MOST_NAMED],
        "n_more": max(0, len(users) - MOST_NAMED),
        "chosen": chosen,
        "switch": query.urlencode(),
    }


@register.filter
def annotators_query(campaign: Campaign) -> str:
    """What an address needs so that a file is of the same annotators as its page."""
    from judgments import results

    return "" if results.chosen(campaign) == "kept" else "?annotators=all"
