"""Whether this process has been told to end, so that what it computes is given back in time."""

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

LEAVING = threading.Event()
SIGNALS = (signal.SIGTERM, signal.SIGINT)


@contextmanager
def heeded() -> Iterator[None]:
    """Set LEAVING when a signal asks this process to end, beside what it does about it anyway."""
    if threading.current_thread() is not threading.main_thread():  # others are not told of signals
        yield
        return
    before = {number: signal.getsignal(number) for number in SIGNALS}
    # What is passed over ends nothing: a shell has its background processes pass over SIGINT.
    before = {n: handler for n, handler in before.items() if handler not in (signal.SIG_IGN, None)}

    def leave(number: int, frame: FrameType | None) -> None:
        LEAVING.set()
        handler = before[signal.Signals(number)]
        if callable(handler):
            handler(number, frame)
        else:
            raise SystemExit(128 + number)

    for number in before:
        signal.signal(number, leave)
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
