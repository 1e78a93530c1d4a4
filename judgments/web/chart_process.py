"""Charts as pictures, drawn by a process of its own beside each that asks.

The library that draws, vl-convert, holds Python's lock until the picture is there, which takes from
a tenth of a second to seconds. In a web process no other thread would be served meanwhile, such as
that of an annotator. Requests and answers are lines of JSON; the process ends with its input.
"""

import atexit
import base64
import json
import os
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

VEGA_LITE = "6.4"
PNG_SCALE = 2
LONGEST = 300.0  # seconds for one picture
NICENESS = 5  # judging comes first


class CannotDraw(Exception):
    """Why there is no picture."""


class ChartProcess:
    """Started by the first picture that is asked for, and again after it has ended."""

    def __init__(self) -> None:
        self.turn = threading.Lock()
        self.process: subprocess.Popen[str] | None = None
        self.asked_by = 0

    def draw(self, kind: str, text: str) -> bytes:
        """Return a Vega-Lite spec as "svg", or an SVG as "png". Raise CannotDraw."""
        with self.turn:
            process = self._running()
            ending = threading.Timer(LONGEST, process.kill)
            ending.start()
            try:
                assert process.stdin and process.stdout
                process.stdin.write(json.dumps({"kind": kind, "text": text}) + "\n")
                process.stdin.flush()
                line = process.stdout.readline()
            except OSError as error:
                line, problem = "", str(error)
            else:
                problem = "the process that draws has ended"
            finally:
                ending.cancel()
            if not line:
                self.close()
                raise CannotDraw(problem)
        answer = json.loads(line)
        if "problem" in answer:
            raise CannotDraw(answer["problem"])
        return base64.b64decode(answer["picture"])

    def _running(self) -> subprocess.Popen[str]:
        # A copy of this process, as fork makes one, would speak in the middle of another's line.
        if self.process is None or self.process.poll() is not None or self.asked_by != os.getpid():
            self.asked_by = os.getpid()
            self.process = subprocess.Popen(
                [sys.executable, "-m", "judgments.web.chart_process"],
                stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, encoding="utf-8",
                cwd=Path(__file__).parents[2],
            )  # fmt: skip
        return self.process

    def close(self) -> None:
        if self.process is None or self.asked_by != os.getpid():
            return
        self.process.kill()
        self.process.communicate()
        self.process = None


_charts = ChartProcess()
draw = _charts.draw
atexit.register(_charts.close)


def main() -> None:
    """Answer each line until there is none."""
    import vl_convert

    os.nice(NICENESS)
    for line in sys.stdin:
        asked = json.loads(line)
        answer: dict[str, str]
        try:
            if asked["kind"] == "png":
                picture = vl_convert.svg_to_png(asked["text"], scale=PNG_SCALE)
            else:
                options: dict[str, Any] = {"vl_version": VEGA_LITE, "allowed_base_urls": []}
                picture = vl_convert.vegalite_to_svg(asked["text"], **options).encode()
            answer = {"picture": base64.b64encode(picture).decode()}
        except Exception as error:  # noqa: BLE001
            answer = {"problem": str(error)}
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main()
