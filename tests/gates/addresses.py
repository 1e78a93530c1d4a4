"""All URLs of the site, and their arguments."""

from collections.abc import Iterator

from django.urls import URLPattern, URLResolver, get_resolver, reverse

from judgments.results.figure_addresses import address_of_figure
from judgments.results.selection.selection import Selection
from judgments.web import sections

from .world import World


def names() -> Iterator[str]:
    """Yield the names of all URLs except Django's admin. Raise ValueError for one without a
    name."""
    for pattern in patterns(get_resolver()):
        if not pattern.name:
            raise ValueError(f"The address {pattern.pattern} has no name.")
        yield pattern.name


def admin_names() -> Iterator[str]:
    for entry in get_resolver().url_patterns:
        if isinstance(entry, URLResolver) and entry.namespace == "admin":
            yield from {f"admin:{each.name}" for each in patterns(entry, "admin") if each.name}


def converters_of(name: str) -> dict:
    """Return the parameters of a URL, from all its parts."""
    _, _, _, converters = get_resolver().reverse_dict[name]
    return converters


def patterns(resolver: URLResolver, namespace: str | None = None) -> Iterator[URLPattern]:
    for entry in resolver.url_patterns:
        if isinstance(entry, URLPattern):
            yield entry
        elif entry.namespace == namespace or not entry.namespace:
            yield from patterns(entry, namespace)


# The campaign whose protocol has the URL; all others are requested in "rating".
CAMPAIGN_OF = {
    **dict.fromkeys(("suggestions", "errors", "export-errors", "api-errors"), "spans"),
    **dict.fromkeys(("errors-weights", "suggestions-from-program"), "spans"),
    **dict.fromkeys(("edits", "edits-hand-over", "api-edits"), "editing"),
    **dict.fromkeys(("answers", "answers-decide", "api-answers"), "questions"),
    **dict.fromkeys(("grading", "grading-question", "questions"), "questions"),
    **dict.fromkeys(("questions-import", "question-new", "question-edit"), "questions"),
    "question-delete": "questions",
    **dict.fromkeys(("word-links", "proposed-links", "api-links"), "links"),
    **dict.fromkeys(("shown-links", "links-make", "links-progress"), "spans"),
}


def address(name: str, world: World) -> str:
    """Return the URL of that name for an existing object."""
    values = {
        "campaign_id": world.campaigns[CAMPAIGN_OF.get(name, "rating")].pk,
        "test_set_id": world.test_set.pk,
        "job_id": world.job.pk,
        "baseline_job_id": world.baseline_job.pk,
        "question_id": world.question.pk,
        "invitation_id": world.invitation.pk,
        "membership_id": world.mark.membership_id,
        "mark_id": world.mark.pk,
        "token_id": world.token.pk,
        "note_id": world.note.pk,
        "corpus_id": world.corpus.pk,
        "bitext_id": world.bitext.pk,
        "upload_id": world.upload.pk,
        "download_id": world.download.pk,
        "media_id": world.media.pk,
        "segment_id": world.test_set.segments.first().pk,
        "system_id": world.test_set.systems.first().pk,
        "judge_id": world.judge.pk,
        "number": 1,
        "batch": 1,
        "task_id": world.campaigns["rating"].tasks.first().pk,
        "rule_id": world.rule.pk,
        "key": world.clash,
        "part": "annotators",
        "sheet": world.sheet,
        "preset": "adequacy-fluency",
        "page": "scores",
        "purpose": "reading",
        "project": world.project.slug,
        "link_id": world.project_link.pk,
        "member_id": world.project_member.pk,
    } | OF_ADDRESS.get(name, lambda world: {})(world)
    asked = {key: values[key] for key in converters_of(name)}
    return reverse(name, kwargs=asked, query=QUERY.get(name, lambda world: None)(world))


def selection(world: World) -> Selection:
    return Selection.of(world.campaigns["rating"])


