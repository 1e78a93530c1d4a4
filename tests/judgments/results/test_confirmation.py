"""How far people only confirm: counted as by hand, on the page, in files and in the API."""

import json
import zipfile

import numpy as np
import pytest
from django.urls import reverse

from judgments.files.prefilled_spans import ProposedError
from judgments.files.rows import import_rows
from judgments.models import ErrorSpan, Judgment
from judgments.models.chains.sealing import seal_all
from judgments.protocols import PRESETS
from judgments.publishing.bundles.release import release
from judgments.publishing.bundles.verification import verify
from judgments.results.errors.confirmation import confirmation
from judgments.results.selection.selection import Selection
from judgments.test_sets import suggestion_arms
from judgments.test_sets.prefilled_spans import SuggestedErrors
from judgments.test_sets.suggestion_arms import words_of
from tests import factory
from tests.judgments.publishing.bundles.sites import assert_as_on_the_site

ARMS = dict(PRESETS["esa-ai"].options) | {"unaided": 25, "planted": 20, "withheld": 20}

SEED = 3  # of the arms; with it the control arm has segments of nine documents


@pytest.fixture
def campaign(db, monkeypatch):
    """Two annotators judge 40 segments of 20 documents: the first keeps all that is shown and marks
    nothing else; the second marks what is wrong, whatever is shown, in half of the segments."""
    monkeypatch.setattr(suggestion_arms, "seed_of", lambda campaign: SEED)
    owner = factory.make_user("owner", is_staff=True)
    test_set = factory.make_test_set(owner, n_segments=40, n_documents=20, n_systems=2)
    users = [factory.make_user(name) for name in ("keeps", "reads")]
    campaign = factory.make_campaign(
        test_set, preset="esa-ai", name="Arms", owner=owner, annotators=users, options=ARMS
    )
    rows = []
    for segment in test_set.segments.order_by("position"):
        for output in segment.outputs.select_related("system"):
            start, end = words_of(output.text, True)[1]
            place = segment.key, output.system.name, "target", start, end, ""
            rows.append(ProposedError("f.tsv", len(rows) + 1, *place, "minor", ""))
        lacks = segment.key, "System-A", "missing", None, None, ""
        rows.append(ProposedError("f.tsv", len(rows) + 1, *lacks, "major", ""))
    import_rows(SuggestedErrors, campaign, rows)
    for seat, user in enumerate(users, 1):
        task = factory.make_task(campaign, user, seat=seat)
        for item in task.items.order_by("position"):
            shown = [row.output for row in item.shown.order_by("position")]
            spans = {
                output.pk: marks_of(campaign, output, item.position, user.username)
                for output in shown
            }
            derived = [float(-len(spans[output.pk])) for output in shown]
            judgment = factory.judge(
                item,
                {"esa": [50] * len(shown), "esa_spans": derived},
                active_ms=1000 * (2 + item.position + 4 * seat),
            )
            ErrorSpan.objects.bulk_create(
                ErrorSpan(judgment=judgment, output_id=pk, **span)
                for pk, found in spans.items()
                for span in found
            )
    return campaign


def marks_of(campaign, output, position, name):
    suggestions = campaign.prefilled_spans.filter(output=output)
    if name == "keeps":
        return [
            {
                "side": s.side,
                "start": s.start,
                "end": s.end,
                "severity": s.severity,
                "prefill": s,
            }
            for s in suggestions.filter(is_shown=True)
        ]
    start, end = words_of(output.text, True)[1]
    own = {"side": "target", "start": start + 1, "end": end, "severity": "minor"}
    return [own] if position % 2 else []


def by_hand(campaign):
    """The sums above and below the line of each measure, by arm, in plain loops."""
    unaided = set(campaign.unaided_segments.values_list("segment", flat=True))
    sums: dict[tuple[str, bool], list[float]] = {}

    def add(measure, arm, above, below=1):
        total = sums.setdefault((measure, arm), [0, 0])
        total[0] += above
        total[1] += below

    for judgment in Judgment.objects.filter(campaign=campaign).select_related("item"):
        arm = judgment.item.segment_id not in unaided
        for row in judgment.item.shown.all():
            spans = list(judgment.spans.filter(output=row.output_id))
            seconds = (judgment.active_ms or 0) / 1000 / 2
            add("errors", arm, len(spans))
            add("seconds", arm, seconds)
            add("seconds_per_error", arm, seconds, len(spans))
            for s in campaign.prefilled_spans.filter(output=row.output_id):
                met = any(
                    span.prefill_id == s.pk
                    or (
                        span.side == s.side
                        and (s.side == "missing" or (span.start < s.end and s.start < span.end))
                    )
                    for span in spans
                )
                if s.is_planted:
                    add("false", arm, met)
                elif s.is_shown or not arm:
                    add("suggested", arm, met)
                if not s.is_planted and not s.is_shown:
                    add("withheld", arm, not met)
    return sums


