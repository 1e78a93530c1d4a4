"""The site answers any input: no server error, no hang, nothing half-written.

`./test` tries a few hundred inputs, the same each time. `make fuzz` tries 10,000 new ones, with
those that schemathesis generates for the API (tests/api/test_schema.py).
"""

import copy
import faulthandler
import os
import random
import signal
from collections import Counter
from urllib.parse import quote_from_bytes

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection, transaction
from django.http import HttpResponse
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from . import addresses
from .files import FILES
from .forms import Form, forms_of
from .permissions import TABLE
from .test_permissions import FORM, KEPT_OF_REFUSED, Undo, writes
from .world import World

pytestmark = [pytest.mark.django_db, pytest.mark.proof]
N_INPUTS = int(os.environ.get("FUZZ_INPUTS", "600"))
# No request takes this long, even on a busy machine.
HANGS_AFTER_SECONDS = 60

ADVERSARIAL = [
    *("", " ", "\0", "a\0b", "-1", "0", "9" * 30, "1e400", "nan", "-inf", "0x10", "٣", "½", "１"),
    *(
        "\ud800",
        "\u202e",
        "e\u0301" * 500,
        "👩‍👩‍👧",
        "x" * 70_000,
        "\r\n" * 3000,
        "%00",
        "%s",
        "{}",
    ),
    *("<script>alert(1)</script>", "'; DROP TABLE x; --", "{{ 7*7 }}", "../../etc/passwd"),
    *("- " * 1000, "<a " * 3000, "[" * 3000, "*" * 3000, "> " * 1000, "`" * 3000, "=1+1"),
    *("[" * 3000 + "1" + "]" * 3000, '{"a":' * 900, "[1, 2", "null", '{"": NaN}', "2026-02-30"),
]
WORDS = st.one_of(
    st.sampled_from(ADVERSARIAL),
    st.text(max_size=30),
    st.integers().map(str),
    st.floats().map(str),
)
# Parameters of results, in addition to those in forms.
ASKED = (
    *("domain", "system", "document", "annotator", "kind", "language", "words", "days", "without"),
    *("page", "sort", "dimension", "method", "unit", "by", "test", "adjust", "metric", "campaign"),
    *("limit", "offset", "format", "preset", "q", "next", "seed", "low", "high", "confidence"),
)


def bounds(share: float, n_cases: int = 1) -> settings:
    """Return the settings for one of `n_cases` that share a part of all inputs."""
    return settings(
        max_examples=max(3, round(share * N_INPUTS / n_cases)),
        deadline=None,
        derandomize="FUZZ_INPUTS" not in os.environ,
        database=None,
        suppress_health_check=list(HealthCheck),
    )


@st.composite
def filled(draw, form: Form) -> list[tuple[str, str]]:
    """Return what a browser sends from a form, with some fields changed, left out or sent twice."""
    pairs = []
    for each in form.fields:
        if each.kind == "file":
            continue
        choice = draw(st.integers(0, 9))
        if choice < 5 and (each.options or each.value):
            pairs.append((each.name, draw(st.sampled_from([each.value, *each.options]))))
        elif choice < 9:
            pairs.append((each.name, draw(WORDS)))
        if choice == 8:
            pairs.append((each.name, draw(WORDS)))
    return pairs


def encoded(pairs: list[tuple[str, str]]) -> str:
    return "&".join(
        f"{quote_from_bytes(as_bytes(key))}={quote_from_bytes(as_bytes(value))}"
        for key, value in pairs
    )


def as_bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


def changed(content: bytes, seed: int) -> bytes:
    """Return a file with some bytes or lines cut, doubled, swapped or replaced."""
    rng = random.Random(seed)
    content = bytearray(content)
    for _ in range(rng.randint(0, 4)):
        at = rng.randrange(len(content) + 1)
        piece = bytes(content[at : at + rng.randint(1, 40)])
        new = as_bytes(rng.choice(ADVERSARIAL))[:400]
        with_ = rng.choice([b"", piece * 2, b"\t", b"\n", b",", b'"', b"\xff\xfe", b"\0", new])
        content[at : at + len(piece)] = with_
    return bytes(content)