# Further parameters that a URL or a form needs.
QUERY = {
    "reference-file": lambda world: {"name": world.test_set.reference_names[0]},
    "post-edits-delete": lambda world: {"name": "Mia"},
    **dict.fromkeys(
        ("compare-campaigns-file", "compare-campaigns-json"),
        lambda world: {"with": world.campaigns["spans"].pk},
    ),
}
FORMS = {"post-edits-delete": {"name": "Mia"}, "links-make": {"purpose": "reading"}}


OF_ADDRESS = {
    "join": lambda world: {"token": world.invitation.token},
    "project-join": lambda world: {"token": world.project_link.token},
    "return": lambda world: {"token": world.second_annotator.memberships.first().token},
    "password-reset-confirm": lambda world: {"uidb64": "MQ", "token": "abc-def"},
    "metric-references-file": lambda world: {"table": "standings"},
    "metric-pairs-file": lambda world: {"table": "pair-figures"},
    **dict.fromkeys(("bitext-file", "metric-phrases-file"), lambda world: {"table": "consistency"}),
    "export-table": lambda world: {"table": next(sections.tables_of(selection(world)))[0].slug},
    "export-errors": lambda world: {"kind": "tsv"},
    **dict.fromkeys(
        (
            *("project-download", "project-download-file"),
            *("project-download-again", "project-download-discard"),
        ),
        lambda world: {"download_id": world.project_download.pk},
    ),
    "api-project-table-file": lambda world: {"name": "project-scores", "kind": "csv"},
    "rehearsal-file": lambda world: {"name": "kinds", "kind": "csv"},
    "project-watch-file": lambda world: {"table": "campaigns"},
    "project-report": lambda world: {"kind": "md"},
    "report-file": lambda world: {"kind": "md"},
    "figure": lambda world: {"code": address_of_figure(selection(world), "scores")[-11:-1]},
    **dict.fromkeys(("export-file", "project-as-file"), lambda world: {"kind": "yaml"}),
    "chart": lambda world: {
        "chart": next(sections.charts_of(selection(world)))[0].slug,
        "kind": "svg",
    },
    "correlation-chart": lambda world: {"name": "metric-systems", "kind": "svg"},
    "campaign-judge-worth-file": lambda world: {"name": "judge-leanings-adequacy"},
    "compare-file": lambda world: {"name": "compared-segments", "kind": "csv"},
    "compare-campaigns-file": lambda world: {"name": "both-costs", "kind": "csv"},
    **dict.fromkeys(("project-page", "project-json"), lambda world: {"page": "systems"}),
    "project-file": lambda world: {"page": "systems", "name": "project-systems", "kind": "csv"},
    "test-set-texts": lambda world: {"test_set_id": world.keys_only.pk},
    "test-set-media": lambda world: {"test_set_id": world.keys_only.pk},
    "metric-page": lambda world: {"slug": "bleu"},
    "guide": lambda world: {"page": "agreement"},
    "docs-page": lambda world: {"place": "guide/agreement.html"},
    "example": lambda world: {"slug": "bleu"},
    "example-case": lambda world: {"slug": "bleu", "case": "saudi"},
    "export-format": lambda world: {"slug": "tsv"},
    "export-texts": lambda world: {"slug": "wmt-xml"},
    "api-table": lambda world: {"name": next(sections.tables_of(selection(world)))[0].slug},
    "api-table-file": lambda world: {"name": "observations", "kind": "csv"},
    **dict.fromkeys(
        ("api-chart", "api-chart-picture"),
        lambda world: {"name": next(sections.charts_of(selection(world)))[0].slug, "kind": "svg"},
    ),
    "api-format": lambda world: {"name": "tsv"},
    **dict.fromkeys(
        (
            *("metric-column", "metric-documents", "metric-delete"),
            *("api-segment-scores", "api-pairs"),
        ),
        lambda world: {"slug": world.column.slug},
    ),
}
