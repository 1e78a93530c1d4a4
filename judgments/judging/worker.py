"""The service worker: it keeps judging pages and the start page of a browser usable without the
site."""

import functools
import hashlib
import json
from pathlib import Path

from django.conf import settings
from django.contrib.staticfiles import finders
from django.contrib.staticfiles.storage import staticfiles_storage
from django.http import HttpResponse
from django.urls import reverse
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe

GIVEN_UP = """// This site holds nothing in browsers: what an earlier worker kept is cleared.
self.addEventListener("install", () => self.skipWaiting());
self.addEventListener("activate", (event) => {
  const clear = async () => {
    for (const name of await caches.keys())
      if (name.startsWith("mteval-")) await caches.delete(name);
    await self.registration.unregister();
  };
  event.waitUntil(clear());
});
"""


@require_safe
@cache_control(no_cache=True)
def worker(request):
    """Return the script of the worker, which is nobody's: it holds no text and no name."""
    text = script(reverse("home").rstrip("/")) if settings.HOLDS_WORK else GIVEN_UP
    response = HttpResponse(text, content_type="text/javascript; charset=utf-8")
    response["Service-Worker-Allowed"] = reverse("home")
    return response


@functools.cache
def script(own: str) -> str:
    """Return the worker with its version, a hash of itself and of all static files: with other
    files there is another worker. own: the path below which the site is."""
    path = finders.find("js/judging/worker.js")
    text = Path(str(path)).read_text(encoding="utf-8")
    version = hashlib.sha256(text.encode())
    for name in sorted(getattr(staticfiles_storage, "hashed_files", {}).items()):
        version.update(repr(name).encode())
    head = (
        f"const VERSION = {json.dumps(version.hexdigest()[:12])};\nconst OWN = {json.dumps(own)};\n"
    )
    return head + text
