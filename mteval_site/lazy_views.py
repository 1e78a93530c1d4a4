"""Views that are imported with the first request for them.

Pages of results need the analysis, and the analysis needs SciPy; pages of judging need neither. A
table of addresses imports the one kind at the start and names the other:

    results = LazyViews("judgments.results.views")
    path("…/agreement/", results.agreement, name="agreement")
"""

import importlib
import threading
from collections.abc import Callable
from functools import cached_property
from typing import Any

from django.http import HttpRequest, HttpResponseBase

# One import at a time: two threads that meet in modules which import each other could see halves.
_importing = threading.RLock()


class LazyViews:
    """The views of a module, by their names."""

    def __init__(self, module: str) -> None:
        self._module = module

    def __getattr__(self, name: str) -> Callable[..., HttpResponseBase]:
        return LazyView(self._module, name)


class LazyView:
    """Stands for a view; what Django asks of it (`csrf_exempt`, `cls`) is that of the view."""

    def __init__(self, module: str, name: str) -> None:
        self.__module__ = module
        self.__name__ = self.__qualname__ = name

    @cached_property
    def view(self) -> Callable[..., HttpResponseBase]:
        with _importing:
            return getattr(importlib.import_module(self.__module__), self.__name__)

    def __call__(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        return self.view(request, *args, **kwargs)

    def __getattr__(self, name: str) -> Any:
        # Django asks every address for its class when it reads the table; ours are functions.
        if name == "view_class" or name.startswith("__"):
            raise AttributeError(name)
        return getattr(self.view, name)
