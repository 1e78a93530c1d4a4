"""What our own exports say of control items comes in again: which output of a screen is the
control, of what kind, and what was shown in its place."""

import uuid

import numpy as np
import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from judgments.models import (
    Alteration,
    AlteredOutput,
    Item,
    ItemOutput,
    Judgment,
    Kind,
    Output,
    Preference,
)
from judgments.results.errors.figures import errors
from judgments.results.selection.selection import Selection
from tests import factory
from tests.releases import bring

from .control_campaigns import judge_all, plan

pytestmark = pytest.mark.django_db
# Numbers that the database gives, and those who judged it elsewhere.
NUMBERS = ("item", "ranking")


def taken(client, campaign, name, *arguments) -> str:
    client.force_login(campaign.test_set.owner)
    response = client.get(reverse(name, args=[campaign.pk, *arguments]))
    assert response.status_code == 200
    return response.getvalue().decode()


def imported(client, campaign, content: str):
    """Another campaign of the same texts, with these judgments, through the page."""
    again = factory.make_campaign(
        campaign.test_set,
        preset=campaign.preset,
        owner=campaign.test_set.owner,
        name="Again",
        options=campaign.options,
    )
    file = SimpleUploadedFile("judgments.tsv", content.encode())
    answer = client.post(reverse("import-judgments", args=[again.pk]), {"file": file})
    assert answer.status_code == 302, answer.content.decode()[-2000:]
    return again


def several(preset: str, n_outputs: int, cares: tuple[str, ...], **options):
    """A campaign of `control_campaigns` in which every annotator has judged everything."""
    rng = np.random.default_rng(n_outputs)
    planned = plan(preset, rng, n_outputs=n_outputs, cares=cares)
    planned.campaign.options |= {"outputs_per_item": n_outputs}
    planned.campaign.save()
    judge_all(planned, rng, **options)
    return planned.campaign


def rows_of(content: str) -> list[list[str]]:
    header, *rows = (line.split("\t") for line in content.splitlines())
    keep = [i for i, name in enumerate(header) if name not in NUMBERS]
    return sorted([row[i] for i in keep] for row in rows)


def controls_of(campaign) -> list[tuple]:
    items = Item.objects.filter(task__campaign=campaign).order_by()
    return sorted(
        tuple(map(str, row))
        for row in items.values_list(
            "segment__key", "kind", "control_output__system__name", "control_kind"
        )
    )


def shown_instead(campaign) -> list[tuple]:
    shown = ItemOutput.objects.filter(item__task__campaign=campaign, altered__isnull=False)
    return sorted(shown.values_list("output__system__name", "item__segment__key", "altered__text"))


@pytest.mark.parametrize("n_outputs", [1, 3])
def test_scores(client, n_outputs):
    campaign = several("direct-assessment", n_outputs, ("good", "middle"))
    content = taken(client, campaign, "export-observations")
    again = imported(client, campaign, content)
    assert controls_of(again) == controls_of(campaign)
    kinds = {each for _, kind, _, control in controls_of(again) for each in (kind, control)}
    assert kinds - {""} == {"regular", "degraded", "repeat", "check", "reference"}
    assert rows_of(taken(client, again, "export-observations")) == rows_of(content)


@pytest.mark.parametrize("n_outputs", [1, 3])
def test_errors_that_are_marked_in_what_was_shown(client, n_outputs):
    """Also in degraded copies and checks, whose words are not those of the output."""
    campaign = several("esa", n_outputs, ("good", "random"), spans=True)
    content = taken(client, campaign, "export-errors", "tsv")
    again = imported(client, campaign, content)
    assert controls_of(again) == controls_of(campaign)
    assert len(shown_instead(campaign)) == 36  # of each of two: 10 copies and 8 checks
    assert shown_instead(again) == shown_instead(campaign)
    assert rows_of(taken(client, again, "export-errors", "tsv")) == rows_of(content)
    np.testing.assert_array_equal(
        errors(Selection.of(again)).counts, errors(Selection.of(campaign)).counts
    )
    # What the export does not say is how a text came to be.
    rules = AlteredOutput.objects.filter(campaign=again).values_list("rule", flat=True)
    assert set(rules) == {Alteration.IMPORTED}


