"""Check of the names in an address: an unknown parameter or name is refused, never ignored."""

from __future__ import annotations

from collections.abc import Iterable

from django.http import QueryDict
from django.utils.translation import gettext as _

from judgments.models import Kind
from judgments.web.extension_points import registered

from .filters import ADJUDICATED, DAYS, LISTS, NUMBERS
from .only_errors import KEYS
from .selection import ANNOTATORS, WITH_METRIC, Selection

OF_FILTERS = (*LISTS.values(), *NUMBERS, *DAYS, ADJUDICATED)
PARAMETERS = ("annotators", "without", *OF_FILTERS, "weights", *KEYS, WITH_METRIC)
MOST_LISTED = 40


def check_parameters(query: QueryDict, more: Iterable[str] = ()) -> None:
    """Raise ValueError, with a message, for a parameter that belongs neither to a selection nor to
    ``more``."""
    known = [*PARAMETERS, *more]
    for key in query:
        _check(_("parameter"), key, known)


def check_names(selection: Selection, query: QueryDict) -> None:
    """Raise ValueError, with a message, for a name that does not exist in the selection's campaign
    or its test set. Uses a statement for each kind of name in the query; none for the usual
    address."""
    for key in query:
        asked = [value for value in query.getlist(key) if value]
        known = known_names(selection, key) if asked else None
        if known is not None:
            for value in asked:
                _check(key, value, sorted(known))


def known_names(selection: Selection, key: str) -> Iterable[str] | None:
    """Return the possible values of a parameter; None if its values are not names."""
    if key in ("annotator", "without"):
        return [alias for _user, alias in selection.members]
    if key == "annotators":
        return ANNOTATORS
    if key == "kind":
        return Kind.values
    if key == "wave":
        return [str(wave) for wave in selection.waves]
    test_set = selection.campaign.test_set
    if key == WITH_METRIC:
        return [each.slug for make in registered("segment_scores") for each in make(test_set)]
    named = {
        "system": (test_set.systems, "name"),
        "system_kind": (test_set.systems, "facts__kind"),
        "document": (test_set.documents, "name"),
        "domain": (test_set.documents, "domain"),
        "original_language": (test_set.documents, "original_language"),
    }
    if key not in named:
        return None
    rows, field = named[key]
    return {name for name in rows.order_by().values_list(field, flat=True) if name}


def _check(what: str, name: str, known: list[str]) -> None:
    if name in known:
        return
    listed = ", ".join(known[:MOST_LISTED]) or _("none")
    if len(known) > MOST_LISTED:
        listed += _(" and %(n)d more") % {"n": len(known) - MOST_LISTED}
    raise ValueError(
        _("There is no %(what)s %(name)s here. Known: %(known)s.")
        % {"what": what, "name": repr(name[:80]), "known": listed}
    )
