"""A manifest or a tutorial alone is a campaign whose texts are still to come: no page breaks."""

import pytest
from django.test import Client
from django.urls import get_resolver, reverse

from judgments.exchange.releases import registry, writing
from judgments.exchange.releases.records import Problems
from judgments.files.uploads import opened
from tests import factory
from tests.shared import shared_data


def addresses():
    """The names of all addresses of one campaign or one test set, with the argument's name."""
    for name, ((*_, (_, arguments)), *_) in flat(get_resolver()):
        if arguments in (["campaign_id"], ["test_set_id"]) and not name.startswith("admin"):
            yield name, arguments[0]


def flat(resolver):
    names = resolver.reverse_dict
    yield from ((name, names[name]) for name in names if isinstance(name, str))


@pytest.mark.proof
@pytest.mark.django_db
@pytest.mark.parametrize("name", ["DataSQM.manifest.json.gz", "tutorial.de-en.esa.json"])
def test_every_page_opens(name):
    owner = factory.make_user("organizer")
    with opened([shared_data("10_as_released", "appraise", name)]) as files:
        problems = Problems()
        found = writing.write(registry.read(files, {}, problems), owner, problems)
    ((campaign, _),) = found.campaigns
    assert campaign.test_set.note == (
        "Its batches are missing: import them together with the manifest."
    )
    client = Client()
    client.force_login(owner)
    opened_pages = 0
    ids = {"campaign_id": campaign.pk, "test_set_id": campaign.test_set_id}
    for address, argument in addresses():
        response = client.get(reverse(address, args=[ids[argument]]))
        assert response.status_code < 500, address
        opened_pages += response.status_code == 200
    assert opened_pages > 30
