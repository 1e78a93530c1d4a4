"""Views that are imported with the first request for them.

Pages of results need the analysis, and the analysis needs SciPy; pages of judging need neither. A
URLconf imports the latter at the start and names the former:

    results = LazyViews("judgments.results.views")
    path("…/agreement/", results.agreement, name="agreement")
"""

import importlib
import threading
from collections.abc import Callable
from functools import cached_property
from typing import Any

from django.http import HttpRequest, HttpResponseBase

# One import at a time: two threads importing modules that import each other could see incomplete
# ones.
_importing = threading.RLock()


class LazyViews:
    """The views of a module, by their names."""

    def __init__(self, module: str) -> None:
        self._module = module

    def __getattr__(self, name: str) -> Callable[..., HttpResponseBase]:
        return LazyView(self._module, name)


class LazyView:
    """A proxy of a view; attributes that Django reads (`csrf_exempt`, `cls`) are those of the
    view."""

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
        # Django reads `view_class` of every view when it loads the URLconf; ours are functions.
        if name == "view_class" or name.startswith("__"):
            raise AttributeError(name)
        return getattr(self.view, name)
