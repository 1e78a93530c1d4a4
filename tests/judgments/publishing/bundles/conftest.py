"""A release whose campaign is not in the database any more."""

import json

import pytest
from django.db import transaction

from judgments.models import Campaign, Output
from judgments.publishing.bundles.release import release
from tests.made_once import files_of_the_session

from .sites import load_demo


@pytest.fixture(scope="session")
def bundle(django_db_setup, django_db_blocker, tmp_path_factory):
    """The release of a campaign that is not in the database any more."""

    def make(folder):
        with django_db_blocker.unblock(), transaction.atomic():
            load_demo()
            release(Campaign.objects.get(protocol="pairwise"), folder / "full.zip")
            spans = Campaign.objects.get(protocol="spans", by_model=False)
            release(spans, folder / "hashes.zip", hashes_only=True)
            texts = Output.objects.filter(segment__test_set=spans.test_set).values_list("text")
            (folder / "texts.json").write_text(json.dumps([text for (text,) in texts]))
            transaction.set_rollback(True)

    return files_of_the_session(tmp_path_factory, "bundles", make)
