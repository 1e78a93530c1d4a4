"""A campaign as a signed file, and the key that signs it."""

import tempfile
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

from django.contrib.auth.decorators import login_required
from django.core.exceptions import BadRequest
from django.http import HttpResponse, StreamingHttpResponse
from django.utils.text import slugify
from django.views.decorators.http import require_GET, require_POST

from judgments import access
from judgments.bundles import signing
from judgments.bundles.problem import BundleProblem
from judgments.bundles.release import release
from judgments.heavy import heavy

PIECE = 2**18


@login_required
@require_POST
@heavy
def export_release(request, campaign_id):
    """The release of a campaign. All of it is computed for it, whatever is selected."""
    campaign = access.managed_campaign(request.user, campaign_id)
    with ExitStack() as made:
        folder = made.enter_context(tempfile.TemporaryDirectory(prefix="mteval-release-"))
        file = Path(folder, "release.zip")
        try:
            release(campaign, file, hashes_only="hashes_only" in request.POST)
        except BundleProblem as problem:
            raise BadRequest(str(problem)) from None
        size = file.stat().st_size
        kept = made.pop_all()  # until the last piece was taken
    response = StreamingHttpResponse(_pieces(file, kept), content_type="application/zip")
    name = slugify(campaign.name) or f"campaign-{campaign.pk}"
    response["Content-Disposition"] = f'attachment; filename="{name}-release.zip"'
    response["Content-Length"] = str(size)
    return response


def _pieces(file: Path, kept: ExitStack) -> Iterator[bytes]:
    with kept, file.open("rb") as stream:
        while piece := stream.read(PIECE):
            yield piece


@require_GET
def signing_key(request):
    return HttpResponse(signing.key_file(), content_type="text/plain; charset=utf-8")
