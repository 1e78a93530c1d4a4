"""The key with which this site signs its releases."""

from django.http import HttpResponse
from django.views.decorators.http import require_GET

from judgments.publishing.bundles import signing


@require_GET
def signing_key(request):
    return HttpResponse(signing.key_file(), content_type="text/plain; charset=utf-8")
