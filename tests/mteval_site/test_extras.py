"""Messages of an installation without the large packages where one of them is needed."""

import pytest
from django.urls import reverse

from judgments.files.problem import ImportProblem
from metrics.scorers import tokenizers
from mteval_site import extras, version
from tests import factory
from tests.judgments.exchange.releases.table_files import TABLE, as_parquet, read

HOW = "The operator can install it with `./run extras`"


@pytest.fixture
def without(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(extras, "is_there", lambda package: False)


@pytest.fixture
def owned(db, client):
    owner = factory.make_user("owner")
    annotator = factory.make_user("annotator")
    test_set = factory.make_test_set(owner)
    campaign = factory.make_campaign(test_set, owner=owner, annotators=[annotator])
    for item in factory.make_task(campaign, annotator).items.all():
        factory.judge(item, {"adequacy": [1, 2, 3], "fluency": [3, 2, 1]})
    client.force_login(owner)
    return client, campaign


def test_a_report_as_pdf(without, owned) -> None:
    client, campaign = owned
    page = client.get(reverse("report-file", args=[campaign.pk, "pdf"]))
    assert page.status_code == 400
    assert "typst is not installed" in page.content.decode()
    assert "./run extras" in page.content.decode()


def test_a_table_as_parquet(without, owned) -> None:
    client, campaign = owned
    address = reverse("api-table-file", args=[campaign.pk, "observations", "parquet"])
    answer = client.get(address)
    assert answer.status_code == 400
    assert HOW in str(answer.json())


def test_a_released_folder_as_parquet(without, owned) -> None:
    client, campaign = owned
    answer = client.get(reverse("export-format", args=[campaign.pk, "parquet"]))
    assert answer.status_code == 400
    assert "./run extras" in answer.content.decode()


def test_reading_parquet(without, tmp_path) -> None:
    with pytest.raises(ImportProblem) as caught:
        read(tmp_path, **{"t.parquet": as_parquet(TABLE)})
    assert caught.value.file == "t.parquet"
    assert HOW in caught.value.reason


@pytest.mark.parametrize("name", ["ja-mecab", "ko-mecab"])
def test_words_of_japanese_and_korean(monkeypatch, name) -> None:
    assert tokenizers.unusable(name) == ""
    monkeypatch.setattr(tokenizers, "find_spec", lambda package: None)
    assert "`./run extras` installs it" in tokenizers.unusable(name)


def test_an_installed_package_names_its_group(without, monkeypatch) -> None:
    monkeypatch.setattr(extras, "is_installed", lambda: True)
    command = "pipx install --force './WHEEL[parquet]'"
    assert f"`{command}`" in extras.how_to_install("pyarrow")
    groups = "pipx install --force './WHEEL[pdf,parquet]'"
    assert f"`{groups}`" in (version.ROOT / "docs/guide/operator.md").read_text()


def test_all_packages_of_groups_are_here() -> None:
    """Otherwise the tests of Parquet and PDF would be meaningless."""
    assert all(map(extras.is_there, extras.GROUPS))
