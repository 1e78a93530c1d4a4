"""A page of a project: sections as on pages of one campaign, and at most a few choices."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from django.utils.functional import Promise

from judgments.web.extension_points import registered
from judgments.web.sections import Lazy, Section
from judgments.web.tables import Table

from .figures import ProjectResults


@dataclass(frozen=True)
class PageChoice:
    """What a reader may choose: the parameter of the address, its label, values and their words.
    The first is what the page opens with."""

    name: str
    label: str | Promise
    options: Mapping[str, str]


def _none(results: ProjectResults) -> Sequence[PageChoice]:
    return ()


@dataclass(frozen=True)
class ProjectPage:
    """``sections``: all there are, cheaply, of what was chosen. ``choices``: what can be.
    ``address``: the name of an address of its own, where the page is no list of sections.
    ``is_reported``: whether the report of the project has it."""

    slug: str
    name: str | Promise
    sections: Callable[[ProjectResults, Mapping[str, str]], Sequence[Section]]
    choices: Callable[[ProjectResults], Sequence[PageChoice]] = _none
    address: str = ""
    is_reported: bool = True


def no_sections(results: ProjectResults, asked: Mapping[str, str]) -> Sequence[Section]:
    return ()


def project_pages() -> list[ProjectPage]:
    """Return the pages that apps name in their configurations; the first is the project's own
    address."""
    return registered("project_pages")


def asked_of(
    page: ProjectPage, results: ProjectResults, query: Mapping[str, str]
) -> tuple[list[PageChoice], dict[str, str], list[Section]]:
    """Return what can be chosen on a page, what is, and its sections. ValueError as `chosen`."""
    choices = [each for each in page.choices(results) if each.options]
    found = chosen(choices, query)
    return choices, found, list(page.sections(results, found))


def tables_of(results: ProjectResults) -> Iterator[tuple[ProjectPage, Lazy[Table]]]:
    """Yield all tables of all pages as these open; none of them is made."""
    for page in project_pages():
        for section in asked_of(page, results, {})[2]:
            yield from ((page, each) for each in section.files if section.exists())


def chosen(choices: Sequence[PageChoice], query: Mapping[str, str]) -> dict[str, str]:
    """Return the value of every choice. ValueError, in words, for a parameter or a value that there
    is not."""
    known = {choice.name: choice for choice in choices}
    for key, value in query.items():
        if key not in known:
            raise ValueError(f"This page has no parameter “{key}”.")
        if value not in known[key].options:
            raise ValueError(f"“{value}” is not a {known[key].label} of this page.")
    first = {name: next(iter(choice.options), "") for name, choice in known.items()}
    return first | {key: query[key] for key in query}
