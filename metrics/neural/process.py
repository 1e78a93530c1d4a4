"""The long-lived process that scores with neural metrics, and the talk with it.

One JSON object a line each way. A request holds ``id``, ``metric``, ``model`` (a folder or a
hub's name), ``name`` (what people call it), ``options``, ``batch_size``, ``download`` (whether a
missing model may be fetched), ``hypotheses``, and as many ``sources`` or ``references``. Replies
repeat the ``id``: ``{"progress": [done, total]}`` any number of times, then ``{"scores": [...],
"spans": [[{"start": …, "end": …, "severity": …}, …], …] or null}`` or ``{"error": "..."}``.
``{"bye": true}`` says that the process was idle for long and ends.
"""

import atexit
import json
import os
import queue
import signal
import subprocess
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from itertools import count
from typing import Any, NamedTuple

from metrics.neural import environment

Progress = Callable[[int, int], object]

SILENCE = 1800.0
"""Seconds without a word after which the process is taken for stuck. MTEVAL_NEURAL_TIMEOUT."""
KEPT_LINES = 40
# The process runs other people's models; it has no business with the site's secrets.
KEPT_BACK = (
    "SECRET_KEY", "DATABASE_URL", "DATABASE_WEB_URL", "PGPASSWORD", "EMAIL_URL",
    "EMAIL_HOST_PASSWORD",
)  # fmt: skip

_progress: ContextVar[Progress | None] = ContextVar("progress", default=None)


class NeuralAnswer(NamedTuple):
    """Scores, and the errors that the model marks in each output; None of one that marks none."""

    scores: list[float]
    spans: list[list[dict[str, Any]]] | None = None


class NeuralError(ValueError):
    """A neural metric could not be computed, with the reason in words."""


@contextmanager
def watched(progress: Progress) -> Iterator[None]:
    """Have ``progress(done, total)`` called about every second while a neural metric is computed.

    What it raises ends the computing: the process is killed, and the next request starts another.
    """
    token = _progress.set(progress)
    try:
        yield
    finally:
        _progress.reset(token)


class NeuralProcess:
    """One process, started when it is first needed and again when it has ended. For one thread at
    a time."""

    def __init__(self, command: Sequence[str], *, silence: float = SILENCE) -> None:
        self.command = list(command)
        self.silence = silence
        self._ids = count(1)
        self._process: subprocess.Popen[str] | None = None
        self._replies: queue.SimpleQueue[dict[str, Any] | None] = queue.SimpleQueue()
        self._said: deque[str] = deque(maxlen=KEPT_LINES)
        self._listener: threading.Thread | None = None

    @property
    def pid(self) -> int | None:
        return self._process.pid if self._process else None

    def scores(self, request: dict[str, Any]) -> list[float]:
        """Return the scores of what the process answers to a request."""
        return self.answer(request).scores

    def answer(self, request: dict[str, Any]) -> NeuralAnswer:
        """Return what the process answers to a request.

        Raises NeuralError with the process's own reason, or when it died or said nothing for long.
        """
        request = {**request, "id": next(self._ids)}
        try:
            for _ in range(2):
                self._send(request)
                reply = self._await(request["id"])
                if "bye" not in reply:
                    return _answer_of(reply, len(request["hypotheses"]))
                self.stop()  # it had been idle, and ended while the request was under way
        except NeuralError:
            raise
        except BaseException:  # whoever waited does so no longer: do not compute on
            self.stop()
            raise
        raise NeuralError("The program of the neural metrics ended twice before it began.")

    def stop(self) -> None:
        """End the process and what it has started, at once."""
        process, self._process = self._process, None
        if process is None:
            return
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)  # it leads a session of its own
        process.wait()
        with suppress(OSError):
            process.stdin.close()  # type: ignore[union-attr]

    def _send(self, request: dict[str, Any]) -> None:
        if self._process is None or self._process.poll() is not None:
            self.stop()
            self._start()
        assert self._process and self._process.stdin
        pipe, line = self._process.stdin, json.dumps(request) + "\n"
        # A thread of its own, for a process that does not read would hold up this one for good.
        threading.Thread(target=_write, args=(pipe, line), daemon=True).start()

    def _start(self) -> None:
        self._said.clear()
        self._replies = queue.SimpleQueue()
        try:
            self._process = subprocess.Popen(
                self.command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                cwd=environment.ROOT,
                env=_variables(),
                text=True,
                encoding="utf-8",
                errors="replace",
                start_new_session=True,
            )
        except OSError as error:
            raise NeuralError(
                f"The program of the neural metrics could not be started: {error}."
            ) from None
        process, start = self._process, self._listen
        start(_read_replies, process.stdout, self._replies)
        self._listener = start(_read_lines, process.stderr, self._said)

    def _listen(self, work: Callable, *arguments: Any) -> threading.Thread:
        thread = threading.Thread(target=work, args=arguments, daemon=True)
        thread.start()
        return thread

    def _await(self, number: int) -> dict[str, Any]:
        """Return the last reply to a request; progress is handed on meanwhile."""
        progress = _progress.get()
        done, total = 0, 0
        last_word = time.monotonic()
        while True:
            try:
                reply = self._replies.get(timeout=min(1.0, self.silence))
            except queue.Empty:
                if time.monotonic() - last_word > self.silence:
                    self.stop()
                    raise NeuralError(
                        f"The program of the neural metrics said nothing for {self.silence:g} "
                        "seconds and was ended. Try a smaller model or a smaller batch_size."
                    ) from None
            else:
                last_word = time.monotonic()
                if reply is None:
                    raise self._died()
                if "bye" in reply or (reply.get("id") == number and "progress" not in reply):
                    return reply
                if reply.get("id") == number:
                    done, total = reply["progress"]
            if progress:
                progress(done, total)

    def _died(self) -> NeuralError:
        assert self._process
        code = self._process.wait()
        how = f"with exit code {code}"
        if code < 0:
            how = f"by signal {-code} ({signal.Signals(-code).name})"
        if code == -signal.SIGKILL:
            how += ", perhaps because memory ran out"
        if self._listener:  # its last words may still be on their way through the other pipe
            self._listener.join(timeout=2)
        said = "".join(f"\n  {line}" for line in list(self._said)[-5:])
        self.stop()
        words = f"The program of the neural metrics ended {how}."
        return NeuralError(words + (f" It said last:{said}" if said else ""))


