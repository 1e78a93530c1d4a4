"""Annotators for the benchmarks that serve a site: they send the same requests as the judging
screen's scripts (static/js/judging/queue.js, rows.js), and record what was acknowledged.

An Annotator claims, opens, thinks and answers; an answer that could not be sent waits with its
ticket, whose key makes it count once, and is sent again until the site says that it is stored.
Meanwhile the annotator works on the rows that were fetched ahead, as in the browser.
"""

import asyncio
import contextlib
import json
import random
import re
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from functools import partial
from urllib.parse import urlencode, urlsplit

from browsers import Browser, Offline, Unexpected, expect

FIRST_PAUSE, LONGEST_PAUSE = 2.0, 60.0  # seconds, queue.js
# ahead.js: the rows of one request; bytes that come without a pause, and at most; seconds between
# later requests, and until a row is old; the places at which old rows are fetched again.
ROWS_AT_ONCE, AT_ONCE, BUDGET, GAP, FRESH, SOON, NEAR = 5, 1_000_000, 2_000_000, 4.0, 600.0, 3, 10
CALM = 0.3
REFUSED = (400, 409)

TICKET = re.compile(r'name="ticket" value="([^"]+)"')
ROW = re.compile(r'data-number="(\d+)" data-action="([^"]+)"[^>]*data-judged="(1?)"')
RADIO = re.compile(r'<input type="radio"[^>]*?name="([^"]+)"[^>]*?value="([^"]+)"')
N_ITEMS = re.compile(r'<progress[^>]*max="(\d+)"')


@dataclass
class Sent:
    """One answer: its sealed ticket, the values of its fields, and its outcome.

    at: when it was given; acknowledged: when the site confirmed that it is stored (None: never).
    refused: the reason why the site rejects it.
    """

    action: str
    ticket: str
    values: dict[str, str]
    body: str
    at: float
    attempts: int = 0
    acknowledged: float | None = None
    refused: str = ""


@dataclass
class Row:
    number: int
    action: str
    ticket: str
    is_judged: bool
    choices: dict[str, list[str]]
    size: int
    fetched: float = field(default_factory=time.monotonic)

    @property
    def is_old(self) -> bool:
        return time.monotonic() - self.fetched > FRESH


def row_of(page: str) -> Row:
    """Return the open row of a page of the judging screen. Raise ValueError if there is none."""
    found, ticket = ROW.search(page), TICKET.search(page)
    if not found or not ticket:
        raise ValueError("no row on this page")
    choices: dict[str, list[str]] = {}
    for name, value in RADIO.findall(page):
        choices.setdefault(name, []).append(value)
    return Row(int(found[1]), found[2], ticket[1], bool(found[3]), choices, len(page.encode()))


