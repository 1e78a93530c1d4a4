"""Whether this process has been asked to end, so that its parts are released in time."""

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

LEAVING = threading.Event()
SIGNALS = (signal.SIGTERM, signal.SIGINT)


@contextmanager
def heeded() -> Iterator[None]:
    """Set LEAVING when a signal asks this process to end, in addition to the signal's usual
    effect."""
    if threading.current_thread() is not threading.main_thread():  # other threads get no signals
        yield
        return
    before = {number: signal.getsignal(number) for number in SIGNALS}
    # An ignored signal ends nothing: a shell has its background processes ignore SIGINT.
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
