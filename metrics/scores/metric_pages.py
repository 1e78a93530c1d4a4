"""What each metric is: the registry's facts and its page of the guide."""

import re

from django.contrib.auth.decorators import login_required
from django.http import Http404
from django.shortcuts import render
from django.urls import reverse
from django.utils.safestring import mark_safe
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET

from judgments.files.markdown import as_html
from judgments.web.sections import Lazy, Section
from judgments.web.tables import Column, Table
from metrics.lessons.examples import EXAMPLES
from metrics.scorers import SCORERS
from metrics.scoring import catalog
from metrics.scoring.scoring_cards import QUESTIONS, all_cards, card_of

# A link of the guide to another of its pages: [text](page.md) or [text](../page.md#part).
GUIDE_LINK = re.compile(r"\[([^\]]+)\]\((?!https?://)[^)]*?([\w-]+)\.md(#[^)]*)?\)")
TITLE = re.compile(r"\A# .*\n+")


@login_required
@require_GET
def metric_list(request):
    families = [
        (family, [facts(slug) for slug in slugs])
        for family, slugs in catalog.by_family(list(SCORERS))
    ]
    context = {"families": families, "sections": [cards_section()]}
    return render(request, "metrics/metric_list.html", context)


@login_required
@require_GET
def metric_page(request, slug):
    if slug not in SCORERS:
        raise Http404("No such metric.")
    guide = with_tables(as_html(for_site(catalog.guide_of(slug))))
    examples = [each for each in EXAMPLES.values() if slug in each.metrics]
    context = {"metric": facts(slug), "guide": guide, "examples": examples}
    return render(request, "metrics/metric_page.html", context)


def facts(slug: str) -> dict:
    scorer = SCORERS[slug]
    return {
        "slug": slug,
        "scorer": scorer,
        "range": catalog.range_words(scorer),
        "direction": catalog.direction(scorer),
        "needs": catalog.needs_words(scorer),
        "unavailable": scorer.unavailable(),
        "options": catalog.options_of(slug),
        "card": card_of(slug),
    }


def cards_section() -> Section:
    """Return what every metric is for, as one table."""
    title = _("What each metric is for")
    return Section(
        "scoring-cards",
        title,
        sentence=lambda: _(
            "Which question, level and type of text a metric suits, after Forsbom "
            "(2003); the page of each says why."
        ),
        tables=[Lazy("scoring-cards", title, cards_table)],
        folded=True,
    )


def cards_table() -> Table:
    """Return a row for each metric with a card, which leads to its reasons."""
    cards = all_cards()
    columns = (
        Column("metric"),
        *(
            Column(key, str(question).partition(":")[0], "text", question)
            for key, question in QUESTIONS.items()
        ),
        Column("reads", _("Reads in addition to the outputs"), "text"),
    )
    rows = [
        (
            name,
            *(str(answer.words) for _key, _question, answer in card.answers),
            ", ".join(catalog.needs_words(SCORERS[slug])) or _("nothing"),
        )
        for slug, name, card in cards
    ]
    links = {
        (row, "metric"): reverse("metric-page", args=[slug]) + "#card"
        for row, (slug, _name, _card) in enumerate(cards)
    }
    return Table("scoring-cards", _("What each metric is for"), columns, rows, links=links)


def with_tables(html: str) -> str:
    """Return the guide's tables in boxes that scroll by themselves and can be reached by the
    keyboard."""
    box = f'<div class="scroll" tabindex="0" role="region" aria-label="{_("Table")}">'
    boxed = html.replace("<table>", f'{box}<table class="data-table">')
    return mark_safe(boxed.replace("</table>", "</table></div>"))  # noqa: S308 as safe as it came


def for_site(text: str) -> str:
    """Return a page of the guide without its title, which the site's page has, its links leading to
    the site's pages; a page that the site does not have stays as a word."""

    def link(match: re.Match) -> str:
        words, page = match[1], match[2]
        if page in SCORERS:
            return f"[{words}]({reverse('metric-page', args=[page])})"
        return words

    return GUIDE_LINK.sub(link, TITLE.sub("", text))
