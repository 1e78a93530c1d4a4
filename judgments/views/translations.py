"""For translators: the catalogs of the annotators' pages, and every text on its screen."""

from csp.constants import HEADER, NONE, SELF
from csp.utils import build_policy
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import FileResponse, Http404, HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.views.decorators.cache import never_cache
from django.views.decorators.clickjacking import xframe_options_sameorigin
from django.views.decorators.http import require_GET

from judgments import access
from judgments.forms.translations import CatalogForm
from judgments.models.corpus import direction
from judgments.translations.catalogs import counts, languages, path_of, texts_of
from judgments.translations.screens import drawn, screens, where_shown
from judgments.translations.words import how_shown, texts_beside

TEXTS_ON_A_PAGE = 50
# A screen stands in a frame of ours, and its forms go nowhere.
POLICY = build_policy(replace={"frame-ancestors": [SELF], "form-action": [NONE]})


@login_required
@require_GET
def catalogs(request):
    """The languages, and how far each is translated."""
    access.require_translator(request.user)
    rows = [(code, name, counts(texts_of(code))) for code, name in languages()]
    return render(request, "judgments/translations/catalogs.html", {"rows": rows})


def named_language(user, code: str) -> dict:
    """What the pages of a language read. Http404 where there is no such catalog."""
    access.require_translator(user)
    names = dict(languages())
    if code not in names:
        raise Http404("There is no catalog of that language.")
    return {"code": code, "language": names[code], "direction": direction(code)}


@login_required
@require_GET
def catalog(request, language):
    """The texts of a language with their states, and where each is shown."""
    context = named_language(request.user, language)
    texts, shown = texts_of(language), where_shown(request)
    form = CatalogForm(request.GET)
    found = Paginator(form.listed(texts, shown), TEXTS_ON_A_PAGE).get_page(request.GET.get("page"))
    query = request.GET.copy()
    query.pop("page", None)
    context |= {
        "form": form,
        "counts": counts(texts),
        "n_texts": len(texts),
        "n_shown": sum(key in shown for key in texts),
        "page": found,
        "query": query.urlencode(),
        "rows": [(text, len(shown.get(text.key, ()))) for text in found],
    }
    return render(request, "judgments/translations/catalog.html", context)


@login_required
@require_GET
def catalog_file(request, language):
    """The file that translators work on."""
    context = named_language(request.user, language)
    path = path_of(context["code"])
    return FileResponse(path.open("rb"), as_attachment=True, filename=f"mteval-{language}.po")


@login_required
@require_GET
def text(request, language, text_key):
    """One text, its translation, and its screens, one of them beside it."""
    context = named_language(request.user, language)
    texts = texts_of(language)
    found = texts.get(text_key)
    if found is None:
        raise Http404("There is no such text.")
    keys = list(texts)
    place = keys.index(text_key)
    shown = where_shown(request).get(text_key, {})
    chosen = request.GET.get("screen") or next(iter(shown), None)
    context |= {
        "text": found,
        "number": place + 1,
        "n_texts": len(keys),
        "previous": keys[place - 1] if place else None,
        "next": keys[place + 1] if place + 1 < len(keys) else None,
        "shown": [(screens()[slug], how_shown(ways)) for slug, ways in shown.items()],
        "chosen": screens()[chosen] if chosen in shown else None,
        "beside": texts_beside(found, texts),
    }
    return render(request, "judgments/translations/text.html", context)


@never_cache
@xframe_options_sameorigin
@login_required
@require_GET
def screen(request, language, text_key, screen):
    """A screen in that language, the text lit up. It can be looked at, and sends nothing."""
    named_language(request.user, language)
    found = screens().get(screen)
    if found is None or text_key not in texts_of(language):
        raise Http404("There is no such text or screen.")
    html = drawn(request, found, language, text_key).html
    head = render_to_string("judgments/translations/_lit_head.html")
    page = html.replace("</head>", f"{head}</head>", 1)
    return HttpResponse(page, headers={HEADER: POLICY})
