"""Which static files are collected, how they are put together, and how they are named."""

import posixpath
import re
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from django.contrib.staticfiles.finders import AppDirectoriesFinder
from django.core.files.base import ContentFile
from django.core.files.storage import InMemoryStorage
from whitenoise.storage import CompressedManifestStaticFilesStorage

SHEET_IMPORT = re.compile(r'^@import url\("([^"]+)"\);$', re.M)
MODULE_IMPORT = re.compile(r'^import (?:(\{[^}]*\}) from )?"(\.[^"]+)";$', re.M)
EXPORT = re.compile(r"^export (\{[\w\s,]*\});$", re.M)
NOT_UNDERSTOOD = re.compile(r"^(?:@import|import|export)\b.*|^const \{.* as .*", re.M)


class AppFilesFinder(AppDirectoriesFinder):
    """Extensions of htmx stay out: no page uses them, and one imports a file that is not there."""

    def list(self, ignore_patterns: Iterable[str] | None) -> Iterable[Any]:
        return super().list([*(ignore_patterns or ()), "django_htmx/ext/*"])


class JoinedManifestStaticFilesStorage(CompressedManifestStaticFilesStorage):
    """A style sheet or a module that imports others is collected with all of them in one file, so
    that a page asks for few. The sources stay as they are, and browsers can run them, too.

    A module that two files import is in both, and is run twice where a page has both.
    """

    def post_process(
        self, paths: dict[str, tuple[Any, str]], dry_run: bool = False, **options: Any
    ) -> Iterator[tuple[str, str | None, bool | Exception]]:
        joined = InMemoryStorage()

        def read(path: str) -> str:
            storage, name = paths[path]
            with storage.open(name) as file:
                return file.read().decode()

        for path in paths:
            text = joined_file(path, read)
            if text is not None:
                joined.save(path, ContentFile(text.encode()))
        replaced = {path: (joined, path) for path in paths if joined.exists(path)}
        yield from super().post_process({**paths, **replaced}, dry_run, **options)


def joined_file(path: str, read: Callable[[str], str]) -> str | None:
    """Return the style sheet or module with what it imports; None if it imports nothing. `read`
    gives the text of a path. Raise ValueError when imports go in a circle or are written as
    nobody here writes them."""
    if path.endswith(".css") and SHEET_IMPORT.search(read(path)):
        return joined_sheet(path, read)
    if path.endswith(".js") and MODULE_IMPORT.search(read(path)):
        return joined_module(path, read)
    return None


def joined_sheet(path: str, read: Callable[[str], str]) -> str:
    return SHEET_IMPORT.sub(lambda found: joined_sheet(beside(path, found[1]), read), read(path))


def joined_module(path: str, read: Callable[[str], str]) -> str:
    """Return each module becomes a function that is called once and returns what the module
    exports, those that are imported first."""
    names: dict[str, str] = {}
    parts: list[str] = []

    def add(module: str, importers: tuple[str, ...]) -> str:
        """Return the name of the module's exports."""
        if module in importers:
            raise ValueError(f"{module} imports itself, by {', '.join(importers)}.")
        if module not in names:
            code = MODULE_IMPORT.sub(lambda found: taken(module, found, importers), read(module))
            code = EXPORT.sub(r"return \1;", code)
            if left := NOT_UNDERSTOOD.search(code):
                raise ValueError(f"{module}: {left[0]!r} cannot be put together with others.")
            names[module] = f"module_{len(names) + 1}"
            parts.append(f"const {names[module]} = (() => {{\n{code}}})();\n")
        return names[module]

    def taken(module: str, found: re.Match, importers: tuple[str, ...]) -> str:
        name = add(beside(module, found[2]), (*importers, module))
        return f"const {found[1]} = {name};" if found[1] else ""

    add(path, ())
    return "".join(parts)


def beside(path: str, relative: str) -> str:
    return posixpath.normpath(posixpath.join(posixpath.dirname(path), relative))
