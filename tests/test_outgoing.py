"""docs/guide/outgoing-data.md names every module that opens a connection, and every switch."""

import ast
import re
from pathlib import Path

import pytest
from django.conf import settings

ROOT = Path(settings.BASE_DIR)
PAGE = (ROOT / "docs/guide/outgoing-data.md").read_text(encoding="utf-8")
# By name, with everything in them: a module that imports one can reach another machine.
REACH_OUT = (
    *("http.client", "urllib.request", "urllib3", "requests", "httpx", "aiohttp", "socket", "ssl"),
    *("smtplib", "ftplib", "telnetlib", "xmlrpc", "imaplib", "poplib", "asyncio", "websockets"),
    *(
        "django.core.mail",
        "allauth",
        "huggingface_hub",
        "fsspec",
        "boto3",
        "botocore",
        "storages",
        "paramiko",
    ),
)
# Between processes of one site: its own ports, sockets and database.
INSIDE = ("mteval_site/local/",)


def reaches_out(path: Path) -> bool:
    for node in ast.walk(ast.parse(path.read_text())):
        names = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and not node.level:
            names = [node.module, *(f"{node.module}.{alias.name}" for alias in node.names)]
        if any(name == each or name.startswith(f"{each}.") for name in names for each in REACH_OUT):
            return True
    return False


def modules_that_reach_out() -> set[str]:
    paths = [
        path
        for folder in ("judgments", "metrics", "mteval_site")
        for path in (ROOT / folder).rglob("*.py")
    ]
    names = {path.relative_to(ROOT).as_posix() for path in paths if reaches_out(path)}
    return {name for name in names if not name.startswith(INSIDE)}


def test_every_module_that_reaches_out_is_on_the_page():
    described = set(re.findall(r"`([\w/]+\.py)`", PAGE))
    assert described == modules_that_reach_out()


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("import requests", True),
        ("from urllib import request", True),
        ("def late():\n    import http.client as client", True),
        ("from django.core.mail import EmailMessage", True),
        ("from urllib.parse import urlsplit", False),
        ("from .socket import name", False),
    ],
)
def test_the_reader_of_imports(tmp_path, code, expected):
    path = tmp_path / "module.py"
    path.write_text(code)
    assert reaches_out(path) is expected


def test_nothing_is_switched_on_by_itself():
    """Without any variable set, as on a new site. The page names each of these switches."""
    assert settings.WEBHOOK_HOSTS == []
    assert settings.JUDGE_ENDPOINTS == {}
    assert not settings.PROLIFIC_TOKEN
    assert not settings.OIDC_ISSUER
    for name in ("EMAIL_URL", "WEBHOOK_HOSTS", "JUDGE_ENDPOINTS", "PROLIFIC_TOKEN", "OIDC_ISSUER"):
        assert f"`{name}`" in PAGE, name
