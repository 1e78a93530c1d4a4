"""Every address with a campaign in it is known: a new one has to be put on one of these lists, and
those of results are walked to (`selection_walk`)."""

from django.urls import get_resolver

from .campaign_addresses import ELSEWHERE, ENDPOINTS, FILES, OF_MANY, PAGES


def addresses():
    """The names of all addresses with a campaign in them."""
    for name, (_, pattern, _, _) in flat(get_resolver()):
        if "campaign_id" in pattern and not name.startswith("admin"):
            yield name


def flat(resolver):
    names = resolver.reverse_dict
    yield from ((name, names[name]) for name in names if isinstance(name, str))


def test_every_address_with_a_campaign_is_known():
    found = set(addresses())
    assert len(found) > 50
    assert found == PAGES | FILES | ENDPOINTS | OF_MANY | ELSEWHERE
