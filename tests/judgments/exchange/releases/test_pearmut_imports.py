"""Files of Pearmut in the database, and out of it again."""

import json

import pytest
from django.urls import reverse

from judgments.exchange.judgments.campaigns import new_campaign
from judgments.exchange.judgments.importer import import_judgments
from judgments.exchange.releases import registry
from judgments.exchange.releases.importer import import_release
from judgments.exchange.releases.out import choices, write
from judgments.exchange.releases.records import Problems
from judgments.files.uploads import Folder, opened
from judgments.models import Campaign, ErrorSpan, Status
from judgments.results.agreement.marks import marks
from judgments.results.errors.figures import errors
from judgments.results.errors.files import tsv_lines
from judgments.results.selection.selection import Selection
from tests.judgments.files.files import upload

from .pearmut_files import ANSWERS, HOUSE, campaign, content, entry, item, lines, read, said, texts


@pytest.mark.django_db
class TestDatabase:
    def test_annotations(self, admin_user, tmp_path):
        path = lines(
            tmp_path / "c.jsonl",
            entry("u1", [HOUSE], [{"A": said(90.25), "B": said(20, (5, 8, "Major"))}]),
            entry("u2", [HOUSE], [{"A": said(80), "B": said(30, (9, 9, "Minor"))}]),
        )
        outcome = import_release([path], admin_user, answers=ANSWERS)
        assert not outcome.problems.n, outcome.problems.first
        ((found, added),) = outcome.written.campaigns
        assert (added.judgments, added.annotators) == (2, 2)
        assert ErrorSpan.objects.count() == 2
        write([found], "pearmut", Folder(tmp_path / "out"))
        again, problems = read(*sorted((tmp_path / "out").iterdir()))
        assert not problems.n and content(again) == content(read(path)[0])

    def test_a_mark_of_the_whole_output(self, admin_user, client, tmp_path):
        """It is counted and shown as an error of the output, of no place in it, and comes in again
        as a mark of that name, from Pearmut's files and from the table of errors."""
        marked = [(0, 2, "major"), (9, 9, "minor")]
        path = lines(
            tmp_path / "c.jsonl",
            entry("u1", [HOUSE], [{"A": said(90), "B": said(20, *marked)}]),
            entry(
                "u2", [HOUSE], [{"A": said(80), "B": said(30, (0, 2, "major"), (10, 10, "minor"))}]
            ),
        )
        found = campaign(campaign_id="c", data=[[HOUSE]])
        found["info"] |= {"assignment": "single-stream"}
        found["info"]["special_tokens"] = ["[instructions fault]", "[missing]"]
        (tmp_path / "c.json").write_text(json.dumps(found), "utf-8")
        paths = [path, tmp_path / "c.json"]
        ((added, _),) = import_release(paths, admin_user, answers=ANSWERS).written.campaigns
        whole = ErrorSpan.objects.get(side="output")
        assert (whole.start, whole.end, whole.category) == (0, 0, "instructions fault")
        client.force_login(admin_user)
        selection = Selection.of(added)
        assert errors(selection).n_errors == 4
        page = client.get(reverse("segment", args=[added.pk, whole.output.segment_id]))
        assert '<span class="badge" dir="auto">minor instructions fault</span>' in page.text
        agreement = marks(selection)
        # The two major errors are the same three characters, and [missing] has a separate place.
        assert agreement.n_spans == 3 and agreement.directed[0][1:] == (1, (1, 1, 1))
        write([added], "pearmut", Folder(tmp_path / "out"))
        again, problems = read(*sorted((tmp_path / "out").iterdir()))
        assert not problems.n and content(again) == content(read(*paths)[0])
        table = "".join(tsv_lines(selection))
        arguments = (added.test_set, admin_user, "Copy", "released-errors")
        copy = new_campaign(*arguments, options=added.options)
        import_judgments(copy, upload("errors.tsv", table.encode()))
        stored = ErrorSpan.objects.filter(judgment__campaign=copy, side="output")
        assert [span.category for span in stored] == ["instructions fault"]
        assert errors(Selection.of(copy)).kinds.tolist() == errors(selection).kinds.tolist()

    def test_scores_beside_errors_go_through_marot(self, admin_user, tmp_path):
        answer = {"A": said(0), "B": said(20, (5, 8, "Major"), (9, 9, "Minor"))}
        path = lines(tmp_path / "c.jsonl", entry("u1", [HOUSE], [answer]))
        ((found, _),) = import_release([path], admin_user, answers=ANSWERS).written.campaigns
        write([found], "marot", Folder(tmp_path))
        with opened([tmp_path / "marot.tsv"]) as files:
            release = registry.read(files, {}, Problems())
        assert release.judgments[0].options["score"] is True
        first, second = release.judgments[0].screens()
        assert (first.ratings, first.spans) == ([("A", "esa", 0)], [])
        assert (second.ratings, second.active_ms) == ([("B", "esa", 20)], 35_750)
        assert sorted(span[1:] for span in second.spans) == [
            ("missing", 0, 0, "Minor", ""),
            ("target", 5, 9, "Major", ""),
        ]
        assert (release.texts[0].source_language, release.texts[0].target_language) == ("en", "de")

    def test_plain_scores_do_not_go_into_marot(self, admin_user, tmp_path):
        path = lines(tmp_path / "c.jsonl", entry("u1", [HOUSE], [{"A": said(3)}]))
        ((found, _),) = import_release([path], admin_user, answers=ANSWERS).written.campaigns
        reasons = {each.slug: reason for each, reason in choices(found)}
        assert reasons["marot"] == "Marot supports only marked errors."
        assert reasons["pearmut"] == ""

    def test_campaign(self, admin_user, tmp_path):
        (tmp_path / "c.json").write_text(json.dumps(campaign()), "utf-8")
        outcome = import_release([tmp_path / "c.json"], admin_user)
        assert not outcome.problems.n, outcome.problems.first
        found = Campaign.objects.get()
        assert found.status == Status.DRAFT and found.test_set.target_language == "cs-CZ"
        assert found.tasks.count() == 2 and found.practices.count() == 1
        write([found], "pearmut", Folder(tmp_path / "out"))
        (path,) = sorted((tmp_path / "out").iterdir())
        first, _ = read(tmp_path / "c.json")
        again, problems = read(path)
        assert not problems.n and texts(again) == texts(first)
        (plan,), (other,) = again.plans, first.plans
        assert list(plan.batches()) == list(other.batches())
        assert (plan.preset, plan.instructions) == (other.preset, other.instructions)
        assert plan.practice[0]["outputs"] == other.practice[0]["outputs"]
        assert [question.default for question in again.questions] == ["en", "cs-CZ"]

    @pytest.mark.parametrize(
        "info",
        [
            {"protocol": "DA"},
            {"protocol": "ESA"},
            {"protocol": "MQM", "mqm_severities": ["Neutral", "Minor", "Major", "Critical"]},
            {"protocol": "MQM", "mqm_categories": {"": [], "General": ["Fluency"], "Other": []}},
            {"protocol": "DA", "sliders": [{"name": "Fluent?", "min": 0, "max": 5, "step": 1}]},
        ],
    )
    @pytest.mark.parametrize("n_models", [1, 2, 12])
    def test_campaigns_of_any_protocol(self, admin_user, tmp_path, info, n_models):
        items = [
            item(f"s{n}", f"source {n}", **{f"M{m}": f"text {m}" for m in range(n_models)})
            for n in range(2)
        ]
        lesson = items[0] | {"validation": {"M0": {"score": [90, 100], "allow_skip": True}}}
        found = campaign(
            info={"assignment": "single-stream", "users": 3} | info,
            data=[[items[0]], [items[1]]],
            data_welcome=[[{"text": "Age?", "form": "number"}], [lesson]],
        )
        (tmp_path / "c.json").write_text(json.dumps([found]), "utf-8")
        outcome = import_release([tmp_path / "c.json"], admin_user)
        assert not outcome.problems.n, outcome.problems.first
        ((stored, _),) = outcome.written.campaigns
        assert (stored.tasks.count(), stored.practices.count()) == (2, 1)
        write([stored], "pearmut", Folder(tmp_path / "out"))
        (path,) = sorted((tmp_path / "out").iterdir())
        first, _ = read(tmp_path / "c.json")
        again, problems = read(path)
        assert not problems.n
        assert again.plans[0].preset == first.plans[0].preset
        assert list(again.plans[0].batches()) == list(first.plans[0].batches())