def _answer_of(reply: dict[str, Any], n: int) -> NeuralAnswer:
    if "error" in reply:
        raise NeuralError(str(reply["error"]))
    scores = reply.get("scores")
    if not isinstance(scores, list) or len(scores) != n:
        raise NeuralError("The program of the neural metrics gave an answer that does not fit.")
    spans = reply.get("spans")
    has_spans = isinstance(spans, list) and len(spans) == n
    found = [float("nan") if score is None else float(score) for score in scores]
    return NeuralAnswer(found, spans if has_spans else None)


def _variables() -> dict[str, str]:
    """Return its environment variables: no secrets of the site, no network, no code from models."""
    kept = {name: value for name, value in os.environ.items() if name not in KEPT_BACK}
    kept |= {
        # A missing model is fetched by a process of its own, see metrics/neural/hub.py.
        "HF_HUB_OFFLINE": "1",
        "HF_HUB_DISABLE_TELEMETRY": "1",
        "TOKENIZERS_PARALLELISM": "false",
        "PYTHONUNBUFFERED": "1",
        # Weights are read as numbers, never unpickled as objects, which could run code.
        "TORCH_FORCE_WEIGHTS_ONLY_LOAD": "1",
    }
    return kept


def _write(pipe: Any, line: str) -> None:
    with suppress(OSError, ValueError):  # it has ended, which the reader of its replies tells
        pipe.write(line)
        pipe.flush()


def _read_replies(pipe: Any, replies: queue.SimpleQueue) -> None:
    with pipe:
        for line in pipe:
            try:
                reply = json.loads(line)
            except ValueError:
                continue
            if isinstance(reply, dict):
                replies.put(reply)
    replies.put(None)


def _read_lines(pipe: Any, lines: deque[str]) -> None:
    with pipe:
        for line in pipe:
            lines.append(line.rstrip()[:500])


_shared: NeuralProcess | None = None
_owner = 0
_lock = threading.Lock()


def shared_answer(request: dict[str, Any]) -> NeuralAnswer:
    """Return the answer of the one process that this process has, which keeps its models loaded."""
    global _shared, _owner
    with _lock:
        if _shared is None or _owner != os.getpid():  # after a fork it is the parent's
            silence = float(os.environ.get("MTEVAL_NEURAL_TIMEOUT") or SILENCE)
            command = [str(environment.python()), "-m", "metrics.neural.worker"]
            _shared, _owner = NeuralProcess(command, silence=silence), os.getpid()
        return _shared.answer(request)


def stop_shared() -> None:
    """End the shared process; the next request starts another."""
    if _shared is not None and _owner == os.getpid():
        _shared.stop()


atexit.register(stop_shared)