class Annotator:
    """Works in one campaign until `stop` is set, and then until all answers have arrived.

    think(): seconds for one item. pause: wait after the first failure, and the longest one.
    revises: the share of items after which an earlier one is changed.
    """

    def __init__(
        self,
        browser: Browser,
        campaign: int,
        rng: random.Random,
        think: Callable[[], float],
        pause: tuple[float, float] = (FIRST_PAUSE, LONGEST_PAUSE),
        revises: float = 0.0,
    ) -> None:
        self.browser, self.base = browser, f"/judge/{campaign}/"
        self.rng, self.think, self.pause, self.revises = rng, think, pause, revises
        self.sent: list[Sent] = []
        self.said: dict[str, dict[str, str]] = {}  # the last answer to each item
        self.queue: list[Sent] = []
        self.ahead: dict[int, Row] = {}
        self.n_items = 0
        self.later = 0.0  # when rows that do not come at once may be fetched
        self.turn = 0  # counts the openings: rows are fetched for the last one
        self.fetching = asyncio.Lock()
        self.fetches: set[asyncio.Task] = set()
        self.trouble: list[str] = []  # answers that no browser should get
        self.stop = asyncio.Event()
        self.has_left = False
        self.flushing = asyncio.Lock()

    def leave(self) -> None:
        """Close the page: open items are not answered any more, given answers still arrive."""
        self.has_left = True
        self.stop.set()

    async def work(self) -> None:
        resender = asyncio.create_task(self._resend())
        try:
            following: int | None = None
            while not self.stop.is_set():
                row = await self._patiently(partial(self._open, following))
                if row is None:  # nothing is free
                    await self._wait(1.0)
                    continue
                following = await self._judge(row)
                if self.revises and self.rng.random() < self.revises and row.number > 1:
                    await self._revise(self.rng.randrange(1, row.number))
            while self.queue:
                await asyncio.sleep(0.05)
        finally:
            for task in (resender, *self.fetches):
                task.cancel()
            self.browser.close()

    async def _judge(self, row: Row) -> int | None:
        """Think, answer, send; return the number to continue with, None for the site's choice."""
        begun = time.monotonic()
        ahead = asyncio.create_task(self._fetch_ahead(row.number))
        self.fetches.add(ahead)
        ahead.add_done_callback(self.fetches.discard)
        await self._wait(self.think())
        if self.has_left:
            return None
        answer = self._answer(row, begun)
        await self._flush()
        self.ahead.pop(row.number, None)
        if answer.acknowledged is None and not answer.refused:
            kept = [number for number in sorted(self.ahead) if number > row.number]
            if kept:
                return kept[0]
            while self.queue and not self.stop.is_set():  # nothing fetched ahead
                await asyncio.sleep(0.05)
            return None
        return row.number + 1 if row.number < self.n_items else None

    async def _revise(self, number: int) -> None:
        """Go back to an item, and change each answer to it."""
        try:
            rows = await self._rows([number])
        except (Offline, Unexpected, ValueError):
            return
        for row in rows:
            self._answer(row, time.monotonic())
        await self._flush()

    def _answer(self, row: Row, begun: float) -> Sent:
        now = time.monotonic()
        values = self.said.get(row.action, {})
        while values == self.said.get(row.action, {}):  # the same values would store nothing
            values = {name: self.rng.choice(options) for name, options in row.choices.items()}
        self.said[row.action] = values
        times = {
            "active_ms": str(round((now - begun) * 1000)),
            "waited_ms": str(round((begun - row.fetched) * 1000)),
        }
        body = urlencode({"ticket": row.ticket, **times, **values})
        answer = Sent(row.action, row.ticket, values, body, now)
        self.sent.append(answer)
        self.queue.append(answer)
        return answer

    # Opening

    async def _open(self, number: int | None) -> Row | None:
        """Return a row: fetched before, alone, or with its page; None if no batch is free."""
        if number is not None and number in self.ahead:
            row = self.ahead.pop(number)
            if not row.is_judged:
                return row
        if number is not None:
            return await self._fetch(number) or await self._open(None)
        answer = await self.browser.get(self.base, "work opened")
        if answer.status == 200 and '<form method="post">' in answer.text:
            expect(answer, 200)
            claimed = await self.browser.post(self.base, "batch claimed", {})
            expect(claimed, 302)
            answer = await self.browser.get(self.base, "work opened")
        if answer.status == 200:
            return None
        expect(answer, 302)
        place = urlsplit(answer.headers["location"]).path
        if not place.startswith(self.base):  # to the sign-in
            raise Unexpected(answer)
        page = await self.browser.get(place, "page opened")
        expect(page, 200)
        await self.browser.assets(page.text)
        self.ahead.clear()
        self.n_items = int(N_ITEMS.findall(page.text)[0])
        row = row_of(page.text)
        return row

    async def _fetch(self, number: int) -> Row | None:
        """Return a row without its page; None if it is no longer available, or has been judged."""
        waiting = [row for row in await self._rows([number]) if not row.is_judged]
        return waiting[0] if waiting else None

    async def _rows(self, numbers: list[int]) -> list[Row]:
        """Return rows without their page; none if they are no longer available."""
        headers = {"X-Rows": ",".join(map(str, numbers))}
        kind = "row opened" if len(numbers) == 1 else "rows fetched"
        answer = await self.browser.get(f"{self.base}{numbers[0]}/", kind, headers)
        if answer.status in (302, 404):
            return []
        expect(answer, 200)
        return [row_of(text) for text in json.loads(answer.body)["rows"].values()]

    async def _fetch_ahead(self, current: int) -> None:
        """Fetch what lacks, until the next item is opened (`prepare` of ahead.js)."""
        self.turn += 1
        turn = self.turn
        await asyncio.sleep(min(CALM, self.pause[0]))
        with contextlib.suppress(Offline, ValueError, Unexpected):
            while self.turn == turn:
                async with self.fetching:
                    lacking, is_due = self._lacking(current)
                    wait = 0.0 if is_due else self.later - time.monotonic()
                    if not lacking or self.turn != turn:
                        return
                    if wait <= 0:
                        self.later = time.monotonic() + GAP
                        rows = await self._rows(lacking)
                        if not any(row.number == lacking[0] for row in rows):
                            return
                        self.ahead |= {row.number: row for row in rows if row.number > current}
                await asyncio.sleep(max(wait, 0))

    def _lacking(self, current: int) -> tuple[list[int], bool]:
        """Return the numbers of the rows of the next request, and whether it is sent at once."""
        found: list[int] = []
        is_due, size = False, 0
        for place, number in enumerate(range(current + 1, self.n_items + 1)):
            row = self.ahead.get(number)
            if row is None or (row.is_old and place < (NEAR if found else SOON)):
                is_due = is_due if found else place < SOON or size < AT_ONCE
                found.append(number)
            size += row.size if row else 0
            if size > BUDGET or len(found) == ROWS_AT_ONCE:
                break
        return found, is_due

    async def _patiently(self, action: Callable[[], Awaitable]):
        """Try until it works: the annotator reloads the page."""
        pause, longest = self.pause
        while not self.stop.is_set():
            try:
                return await action()
            except (Offline, Unexpected, ValueError) as problem:
                if isinstance(problem, Unexpected) and problem.status < 500:
                    self.trouble.append(str(problem))
                await self._wait(pause)
                pause = min(2 * pause, longest)
        return None

    async def _wait(self, seconds: float) -> None:
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self.stop.wait(), seconds)

    # Sending

    async def _flush(self) -> None:
        """Send waiting answers, in order, until something fails (`sendAll` of queue.js)."""
        async with self.flushing:
            while self.queue and await self._send(self.queue[0]):
                self.queue.pop(0)

    async def _send(self, answer: Sent) -> bool:
        """Return whether the answer is done: it is stored, or rejected for good."""
        answer.attempts += 1
        headers = {"Accept": "application/json"}
        try:
            said = await self.browser.post(answer.action, "row saved", answer.body, headers)
        except Offline:
            return False
        if said.status == 200:
            answer.acknowledged = time.monotonic()
            return True
        if said.status in REFUSED and b'"problem"' in said.body:
            answer.refused = said.text
            return True
        if said.status < 500:
            self.trouble.append(f"{answer.action}: {said.status} {said.headers.get('location')}")
        return False

    async def _resend(self) -> None:
        """Send waiting answers again, after increasing pauses, like the timer of queue.js."""
        pause, longest = self.pause
        while True:
            await asyncio.sleep(pause)
            if self.queue:
                await self._flush()
            pause = min(2 * pause, longest) if self.queue else self.pause[0]
