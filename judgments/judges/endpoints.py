"""Chat completions of an endpoint that the operator lists: one request, and what its answer means.

Any server with the interface of OpenAI's `/v1/chat/completions` will do: vLLM, llama.cpp, Ollama,
or a hosted one. The key is sent in a header and to that address alone; no message has it.
"""

from __future__ import annotations

import contextlib
import http.client
import json
import socket
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from time import monotonic
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings

SECONDS = 120  # for one answer
CONNECT_SECONDS = 10
MOST_BYTES = 2_000_000
LONGEST_DETAIL = 300
LONGEST_TEXT = 200_000  # characters of an answer that are kept
CUT_OFF = "length"
KINDS = ("prompt", "completion")  # of tokens
FOR_ALL = (401, 402, 403, 404)
Message = Mapping[str, str]


class EndpointBusy(Exception):
    """It may answer later. seconds: when it asks to be asked again; 0 where it does not say.
    tokens_in, tokens_out: what it says that an answer took which cannot be used."""

    def __init__(
        self, words: str, seconds: float = 0.0, tokens_in: int = 0, tokens_out: int = 0
    ) -> None:
        super().__init__(words)
        self.seconds, self.tokens_in, self.tokens_out = seconds, tokens_in, tokens_out


class EndpointRefused(Exception):
    """A request is refused. is_for_all: any other would be, too, as with a wrong key or model."""

    def __init__(self, words: str, *, is_for_all: bool = True) -> None:
        super().__init__(words)
        self.is_for_all = is_for_all


@dataclass(frozen=True)
class Reply:
    """An answer with what it took. finish: "stop", or "length" where it was cut off."""

    text: str
    finish: str
    tokens_in: int
    tokens_out: int
    milliseconds: int
    model: str


def names() -> list[str]:
    return sorted(settings.JUDGE_ENDPOINTS)


