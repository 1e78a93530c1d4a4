"""Screens without suggestions, false and withheld suggestions: who sees what, and what is kept."""

import json

import numpy as np
import pytest
from django.urls import reverse

from judgments.files.prefilled_spans import ProposedError
from judgments.files.rows import import_rows
from judgments.models import PrefilledSpan, RecordedPart, UnaidedSegment
from judgments.models.chains import record
from judgments.models.chains.record_checking import check_record
from judgments.protocols import protocol_of
from judgments.protocols.spans.form import prefill_key
from judgments.protocols.spans.options import problems
from judgments.results.errors import files
from judgments.results.errors.figures import errors
from judgments.results.selection.selection import Selection
from judgments.test_sets.prefilled_spans import SuggestedErrors
from judgments.test_sets.suggestion_arms import drawn_counts, false_place, words_of
from tests import factory

N = 20  # segments, in five documents
ARMS = {"unaided": 10, "planted": 10, "withheld": 10}


def campaign_of(people=2, n_segments=N, **options):
    owner = factory.make_user("owner", is_staff=True)
    test_set = factory.make_test_set(owner, n_segments=n_segments, n_documents=n_segments // 4)
    users = [factory.make_user(f"annotator-{seat}") for seat in range(1, people + 1)]
    campaign = factory.make_campaign(
        test_set, preset="esa-ai", name="Arms", owner=owner, annotators=users, options=options
    )
    for seat, user in enumerate(users, 1):
        factory.make_task(campaign, user, seat=seat)
    return campaign


def suggest(campaign, per_output=1):
    """On the first words of each output."""
    rows = []
    for segment in campaign.test_set.segments.order_by("position"):
        for output in segment.outputs.select_related("system"):
            for start, end in words_of(output.text, True)[:per_output]:
                place = segment.key, output.system.name, "target", start, end, ""
                rows.append(ProposedError("f.tsv", len(rows) + 1, *place, "minor", ""))
    import_rows(SuggestedErrors, campaign, rows)


def drawn(campaign):
    unaided = UnaidedSegment.objects.filter(campaign=campaign)
    columns = ("output", "start", "end", "severity", "is_planted", "is_shown")
    return set(unaided.values_list("segment", flat=True)), set(
        campaign.prefilled_spans.values_list(*columns)
    )


@pytest.mark.django_db
def test_shares_are_drawn_alike_in_all_systems_and_come_out_the_same_again():
    campaign = campaign_of(**ARMS)
    suggest(campaign)
    before = drawn(campaign)
    assert len(before[0]) == 2  # a tenth of 20 segments
    spans = campaign.prefilled_spans.select_related("output__system")
    for system in campaign.test_set.systems.all():
        of_system = spans.filter(output__system=system)
        assert of_system.filter(is_planted=True).count() == 2  # a tenth of 20 outputs
        aided = of_system.exclude(output__segment__in=before[0])
        assert aided.filter(is_planted=False, is_shown=False).count() == 2  # of 18, rounded
        assert aided.filter(is_planted=True, is_shown=False).count() == 0
        assert not of_system.filter(output__segment__in=before[0], is_shown=True).exists()
    for false in spans.filter(is_planted=True):
        text = false.output.text[false.start : false.end]
        assert text.strip() == text != ""
        real = spans.filter(output=false.output, is_planted=False)
        assert not real.filter(start__lt=false.end, end__gt=false.start).exists()
    suggest(campaign)
    assert drawn(campaign) == before
    assert campaign.suggestion_origin.seed > 0


@pytest.mark.django_db
def test_whole_documents_and_nothing_at_all():
    campaign = campaign_of(unaided=20, unaided_by="document")
    suggest(campaign)
    of = campaign.test_set.segments.filter(pk__in=drawn(campaign)[0])
    assert of.count() == 4 and of.values("document").distinct().count() == 1
    assert drawn_counts(campaign) == {"unaided": 4, "planted": 0, "withheld": 0}


@pytest.mark.django_db
def test_without_the_options_all_is_shown():
    campaign = campaign_of()
    suggest(campaign)
    assert not UnaidedSegment.objects.exists()
    assert not campaign.prefilled_spans.exclude(is_planted=False, is_shown=True).exists()


def screens(client, campaign, user):
    """{segment: the keys of suggestions on its screen}, and all that the pages say."""
    client.force_login(user)
    found, pages = {}, []
    known = {prefill_key(span.pk): span for span in campaign.prefilled_spans.all()}
    items = campaign.tasks.get(annotator=user).items.order_by("position")
    for number, item in enumerate(items, 1):
        address = reverse("judge-item", args=[campaign.pk, number])
        pages.append(client.get(address).content.decode())
        found[item.segment_id] = {key for key in known if key in pages[-1]}
    return found, pages


@pytest.mark.django_db
def test_everybody_sees_the_same_and_nobody_sees_which_are_false(client):
    campaign = campaign_of(unaided=20, planted=20, withheld=20)
    suggest(campaign)
    one, two = [task.annotator for task in campaign.tasks.order_by("seat")]
    seen, pages = screens(client, campaign, one)
    assert screens(client, campaign, two)[0] == seen
    shown = {
        prefill_key(span.pk)
        for span in campaign.prefilled_spans.filter(is_shown=True).select_related("output")
    }
    assert set.union(*seen.values()) <= shown
    unaided = drawn(campaign)[0]
    assert {segment for segment, keys in seen.items() if not keys} >= unaided
    false = {prefill_key(s.pk) for s in campaign.prefilled_spans.filter(is_planted=True)}
    assert set.union(*seen.values()) & false, "false ones are shown"
    for page in pages:
        assert not any(word in page for word in ("planted", "withheld", "unaided", "is_shown"))


def answer(client, campaign, user, number, keep):
    """Keep the suggestions on a screen that `keep(span)` asks for."""
    client.force_login(user)
    item = campaign.tasks.get(annotator=user).items.get(position=number - 1)
    address = reverse("judge-item", args=[campaign.pk, number])
    page = client.get(address).content.decode()
    data = {"ticket": page.split('name="ticket" value="')[1].split('"')[0]}
    seen = set()
    for place, row in enumerate(item.shown.select_related("output").order_by("position"), 1):
        spans = campaign.prefilled_spans.filter(output=row.output, is_shown=True)
        first = row.output.text not in seen
        seen.add(row.output.text)
        marks = [
            {
                "side": "target",
                "start": span.start,
                "end": span.end,
                "severity": span.severity,
                "prefill": prefill_key(span.pk),
            }
            for span in spans
            if first and keep(span)
        ]
        data |= {f"output{place}-spans": json.dumps(marks), f"output{place}-esa": "50"}
        data[f"output{place}-confirmed"] = "1"
    assert client.post(address, data).status_code == 302


@pytest.mark.django_db
def test_the_file_of_errors_says_what_was_planted_and_withheld(client):
    campaign = campaign_of(people=1, unaided=20, planted=20, withheld=20)
    suggest(campaign)
    user = campaign.tasks.get().annotator
    for number in range(1, N + 1):
        answer(client, campaign, user, number, lambda span: span.is_planted)
    rows = [
        dict(zip(files.COLUMNS, row, strict=True)) for row in files.rows(Selection.of(campaign))
    ]
    unaided = set(campaign.unaided_segments.values_list("segment__key", flat=True))
    assert all((row["arm"] == "unaided") == (row["segment"] in unaided) for row in rows)
    spans = campaign.prefilled_spans.all()
    n = {
        name: len([row for row in rows if row["provenance"] == name])
        for name in ("own", "kept", "changed", "deleted", "withheld")
    }
    assert n == {
        "own": 0,
        "kept": spans.filter(is_planted=True, is_shown=True).count(),
        "changed": 0,
        "deleted": spans.filter(is_planted=False, is_shown=True).count(),
        "withheld": spans.filter(is_shown=False).count(),
    }
    planted = [row for row in rows if row["planted"] == "yes"]
    assert len(planted) == spans.filter(is_planted=True).count()
    # What was not shown is not counted as suggested.
    [suggested] = errors(Selection.of(campaign)).suggestions
    assert suggested.suggested == spans.filter(is_shown=True).count()


@pytest.mark.django_db
def test_what_was_drawn_is_recorded_and_a_change_is_seen():
    campaign = campaign_of(**ARMS)
    record.begin(campaign.pk, "opened")
    suggest(campaign)
    recorded = RecordedPart.objects.filter(campaign_id=campaign.pk)
    assert recorded.filter(kind="unaided").count() == 2
    altered = campaign.prefilled_spans.exclude(is_planted=False, is_shown=True)
    assert recorded.filter(kind="suggestion").count() == altered.count() > 0
    assert check_record(campaign).found == []
    suggest(campaign)  # again: what was recorded is gone, and that is no fault
    assert check_record(campaign).found == []
    PrefilledSpan.objects.filter(is_planted=True).update(is_planted=False, is_shown=True)
    assert "suggestion" in str(check_record(campaign).found)


@pytest.mark.django_db
def test_the_page_says_how_many(client):
    campaign = campaign_of(**ARMS)
    suggest(campaign)
    client.force_login(campaign.test_set.owner)
    page = client.get(reverse("suggestions", args=[campaign.pk])).content.decode()
    n = drawn_counts(campaign)
    assert f"{n['unaided']} segments without suggestions" in page
    assert f"{n['planted']} false suggestions in addition to these" in page
    assert f"{n['withheld']} of these withheld" in page


@pytest.mark.django_db
def test_a_file_of_the_campaign_has_no_false_suggestions():
    from judgments.exchange.campaign_files.sections.materials import exported_errors

    campaign = campaign_of(**ARMS)
    suggest(campaign)
    n_outputs = sum(s.outputs.count() for s in campaign.test_set.segments.all())
    assert len(exported_errors(campaign)) == n_outputs


def test_places_are_free_whole_words():
    rng = np.random.default_rng(1)
    text = "One two, three four."
    taken = [(4, 7), (0, 0)]  # the second has no place
    found = {text[slice(*false_place(text, taken, 2, True, rng))] for _ in range(50)}
    assert found == {"three four"}  # no other two words in a row are free
    found = {text[slice(*false_place(text, taken, 1, True, rng))] for _ in range(50)}
    assert found == {"One", "three", "four"}
    assert false_place("…", [], 1, True, rng) is None
    start, end = false_place("今天天气很好。", [], 3, False, rng)
    assert end - start == 3 and end <= 6


def test_shares_need_suggestions():
    options = {"weights": {"minor": 1}, "score": True, "planted": 5}
    assert list(problems(options)) == ["planted"]
    assert problems(options | {"prefilled": True}) == {}


@pytest.mark.django_db
def test_the_protocol_offers_the_options_where_errors_are_proposed():
    campaign = campaign_of(**ARMS)
    options = protocol_of(campaign).options
    assert (options.unaided, options.planted, options.withheld) == (10, 10, 10)
    assert options.unaided_by == "segment"


@pytest.mark.parametrize(
    ("text", "is_spaced", "words"),
    [
        ("हिन्दी में अनुवाद।", True, ["हिन्दी", "में", "अनुवाद"]),
        ("Don't, “stop” (now)!", True, ["Don't", "stop", "now"]),
        ("cafe\u0301 — bar", True, ["cafe\u0301", "bar"]),
        ("กี่น้ำ", False, ["กี่", "น้", "ำ"]),
        ("你好，世界", False, ["你", "好", "世", "界"]),
    ],
)
def test_words_keep_their_marks(text, is_spaced, words):
    """Vowel signs and accents belong to the letter before; a bare one would give itself away."""
    assert [text[start:end] for start, end in words_of(text, is_spaced)] == words
