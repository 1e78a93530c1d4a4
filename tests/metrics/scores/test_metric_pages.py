"""The pages that describe each metric."""

import re
from pathlib import Path

import pytest
from django.conf import settings
from django.urls import reverse
from django.utils.html import escape

from metrics.scorers import SCORERS
from metrics.scores.metric_pages import cards_table, for_site
from metrics.scoring import catalog
from metrics.scoring.scoring_cards import QUESTIONS, VERDICTS, card_of
from tests.base import CastTestCase

GUIDE = Path(settings.BASE_DIR) / "docs" / "guide" / "metrics"
# Metrics of installed packages have no page in the guide.
OWN = [slug for slug, scorer in SCORERS.items() if scorer.__module__.startswith("metrics.")]


class MetricPagesTest(CastTestCase):
    def test_strangers(self):
        for name, arguments in (("metric-list", ()), ("metric-page", ("bleu",))):
            self.assert_refused(name, *arguments, users={None: 302})
            response = self.get_as(self.outsider, name, *arguments)
            self.assertEqual(response.status_code, 200)

    def test_all_are_listed_under_their_families(self):
        response = self.get_as(self.researcher, "metric-list")
        for slug, scorer in SCORERS.items():
            self.assertContains(response, reverse("metric-page", args=[slug]))
            self.assertContains(response, f"<h2>{scorer.family}</h2>", html=True)

    def test_every_page_gives_the_facts(self):
        for slug, scorer in SCORERS.items():
            with self.subTest(slug):
                response = self.get_as(self.researcher, "metric-page", slug)
                self.assertContains(response, catalog.direction(scorer))
                self.assertContains(response, catalog.range_words(scorer))
                for name in scorer.option_names():
                    self.assertContains(response, f"<code>{name}</code>")

    def test_uploaded_scores_have_no_direction_of_their_own(self):
        for name, arguments in (("metric-list", ()), ("metric-page", ("uploaded",))):
            response = self.get_as(self.owner, name, *arguments)
            self.assertContains(response, "higher or lower is better, as said with the file")

    def test_an_unknown_metric(self):
        for slug in ("blue", "passwd"):
            response = self.get_as(self.owner, "metric-page", slug)
            self.assertEqual(response.status_code, 404)

    def test_a_metric_that_cannot_run_here_says_why(self):
        why = "Its package is absent; install it with ./run extra."
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(SCORERS["ter"], "unavailable", classmethod(lambda cls: why))
            response = self.get_as(self.owner, "metric-page", "ter")
            self.assertContains(response, why)
            response = self.get_as(self.owner, "metric-list")
            self.assertContains(response, "not here")

    def test_cards_say_what_a_metric_is_for_and_why(self):
        """Forsbom (2003) fails WA and BLEU at segments and NIST at declarative evaluation, and
        passes WAFT and NEVA everywhere."""
        for slug, question, verdict in (
            ("wa", "segment", "no"),
            ("bleu", "segment", "no"),
            ("nist", "declarative", "no"),
            *(("waft", question, "yes") for question in QUESTIONS),
            *(("neva", question, "yes") for question in QUESTIONS),
        ):
            answer = getattr(card_of(slug), question)
            self.assertEqual(answer.verdict, verdict, (slug, question))
            page = self.get_as(self.researcher, "metric-page", slug)
            self.assertContains(page, escape(str(answer.reason)))

    def test_all_cards_are_one_table_that_leads_to_the_reasons(self):
        page = self.get_as(self.researcher, "metric-list")
        self.assertContains(page, reverse("metric-page", args=["nist"]) + "#card")
        row = next(row for row in cards_table().rows if row[0] == "NIST")
        self.assertEqual(row[1], "no")

    def test_of_uploaded_scores_nothing_is_stated(self):
        page = self.get_as(self.researcher, "metric-page", "uploaded")
        self.assertNotContains(page, "What it is for")


@pytest.mark.parametrize("slug", [slug for slug in OWN if slug != "uploaded"])
def test_every_metric_has_a_card(slug):
    """With the same needs as stated by the metric itself."""
    card = card_of(slug)
    assert card is not None, f"metrics/scoring/scoring_cards.py says nothing of {slug}"
    needs = str(card.needs)
    assert all(answer.verdict in VERDICTS for _, _, answer in card.answers)
    scorer = SCORERS[slug]
    if "sentinel" not in scorer.family.lower() and not scorer.needs_references:
        assert needs.startswith("No reference")
    if scorer.needs_corpus:
        assert "text of the target language" in needs


@pytest.mark.parametrize("slug", OWN)
def test_every_metric_has_a_page_of_the_guide(slug):
    page = catalog.guide_of(slug)
    assert page.startswith("# "), f"docs/guide/metrics/{slug}.md is absent or has no title"
    assert f"`{slug}`" in page.splitlines()[0]
    for part in ("## Example", "## Source"):
        assert part in page, f"docs/guide/metrics/{slug}.md has no {part}"
    for name in SCORERS[slug].option_names():
        assert f"`{name}`" in page, f"docs/guide/metrics/{slug}.md does not explain {name}"


def test_every_page_of_the_guide_is_of_a_metric():
    assert {path.stem for path in GUIDE.glob("*.md")} <= set(SCORERS)


def test_links_between_pages_lead_to_pages_of_the_site():
    page = "# BLEU (`bleu`)\n\nSee [chrF](chrf.md#options), [more](../metrics.md), [a](https://a.b/c.md)."
    chrf = reverse("metric-page", args=["chrf"])
    assert for_site(page) == f"See [chrF]({chrf}), more, [a](https://a.b/c.md)."


def test_titles_name_the_slug_as_the_command_line_takes_it():
    for path in GUIDE.glob("*.md"):
        assert re.match(rf"# .+ \(`{path.stem}`\)$", path.read_text().splitlines()[0]), path.name
