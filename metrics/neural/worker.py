"""The program that scores with neural metrics: requests on standard input, replies on standard
output, as ``metrics.neural.process`` says. Run in the other environment:

    python -m metrics.neural.worker

It ends when its input is closed, whatever it is doing, and after an idle time.
"""

import json
import os
import queue
import sys
import threading
import traceback
from collections.abc import Callable
from typing import Any, TextIO

from metrics.neural.hub import NoModel
from metrics.neural.models import Models

IDLE = 900.0
"""Seconds without a request after which it ends and gives its memory back. MTEVAL_NEURAL_IDLE."""


def main() -> None:
    replies = _own_output()
    requests: queue.SimpleQueue[str] = queue.SimpleQueue()
    threading.Thread(target=_read, args=(requests,), daemon=True).start()
    idle = float(os.environ.get("MTEVAL_NEURAL_IDLE") or IDLE)
    models = Models()

    def reply(message: dict[str, Any]) -> None:
        replies.write(json.dumps(message) + "\n")
        replies.flush()

    while True:
        try:
            line = requests.get(timeout=idle)
        except queue.Empty:
            reply({"bye": True})
            return
        answer(line, models, reply)


def _own_output() -> TextIO:
    """Return the standard output, for the replies alone: what libraries print goes to standard
    error."""
    output = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    sys.stdout = sys.stderr
    return output


def _read(requests: "queue.SimpleQueue[str]") -> None:
    for line in sys.stdin:
        requests.put(line)
    os._exit(0)  # nobody is left to read an answer, not even one that is being computed


def answer(line: str, models: Models, reply: Callable[[dict[str, Any]], None]) -> None:
    """Reply to one request; whatever goes wrong is a reply too."""
    number, request = None, {}
    try:
        request = json.loads(line)
        number = request.get("id")

        def progress(done: int, total: int) -> None:
            reply({"id": number, "progress": [done, total]})

        scores, spans = models.marked(request, progress)
        reply({"id": number, "scores": [_finite(s) for s in scores], "spans": spans})
    except NoModel as error:
        reply({"id": number, "error": _named(str(error), request)})
    except Exception as error:  # noqa: BLE001
        traceback.print_exc()
        reply({"id": number, "error": _named(_in_words(error), request)})


def _finite(score: float) -> float | None:
    """Return JSON has no NaN."""
    return score if score == score and abs(score) != float("inf") else None


def _named(words: str, request: Any) -> str:
    """Return the model as people have named it, not where it is on this machine."""
    if isinstance(request, dict) and request.get("model") and request.get("name"):
        return words.replace(str(request["model"]), str(request["name"]))
    return words


def _in_words(error: Exception) -> str:
    if isinstance(error, MemoryError) or "out of memory" in str(error).lower():
        return "Memory ran out; use a smaller batch_size or a smaller model."
    first = (str(error).strip().splitlines() or [""])[0]
    return f"The model could not be used: {type(error).__name__}: {first[:300]}"


if __name__ == "__main__":
    main()