class Caller:
    """Sends requests to one endpoint from several threads, and can drop them all."""

    def __init__(self, name: str, seconds: float = SECONDS) -> None:
        """Raise EndpointRefused for a name that the operator does not list."""
        if name not in settings.JUDGE_ENDPOINTS:
            raise EndpointRefused(
                f"The operator of this site does not list the endpoint {name} (JUDGE_ENDPOINTS)."
            )
        self.name, self.seconds = name, seconds
        self.address = urlsplit(settings.JUDGE_ENDPOINTS[name])
        self.key = settings.JUDGE_KEYS.get(name, "")
        self.open: set[http.client.HTTPConnection] = set()
        self.lock = threading.Lock()
        self.is_closed = False
        # Not every endpoint knows JSON Schema; one that refuses it is asked without.
        self.takes_schema = True

    def close(self) -> None:
        """Drop what is on its way: requests in other threads end at once."""
        with self.lock:
            self.is_closed = True
            connections = list(self.open)
        for each in connections:
            if each.sock is not None:
                with contextlib.suppress(OSError):  # it has ended by itself
                    each.sock.shutdown(socket.SHUT_RDWR)

    def ask(
        self,
        model: str,
        messages: Sequence[Message],
        *,
        schema: Mapping[str, Any] | None,
        most_tokens: int,
        temperature: float,
        seed: int | None,
    ) -> Reply:
        """Raise EndpointBusy and EndpointRefused."""
        body: dict[str, Any] = {
            "model": model, "messages": list(messages), "temperature": temperature,
            "max_tokens": most_tokens,
        }  # fmt: skip
        if seed is not None:
            body["seed"] = seed
        if schema is None or not self.takes_schema:
            return self.post(body)
        shape = {"name": "answer", "strict": True, "schema": schema}
        try:
            return self.post(
                body | {"response_format": {"type": "json_schema", "json_schema": shape}}
            )
        except EndpointRefused as problem:
            if "response_format" not in str(problem) and "schema" not in str(problem):
                raise
            self.takes_schema = False
            return self.post(body)

    def post(self, body: Mapping[str, Any]) -> Reply:
        kind = http.client.HTTPSConnection
        if self.address.scheme == "http":
            kind = http.client.HTTPConnection  # type: ignore[assignment]
        host, port = self.address.hostname or "", self.address.port
        connection = kind(host, port, timeout=CONNECT_SECONDS)
        headers = {"Content-Type": "application/json", "User-Agent": "mteval"}
        if self.key:
            headers["Authorization"] = f"Bearer {self.key}"
        started = monotonic()
        try:
            path = f"{self.address.path}/chat/completions"
            connection.connect()
            with self.lock:  # from here on `close` can end it
                if self.is_closed:
                    raise EndpointBusy("The request was dropped.")
                self.open.add(connection)
            connection.sock.settimeout(self.seconds)
            connection.request("POST", path, json.dumps(body).encode(), headers)
            answer = connection.getresponse()
            text = self.read(answer, started + self.seconds)
        except (OSError, http.client.HTTPException) as error:
            raise EndpointBusy(f"{self.name} cannot be reached: {error or 'no answer'}") from None
        finally:
            with self.lock:
                self.open.discard(connection)
            connection.close()
        took = round(1000 * (monotonic() - started))
        if answer.status != 200:
            self.refuse(answer.status, text, answer.headers.get("Retry-After", ""))
        return reply_of(text, took)

    def read(self, answer: http.client.HTTPResponse, until: float) -> bytes:
        """Return the body, or its beginning. Raise OSError where it comes too slowly."""
        parts: list[bytes] = []
        size = 0
        while size <= MOST_BYTES and (part := answer.read1(65_536)):
            parts.append(part)
            size += len(part)
            if monotonic() > until:
                raise OSError("the answer takes too long")
        return b"".join(parts)

    def refuse(self, status: int, text: bytes, retry_after: str) -> None:
        """Raise EndpointBusy and EndpointRefused."""
        words = f"{self.name} answered with {status}: {self.detail_of(text)}."
        if status in (408, 409, 425, 429) or status >= 500:
            seconds = float(retry_after) if retry_after.isdecimal() else 0.0
            raise EndpointBusy(words, min(seconds, 300.0))
        raise EndpointRefused(words, is_for_all=status in FOR_ALL)

    def detail_of(self, text: bytes) -> str:
        """Return what an answer gives as its reason: {"error": {"message": …}}, or its first
        words."""
        try:
            found = json.loads(text)["error"]
            detail = found["message"] if isinstance(found, dict) else found
        except (ValueError, RecursionError, LookupError, TypeError):
            detail = text.decode(errors="replace")
        words = " ".join(storable(detail).split()).rstrip(".") or "it gives no reason"
        return (words.replace(self.key, "…") if self.key else words)[:LONGEST_DETAIL]


def storable(value: Any) -> str:
    """Return a text as PostgreSQL can keep it: no zero bytes, no half characters."""
    return str(value).replace("\0", "").encode("utf-8", "replace").decode()


def reply_of(text: bytes, milliseconds: int) -> Reply:
    """Raise EndpointBusy for what is no chat completion: it may be another the next time."""
    if len(text) > MOST_BYTES:
        raise EndpointBusy("The answer is too long.")
    tokens_in = tokens_out = 0
    try:
        answer = json.loads(text)
        usage = answer.get("usage") or {}
        tokens_in, tokens_out = (count(usage.get(f"{kind}_tokens")) for kind in KINDS)
        choice = answer["choices"][0]
        said = choice["message"].get("content") or ""
        return Reply(
            storable(said)[:LONGEST_TEXT],
            str(choice.get("finish_reason") or "stop"),
            tokens_in,
            tokens_out,
            milliseconds,
            storable(answer.get("model") or "")[:200],
        )
    except (ValueError, RecursionError, LookupError, TypeError, AttributeError):
        words = "The answer is not a chat completion."
        raise EndpointBusy(words, tokens_in=tokens_in, tokens_out=tokens_out) from None


def count(value: Any) -> int:
    """Return a number of tokens as an endpoint tells it; 0 for what cannot be one."""
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return int(value) if is_number and 0 <= value < 2**31 else 0
