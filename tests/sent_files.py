"""Size of a page and its static files as sent."""

import gzip
import re

from django.conf import settings

from mteval_site.static_files import joined_file


def static_names(page: bytes) -> list[str]:
    """Return the names of the static files that the page requests."""
    return re.findall(r'(?:href|src)="/static/([^"]+)"', page.decode())


def sent_size(page: bytes) -> int:
    """Return the bytes of the page and of its collected static files, compressed."""

    def source(name: str) -> str:
        return (settings.BASE_DIR / "static" / name).read_text(encoding="utf-8")

    files = (joined_file(name, source) or source(name) for name in static_names(page))
    return sum(len(gzip.compress(part)) for part in [page, *map(str.encode, files)])