class Site:
    """Sends generated input, and checks the answer; none of its effects remain."""

    def __init__(self) -> None:
        self.world = World()
        self.clients = self.world.clients()
        self.cookies = {role: copy.deepcopy(each.cookies) for role, each in self.clients.items()}
        self.answers: Counter[int] = Counter()

    def send(self, role: str, address: str, method: str = "GET", **request) -> HttpResponse:
        client = self.clients[role]
        client.cookies = copy.deepcopy(self.cookies[role])
        faulthandler.dump_traceback_later(HANGS_AFTER_SECONDS)
        signal.alarm(HANGS_AFTER_SECONDS + 1)
        try:
            with transaction.atomic(), writes() as written:
                if "files" in request:
                    response = client.post(address, request["files"])
                elif method == "GET":
                    query = request["query"]
                    response = client.generic("GET", address, QUERY_STRING=query)
                else:
                    response = client.generic(method, address, request["body"], FORM)
                if response.streaming:
                    b"".join(response.streaming_content)
                # Work postponed to the end of the transaction would fail now.
                connection.check_constraints()
                tables = written.tables
                raise Undo
        except Undo:
            self.judge(response, tables, address, request)
            return response
        finally:
            signal.alarm(0)
            faulthandler.cancel_dump_traceback_later()

    def judge(self, response: HttpResponse, written: set[str], address: str, request) -> None:
        self.answers[response.status_code] += 1
        assert response.status_code < 500, (address, response.status_code, request)
        if response.status_code >= 400:
            assert written <= KEPT_OF_REFUSED, (address, written, request)


@pytest.fixture
def site(db) -> Site:
    return Site()


def fuzz_form(site: Site, form: Form, runs: settings) -> None:
    @runs
    @given(pairs=filled(form))
    def try_one(pairs):
        site.send(form.role, form.address, "POST", body=encoded(pairs))

    try_one()


def fuzz_address(site: Site, role: str, address: str, runs: settings) -> None:
    @runs
    @given(pairs=st.lists(st.tuples(st.sampled_from(ASKED), WORDS), max_size=4))
    def try_one(pairs):
        site.send(role, address, query=encoded(pairs)[:4000])

    try_one()


def fuzz_files(site: Site, form: Form, runs: settings) -> None:
    names = [each.name for each in form.fields if each.kind == "file"]

    @runs
    @given(
        pairs=filled(form),
        file=st.sampled_from(FILES[form.name]),
        ending=st.sampled_from([None] * 8 + ["txt", "tsv", "csv", "json", "jsonl", "zip", "gz"]),
        seed=st.integers(0, 10**9),
    )
    def try_one(pairs, file, ending, seed):
        name = file.name if ending is None else f"{file.name.partition('.')[0]}.{ending}"
        sent = {key: value.encode("utf-8", "replace").decode() for key, value in pairs}
        if seed % 3 == 0:  # as a browser sends the form, so that the file is read
            sent = {e.name: e.value for e in form.fields if e.kind not in {"file", "checkbox"}}
            sent |= file.fields
        for field in names:
            if field == file.field or seed % 7 == 0:
                sent[field] = SimpleUploadedFile(name, changed(file.content, seed))
        site.send(form.role, form.address, "POST", files=sent)

    try_one()


def test_forms(site):
    forms = forms_of(site.world, site.clients)
    forms = [each for each in forms if each.method == "POST" and not each.takes_files]
    assert len(forms) > 40
    for form in forms:
        fuzz_form(site, form, bounds(0.45, len(forms)))
    assert site.answers[302] and site.answers[422], site.answers


def test_addresses(site):
    names = [name for name, named in TABLE.items() if "GET" in named]
    for name in names:
        role = "annotator" if name.startswith("judge") else "owner"
        address = addresses.address(name, site.world).partition("?")[0]
        fuzz_address(site, role, address, bounds(0.3, len(names)))
    assert site.answers[200] > 50


def test_files(site):
    forms = [each for each in forms_of(site.world, site.clients) if each.takes_files]
    assert {form.name for form in forms} == set(FILES)
    for form in forms:
        fuzz_files(site, form, bounds(0.25, len(forms)))
    assert site.answers[302] and site.answers[422], site.answers
