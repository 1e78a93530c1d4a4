"""Browsers for the benchmarks that serve a site: one connection each, cookies, and a cache."""

import asyncio
import re
import time
from collections.abc import Callable
from typing import NamedTuple
from urllib.parse import urlencode

PATIENCE = 20.0  # seconds, PATIENCE_MS of static/js/judging/queue.js
ASSET = re.compile(r'(?:src|href)="(/static/[^"]+)"')


class Offline(Exception):
    """No answer arrived: the connection was refused, cut or silent for too long."""


class Answer(NamedTuple):
    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def text(self) -> str:
        return self.body.decode()


class Browser:
    """One keep-alive connection to (host, port), with cookies and a cache of static files.

    watch(kind, seconds, status): called after every request; status 0 if no answer arrived.
    """

    def __init__(
        self,
        host: str,
        port: int,
        cookies: dict[str, str],
        watch: Callable[[str, float, int], None] = lambda kind, seconds, status: None,
    ) -> None:
        self.host, self.port = host, port
        self.cookies = dict(cookies)
        self.watch = watch
        self.cached: set[str] = set()
        self.turn = asyncio.Lock()  # one request at a time
        self.streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def get(self, path: str, kind: str, headers: dict[str, str] | None = None) -> Answer:
        return await self.request("GET", path, kind, headers or {}, b"")

    async def post(
        self, path: str, kind: str, fields: dict | str, headers: dict[str, str] | None = None
    ) -> Answer:
        body = (fields if isinstance(fields, str) else urlencode(fields)).encode()
        token = self.cookies.get("csrftoken", "")
        sent = {
            "Content-Type": "application/x-www-form-urlencoded;charset=UTF-8",
            "Origin": f"http://{self.host}:{self.port}",
            "X-CSRFToken": token,
        }
        return await self.request("POST", path, kind, sent | (headers or {}), body)

    async def request(
        self, method: str, path: str, kind: str, headers: dict[str, str], body: bytes
    ) -> Answer:
        """Send one request and return its answer; redirects are not followed. Raise Offline."""
        async with self.turn:
            return await self._timed(method, path, kind, headers, body)

    async def _timed(
        self, method: str, path: str, kind: str, headers: dict[str, str], body: bytes
    ) -> Answer:
        started = time.monotonic()
        status = 0
        try:
            async with asyncio.timeout(PATIENCE):
                answer = await self._exchange(self._head(method, path, headers, body) + body)
            status = answer.status
            return answer
        except (OSError, EOFError, ValueError, TimeoutError) as error:
            self.close()
            raise Offline(f"{type(error).__name__}: {error}") from None
        finally:
            self.watch(kind, time.monotonic() - started, status)

    def _head(self, method: str, path: str, headers: dict[str, str], body: bytes) -> bytes:
        cookies = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        lines = [f"{method} {path} HTTP/1.1", f"Host: {self.host}:{self.port}"]
        lines += [f"Cookie: {cookies}", "Accept-Encoding: gzip"]
        lines += [f"{name}: {value}" for name, value in headers.items()]
        lines += [f"Content-Length: {len(body)}"] if method == "POST" else []
        return ("\r\n".join(lines) + "\r\n\r\n").encode()

    async def _exchange(self, data: bytes) -> Answer:
        """Send the data on a kept-alive connection; once more if it was closed meanwhile, like
        browsers."""
        kept = self.streams is not None
        if self.streams and (self.streams[0].at_eof() or self.streams[1].is_closing()):
            self.close()
            kept = False
        if self.streams is None:
            self.streams = await asyncio.open_connection(self.host, self.port)
        reader, writer = self.streams
        try:
            writer.write(data)
            first = await reader.readline()
        except ConnectionError:
            first = b""
        if not first:
            self.close()
            if kept:
                return await self._exchange(data)
            raise EOFError("closed without an answer")
        return await self._read(first, reader)

    async def _read(self, first: bytes, reader: asyncio.StreamReader) -> Answer:
        status = int(first.split()[1])
        headers: dict[str, str] = {}
        while (line := await reader.readline()) not in (b"\r\n", b""):
            name, _, value = line.decode("latin-1").partition(":")
            name, value = name.strip().lower(), value.strip()
            if name == "set-cookie":
                self._keep(value)
            headers[name] = value
        body = b""
        if "content-length" in headers:
            body = await reader.readexactly(int(headers["content-length"]))
        elif headers.get("transfer-encoding") == "chunked":
            while size := int((await reader.readline()).split(b";")[0], 16):
                body += (await reader.readexactly(size + 2))[:-2]
            await reader.readline()
        elif status not in (204, 304):
            body = await reader.read()
        if headers.get("connection", "").lower() == "close":
            self.close()
        return Answer(status, headers, body)

    def _keep(self, cookie: str) -> None:
        name, _, value = cookie.split(";")[0].partition("=")
        self.cookies[name] = value

    async def assets(self, page: str) -> None:
        """Fetch the page's static files; these names never change, so only once."""
        for path in dict.fromkeys(ASSET.findall(page)):
            if path not in self.cached:
                answer = await self.get(path, "static file")
                if answer.status == 200:
                    self.cached.add(path)

    def close(self) -> None:
        if self.streams:
            self.streams[1].close()
        self.streams = None


class Unexpected(Exception):
    def __init__(self, answer: Answer) -> None:
        self.status = answer.status
        where = answer.headers.get("location", "")
        super().__init__(f"{answer.status} {where}: {answer.body[:200]!r}")


def expect(answer: Answer, status: int) -> None:
    if answer.status != status:
        raise Unexpected(answer)
