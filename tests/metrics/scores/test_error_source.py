"""Errors marked by a metric become suggestions of a campaign, with their origin."""

import pytest
from django.urls import reverse

from judgments.models import Act, Judgment, Output, PrefilledSpan, SuggestionOrigin
from judgments.protocols.spans.marking import Marking
from judgments.test_sets.error_fit import ErrorFit
from judgments.test_sets.error_sources import ProgramError, errors_of, marked_in
from metrics.models import MetricSpans
from metrics.scores.importing import Instructions, import_scores
from tests import factory

SCORES = "system\tsegment\tscore\nSystem-A\t1\t0.5\nSystem-A\t2\t0.5\nSystem-B\t1\t1\n"
ERRORS = (
    "metric\tsystem\tsegment\tstart\tend\tseverity\tcategory\n"
    "M\tSystem-A\t1\t0\t6\tMajor\tAccuracy/Addition\n"
    "M\tSystem-A\t1\t7\t9\tcritical\t\n"
    "M\tSystem-A\t1\t0\t6\tminor\t\n"  # the same words
    "M\tSystem-A\t2\t2\t3\tneutral\t\n"
    "M\tSystem-B\t1\t0\t4\todd\t\n"
    "M\tSystem-B\t1\t1\t4\tminor\t\n"
)


@pytest.fixture
def campaign(db, tmp_path):
    owner = factory.make_user("owner", is_staff=True)
    test_set = factory.make_test_set(owner)
    files = []
    for name, text in (("scores.tsv", SCORES), ("errors.tsv", ERRORS)):
        (tmp_path / name).write_text(text)
        files.append(tmp_path / name)
    import_scores(test_set, files, Instructions(higher_is_better=True, name="M", references=()))
    return factory.make_campaign(test_set, preset="esa-ai", name="Errors", owner=owner)


def suggested():
    columns = ("output__system__name", "output__segment__key", "start", "end", "severity")
    return list(PrefilledSpan.objects.order_by("output", "start").values_list(*columns))


def click(client, campaign, **data):
    [marked] = marked_in(campaign.test_set)
    client.force_login(campaign.test_set.owner)
    address = reverse("suggestions-from-program", args=[campaign.pk])
    return client.post(address, {"program": marked.key} | data, follow=True)


def test_one_click_suggests_what_a_metric_marked(client, campaign):
    page = click(client, campaign).content.decode()
    assert "3 errors of M will be suggested." in page
    assert suggested() == [
        ("System-A", "1", 0, 6, "major"),
        ("System-A", "1", 7, 9, "major"),
        ("System-B", "1", 1, 4, "minor"),
    ]
    origin = SuggestionOrigin.objects.get(campaign=campaign)
    assert origin.name == "M"
    assert origin.signature.startswith("M (uploaded)|nrefs:0|") and origin.signature in page
    spans = MetricSpans.objects.select_related("score")
    assert origin.marked_at == max(each.score.created_at for each in spans)
    assert origin.brought_at > origin.marked_at
    lines = [
        "1 × left out, as the same words are marked twice",
        "1 × left out, as this campaign has no severity “neutral”",
        "1 × left out, as this campaign has no severity “odd”",
        "1 × suggested without the category “accuracy/addition”, which this campaign lacks",
        "1 × “critical” is suggested as “major”",
    ]
    assert origin.notes == lines
    assert all(f"<li>{each}</li>" in page for each in lines)
    assert Act.objects.filter(act="suggestions-from-program").exists()


def test_errors_of_changed_texts_are_left_out(client, campaign):
    Output.objects.filter(system__name="System-A", segment__key="1").update(text="Another one.")
    click(client, campaign)
    assert suggested() == [("System-B", "1", 1, 4, "minor")]
    notes = SuggestionOrigin.objects.get().notes
    assert "Left out, as their texts have changed since: the errors of System-A." in notes
    Output.objects.filter(system__name="System-B", segment__key="1").update(text="Another one.")
    assert marked_in(campaign.test_set) == []


def test_a_file_takes_their_place(client, campaign, tmp_path):
    click(client, campaign)
    file = tmp_path / "own.tsv"
    file.write_text("segment\tsystem\tstart\tend\tseverity\n1\tSystem-A\t0\t6\tminor\n")
    with file.open("rb") as opened:
        client.post(reverse("suggestions", args=[campaign.pk]), {"file": opened})
    assert suggested() == [("System-A", "1", 0, 6, "minor")]
    origin = SuggestionOrigin.objects.get()
    assert (origin.name, origin.signature, origin.notes) == ("own.tsv", "", [])


def test_nothing_changes_once_judging_has_begun_or_by_a_wrong_name(client, campaign):
    assert "Choose who marked the errors" in click(client, campaign, program="x").content.decode()
    assert not SuggestionOrigin.objects.exists()
    annotator = factory.make_user("annotator")
    task = factory.make_task(campaign, annotator)
    item = task.items.first()
    factory.judge(item, {"esa": [50] * item.shown.count()})
    assert Judgment.objects.filter(campaign=campaign).exists()
    page = click(client, campaign).content.decode()
    assert "judging has started, so the suggestions cannot be changed" in page
    assert "Take suggestions from a metric" not in page
    assert suggested() == []


def test_the_page_offers_nothing_where_no_metric_marks_errors(client, campaign):
    MetricSpans.objects.all().delete()
    client.force_login(campaign.test_set.owner)
    page = client.get(reverse("suggestions", args=[campaign.pk])).content.decode()
    assert "Take suggestions from a metric" not in page
    assert list(errors_of(campaign.test_set, "x")) == []


def fitted(marking, *errors):
    fit = ErrorFit(marking, "M")
    rows = fit.rows(ProgramError("1", "A", *error) for error in errors)
    return [(row.start, row.severity, row.category) for row in rows], fit.notes()


def test_categories_are_found_by_their_name_or_its_end():
    marking = Marking(
        weights={"minor": 1, "major": 5},
        categories=("Accuracy/Omission", "Style/Register", "Fluency/Register", "Other"),
    )
    rows, notes = fitted(
        marking,
        (0, 1, "minor", "accuracy/omission"),
        (1, 2, "minor", "Omission"),
        (2, 3, "minor", "register"),  # of two branches
        (3, 4, "minor", "OTHER"),
    )
    assert [category for _, _, category in rows] == [
        "accuracy/omission",
        "accuracy/omission",
        "",
        "other",
    ]
    assert notes == [
        "1 × category “Omission” is suggested as “accuracy/omission”",
        "1 × suggested without the category “register”, which this campaign lacks",
    ]


def test_the_worst_are_kept_where_a_translation_has_too_many():
    marking = Marking(weights={"minor": 1, "critical": 25}, most_errors=2)
    errors = [(0, 1, "minor", ""), (2, 3, "critical", ""), (4, 4, "minor", ""), (5, 6, "major", "")]
    rows, notes = fitted(marking, *errors, (7, 8, "critical", ""))
    assert rows == [(2, "critical", ""), (7, "critical", "")]
    assert notes == [
        "2 × left out, as 2 worse ones are in the translation",
        "1 × left out, as it marks a place and no text",
        "1 × “major” is suggested as “minor”",
    ]