def test_through_the_door_for_any_file(client, tmp_path):
    campaign = several("esa", 3, ("good", "random"), spans=True)
    files = {
        "observations.tsv": taken(client, campaign, "export-observations"),
        "errors.tsv": taken(client, campaign, "export-errors", "tsv"),
    }
    for name, content in files.items():
        (tmp_path / name).write_text(content)
    written = bring([tmp_path], test_set=campaign.test_set)
    ((again, _),) = written.campaigns
    assert controls_of(again) == controls_of(campaign)
    assert shown_instead(again) == shown_instead(campaign)
    found = taken(client, again, "export-observations")
    assert rows_of(found) == rows_of(files["observations.tsv"])


@pytest.fixture
def compared():
    """Two comparisons; of the second one the first output is a degraded copy."""
    owner, person = factory.make_user("owner"), factory.make_user("anna")
    test_set = factory.make_test_set(owner, n_segments=2)
    campaign = factory.make_campaign(test_set, preset="pairwise", owner=owner, annotators=[person])
    items = list(factory.make_task(campaign, person).items.order_by("position"))
    shown = items[1].shown.order_by("position").first()
    shown.altered = AlteredOutput.objects.create(
        campaign=campaign, output=shown.output, text="Another text.", rule=Alteration.APPRAISE
    )
    shown.save()
    items[1].control_output, items[1].control_kind = shown.output, Kind.DEGRADED
    items[1].save()
    for item in items:
        a, b = item.shown.order_by("position").values_list("output", flat=True)
        judgment = Judgment.objects.create(
            item=item, campaign=campaign, annotator=person, client_key=uuid.uuid4()
        )
        Preference.objects.create(judgment=judgment, output_a_id=a, output_b_id=b, value=-1)
    return campaign


def test_which_of_two_that_were_compared_is_the_control(client, compared):
    content = taken(client, compared, "export-observations")
    again = imported(client, compared, content)
    assert controls_of(again) == controls_of(compared)
    assert ("regular", "degraded") in {(row[1], row[3]) for row in controls_of(again)}
    assert rows_of(taken(client, again, "export-observations")) == rows_of(content)


def test_what_contradicts_itself_is_refused(client, compared):
    owner = compared.test_set.owner
    client.force_login(owner)
    rating = factory.make_campaign(
        compared.test_set,
        preset="direct-assessment",
        owner=owner,
        options={"outputs_per_item": 3},
    )
    systems = Output.objects.filter(segment__key="1").order_by("system__name")
    a, b, c = systems.values_list("system__name", flat=True)
    ratings = "annotator\tsegment\tsystem\tdimension\tvalue\titem\tkind\n"
    row = "anna\t1\t{}\tda\t50\t7\t{}\n".format
    pairs = "annotator\tsegment\tsystem_a\tsystem_b\tpreference\tkind\tcontrol\n"
    for campaign, content, words in (
        (rating, ratings + row(a, "check") + row(b, "degraded") + row(c, "regular"), "row 2"),
        (rating, ratings + row(a, "check") + row(b, "check") + row(c, "regular"), "one kind"),
        (compared, f"{pairs}anna\t1\t{a}\t{b}\t1\tcheck\t{c}\n", "one of the two systems"),
        (compared, f"{pairs}anna\t1\t{a}\t{b}\t1\tregular\t{a}\n", "one of the two systems"),
    ):
        n = Judgment.objects.count()
        file = SimpleUploadedFile("x.tsv", content.encode())
        answer = client.post(reverse("import-judgments", args=[campaign.pk]), {"file": file})
        assert answer.status_code == 422 and words in answer.content.decode(), content
        assert Judgment.objects.count() == n
