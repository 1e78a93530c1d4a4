"""Media of sources as files: bytes that a browser plays or shows, and never runs."""

from django.contrib.auth.decorators import login_required
from django.http import FileResponse, Http404, HttpResponse
from django.views.decorators.http import require_safe
from whitenoise.responders import MissingFileError, StaticFile

from judgments.models import MediaFile
from judgments.people import access
from judgments.test_sets.media.kinds import ENDINGS, VTT
from judgments.test_sets.media.store import path_of

# Opened by itself, a file is shown by the browser's player, without scripts and without an origin.
POLICY = "sandbox; default-src 'none'; media-src 'self'; img-src 'self'; style-src 'unsafe-inline'"
A_DAY = 86_400


class MediaResponse(FileResponse):
    """A response with the headers of `StaticFile`, without guesses from a name."""

    def set_headers(self, filelike):
        pass


@login_required
@require_safe
def media(request, media_id):
    """Return a file, or the part requested by the header Range, so that players can seek."""
    found = access.media_file(request.user, media_id)
    try:
        file = StaticFile(str(path_of(found.sha256)), headers_of(found))
    except (FileNotFoundError, MissingFileError):
        raise Http404("The file is not on this computer.") from None
    except OSError:  # the object store is away, or this disk is full
        return HttpResponse(status=503, headers={"Retry-After": "30"})
    answer = file.get_response(request.method, request.META)
    response: HttpResponse | MediaResponse
    if answer.file is None:
        response = HttpResponse(status=answer.status)
    else:
        response = MediaResponse(answer.file, status=answer.status)
    for name, value in answer.headers:
        response[name] = value
    response["Content-Security-Policy"] = POLICY
    response["X-Content-Type-Options"] = "nosniff"
    return response


def headers_of(found: MediaFile) -> list[tuple[str, str]]:
    """Return the headers; they contain neither the name on the disk nor the uploaded name."""
    kind = f"{VTT}; charset=utf-8" if found.kind == VTT else found.kind
    return [
        ("Content-Type", kind),
        ("Content-Disposition", f'inline; filename="source.{ENDINGS[found.kind][0]}"'),
        ("Cache-Control", f"private, max-age={A_DAY}"),
        ("Accept-Ranges", "bytes"),
        ("ETag", f'"{found.pk}-{found.sha256[:16]}"'),
    ]
