"""Tickets reveal nothing to their holders, and only ours are read."""

import base64
import time
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from django.test import override_settings
from hypothesis import given
from hypothesis import strategies as st

from judgments.judging import ticket as module
from judgments.judging.ticket import BadTicket, Ticket, new_ticket, unseal

NOW = datetime(2026, 3, 1, 14, 5, 0, 123000, tzinfo=UTC)
TICKET = new_ticket(770_000_123, 880_000_456, 17, NOW, 3)
LATER = replace(TICKET, seen=2, painted=b"eight by")


@given(
    item=st.integers(1, 2**63 - 1),
    annotator=st.integers(1, 2**63 - 1),
    number=st.integers(1, 2**32 - 1),
    version=st.integers(1, 2**31 - 1),
    key=st.uuids(),
    ms=st.integers(-(10**12), 4 * 10**12),
)
def test_what_was_sealed_comes_back(item, annotator, number, version, key, ms):
    opened_at = datetime(1970, 1, 1, tzinfo=UTC) + timedelta(milliseconds=ms)
    ticket = Ticket(item, annotator, number, key, opened_at, version)
    assert unseal(ticket.seal()) == ticket


def test_tickets_of_all_versions_come_back():
    """Answers may wait in a browser while the site gets a newer version."""
    for ticket in (TICKET, replace(TICKET, seen=0), LATER):
        assert unseal(ticket.seal()) == ticket


def test_no_number_can_be_read():
    """Neither as it stands, nor in base64, nor as bytes of either order, nor by comparison."""
    sealed = TICKET.seal()
    raw = base64.urlsafe_b64decode(sealed)
    for number in (TICKET.item, TICKET.annotator):
        assert str(number) not in sealed and str(number).encode() not in raw
        for order in ("little", "big"):
            assert number.to_bytes(4, order) not in raw
    # One ticket compared with that of the next item, all else equal: about half of all bits differ.
    other = base64.urlsafe_b64decode(replace(TICKET, item=TICKET.item + 1).seal())
    differ = sum((a ^ b).bit_count() for a, b in zip(raw, other, strict=True))
    assert 180 < differ < 332  # 512 bits: 256, and 6.7 standard deviations to either side


def test_the_search_would_find_a_number():
    """The bytes that are sealed do hold it, so the test before looks for the right thing."""
    said = module.cipher("only-for-tests").decrypt(base64.urlsafe_b64decode(TICKET.seal()), None)
    assert TICKET.item.to_bytes(8, "little") in said


def test_every_altered_bit_is_noticed():
    raw = base64.urlsafe_b64decode(LATER.seal())
    for bit in range(8 * len(raw)):
        altered = bytearray(raw)
        altered[bit // 8] ^= 1 << bit % 8
        with pytest.raises(BadTicket):
            unseal(base64.urlsafe_b64encode(altered).decode())


@pytest.mark.parametrize("text", ["", "x", "é" * 88, "\0" * 88, "A" * 88, "=" * 88, "A" * 10**6])
def test_anything_else_is_refused(text):
    with pytest.raises(BadTicket):
        unseal(text)


def test_another_secret_reads_nothing_unless_it_is_an_earlier_one():
    sealed = TICKET.seal()
    with override_settings(SECRET_KEY="another"), pytest.raises(BadTicket):
        unseal(sealed)
    with override_settings(SECRET_KEY="another", SECRET_KEY_FALLBACKS=["only-for-tests"]):
        assert unseal(sealed) == TICKET


def test_it_costs_nothing_that_matters():
    """About 20 µs; a screen takes some 4 ms."""
    start = time.process_time()
    for _ in range(1000):
        unseal(TICKET.seal())
    assert (time.process_time() - start) / 1000 < 0.001
