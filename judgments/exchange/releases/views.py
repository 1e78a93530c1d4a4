"""What goes out in the field's formats, and what was published beside our own figures."""

from django.contrib.auth.decorators import login_required
from django.core.exceptions import BadRequest
from django.http import FileResponse
from django.utils.text import slugify
from django.views.decorators.http import require_GET

from judgments.exchange.releases import out
from judgments.people import access
from judgments.web.heavy import heavy

PIECE = 2**18  # bytes that are sent at a time


@login_required
@require_GET
@heavy
def export_format(request, campaign_id, slug):
    """Return all current judgments, whatever is selected: these files have no place to say
    otherwise."""
    campaign = access.readable_campaign(request.user, campaign_id)
    return sent(campaign, [campaign], slug)


@login_required
@require_GET
@heavy
def export_texts(request, test_set_id, slug):
    """Return a test set, and the scores of metrics where the format has a place for them."""
    test_set = access.readable_test_set(request.user, test_set_id)
    return sent(test_set, test_set, slug)


def sent(named, what, slug: str) -> FileResponse:
    """Return campaigns or a test set in a format, as a file to save that is called after `named`.
    Raises BadRequest for what has no place there."""
    try:
        name, file = out.packed(what, slug)
    except out.CannotWrite as problem:
        raise BadRequest(str(problem)) from None
    name = f"{slugify(named.name) or f'number-{named.pk}'}-{name}"
    kind = "application/octet-stream"
    response = FileResponse(file, as_attachment=True, filename=name, content_type=kind)
    response.block_size = PIECE
    return response