def test_measures_are_those_of_plain_loops(campaign):
    report = confirmation(Selection.of(campaign))
    sums = by_hand(campaign)
    for slug, arms in report.measures.items():
        for is_aided, arm in ((True, arms.aided), (False, arms.unaided)):
            above, below = sums[slug, is_aided]
            assert (arm.value, arm.n) == pytest.approx((above / below, below)), (slug, is_aided)
        assert arms.difference.value == pytest.approx(arms.aided.value - arms.unaided.value)
    assert (report.n_aided, report.n_unaided) == (2 * 30 * 2, 2 * 10 * 2)
    # Keeping everything accepts every false suggestion and overlooks every withheld one.
    keeps, reads = report.annotators
    assert keeps.annotator == "keeps" and reads.annotator == "reads"
    assert keeps.accepted == keeps.false > 0 and keeps.overlooked == keeps.withheld > 0
    assert reads.false == keeps.false and reads.accepted < reads.false
    assert reads.overlooked < reads.withheld
    wide = report.measures["suggested"].difference
    assert 0 < wide.low < wide.value < wide.high  # the one who keeps marks what is shown
    assert report.resampled == "documents"


def test_of_the_one_who_reads_alone(client, campaign):
    """The one who reads marks the same with suggestions and without."""
    client.force_login(campaign.test_set.owner)
    address = reverse("api-errors", args=[campaign.pk])
    answer = client.get(address, {"annotator": "reads"}).json()["confirmation"]
    assert (answer["n_aided"], answer["n_unaided"]) == (60, 20)
    assert [each["annotator"] for each in answer["annotators"] if each["false"]] == ["reads"]
    [suggested] = [each for each in answer["measures"] if each["measure"] == "suggested"]
    assert suggested["difference"]["low"] < 0 < suggested["difference"]["high"]


def test_page_files_and_api(client, campaign):
    client.force_login(campaign.test_set.owner)
    page = client.get(reverse("errors", args=[campaign.pk])).content.decode()
    assert "How far people only confirm" in page
    report = confirmation(Selection.of(campaign))
    false = report.measures["false"]
    share = f"{100 * false.aided.value:.0f} % of false suggestions were accepted"
    assert f"{share}; in the control arm {100 * false.unaided.value:.0f} %." in page
    table = client.get(reverse("export-table", args=[campaign.pk, "confirmation"]))
    lines = b"".join(table).decode().splitlines()
    assert sum(line.startswith(("False", "Withheld", "Suggested")) for line in lines) == 3
    assert client.get(reverse("export-table", args=[campaign.pk, "confirmed"])).status_code == 200
    whole = json.loads(b"".join(client.get(reverse("export-json", args=[campaign.pk]))))
    stored = whole["errors"]["confirmation"]["measures"]["false"]["aided"]
    assert stored["value"] == pytest.approx(false.aided.value)
    answer = client.get(reverse("api-errors", args=[campaign.pk])).json()["confirmation"]
    assert answer["measures"][0]["measure"] == "false"
    assert answer["measures"][0]["aided"]["value"] == pytest.approx(false.aided.value)
    assert answer["annotators"][0]["annotator"] == "keeps"
    assert answer["resampled"] == "documents"


def test_a_campaign_without_arms_has_no_such_section(client, campaign):
    campaign.options = dict(PRESETS["esa-ai"].options)
    campaign.save()
    client.force_login(campaign.test_set.owner)
    page = client.get(reverse("errors", args=[campaign.pk])).content.decode()
    assert "What became of suggestions" in page and "only confirm" not in page
    answer = client.get(reverse("api-errors", args=[campaign.pk])).json()
    assert answer["confirmation"] is None


def test_nobody_has_judged(client, db):
    owner = factory.make_user("owner", is_staff=True)
    campaign = factory.make_campaign(
        factory.make_test_set(owner), preset="esa-ai", owner=owner, options=ARMS
    )
    report = confirmation(Selection.of(campaign))
    assert all(np.isnan(arms.aided.value) for arms in report.measures.values())
    client.force_login(owner)
    assert client.get(reverse("errors", args=[campaign.pk])).status_code == 200


@pytest.mark.proof
def test_the_figures_come_out_of_a_bundle_again(campaign, tmp_path):
    seal_all()
    file = tmp_path / "release.zip"
    release(campaign, file, aliases=True)
    verdict = verify(file)
    assert verdict.wrong == [] and verdict.left == {}
    with zipfile.ZipFile(file) as packed:
        [errors] = [name for name in packed.namelist() if name.endswith("/prefilled-spans.jsonl")]
        rows = [json.loads(line) for line in packed.read(errors).decode().splitlines()]
        [arms] = [name for name in packed.namelist() if name.endswith("/unaided-segments.jsonl")]
        assert len(packed.read(arms).splitlines()) == campaign.unaided_segments.count()
        [figures] = [
            n for n in packed.namelist() if n.rpartition("/")[2].startswith("confirmation")
        ]
        assert b"False suggestions marked" in packed.read(figures)
    spans = campaign.prefilled_spans
    assert sum(row["is_planted"] for row in rows) == spans.filter(is_planted=True).count() > 0
    assert_as_on_the_site(campaign, file)
