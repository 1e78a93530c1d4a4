"""Orca, the screen reader of Linux desktops, next to a Chromium with a window on a virtual display:
its speech is read from its log, and keys reach it as from a keyboard."""

import contextlib
import functools
import os
import re
import shutil
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

from playwright.sync_api import Page, Playwright

from . import chromium

PROGRAMS = ("orca", "Xvfb", "xdotool", "dbus-daemon")
PACKAGES = ("orca", "xvfb", "xdotool", "dbus", "at-spi2-core", "libglib2.0-bin")
HOW = f"install it (on Debian: apt install {' '.join(PACKAGES)})"
LAUNCHERS = ("/usr/libexec/at-spi-bus-launcher", "/usr/lib/at-spi2-core/at-spi-bus-launcher")
SPOKEN = re.compile(r"^[\d:.]+ - SPEECH OUTPUT: '(.*?)'(?:\{.*)?$")
# No echo of keys, and nothing read by itself: what is said is what the page tells.
SETTINGS = """import orca.debug, orca.settings
orca.debug.debugFile.reconfigure(line_buffering=True)
orca.settings.enableKeyEcho = False
orca.settings.sayAllOnLoad = False
orca.settings.enableBraille = False
"""
# Speech goes to the log alone: on a machine without sound, a synthesizer would keep Orca waiting.
SPEECH = """AddModule "dummy" "sd_dummy" ""
DefaultModule dummy
"""
DISPLAY = ("Xvfb", "-displayfd", "1", "-screen", "0", "1300x900x24", "-nolisten", "tcp")
SILENCE_S = 0.3
FIRST_WORD_S = 5.0  # a busy machine can take longer than a second to begin
LONGEST_S = 8.0


def is_there() -> bool:
    return all(map(shutil.which, PROGRAMS)) and any(map(os.path.exists, LAUNCHERS))


@functools.cache
def find_or_install() -> bool:
    """Whether Orca can be used; root on a Debian without it gets Debian's packages, once."""
    chromium.once("Orca", is_there, *PACKAGES)
    return is_there()


class ScreenReader:
    """A page in a browser with Orca running."""

    def __init__(self, page: Page, log: Path, environment: dict[str, str]) -> None:
        self.page = page
        self.log = log
        self.environment = environment
        self.place = 0

    def read(self) -> list[str]:
        """What was said since the last reading."""
        with open(self.log, encoding="utf-8", errors="replace") as log:
            log.seek(self.place)
            text = log.read()
        complete = text[: text.rfind("\n") + 1]
        self.place += len(complete.encode("utf-8", "replace"))
        found = map(SPOKEN.match, complete.splitlines())
        return [
            " ".join(match[1].split()) for match in found if match and match[1].strip("\u200b ")
        ]

    def listen(self, silence: float = SILENCE_S, until: str = ".") -> str:
        """Return what is said until it matches a pattern and has then been silent for so many
        seconds. A busy machine pauses between sentences, so silence alone says nothing."""
        said: list[str] = []
        begun = last = time.monotonic()
        while time.monotonic() - begun < LONGEST_S:
            new = self.read()
            if new:
                said += new
                last = time.monotonic()
            heard = re.search(until, " ".join(said))
            if time.monotonic() - last > (silence if heard else FIRST_WORD_S):
                break
            time.sleep(0.05)
        return " ".join(said)

    def press(self, *keys: str, until: str = ".") -> str:
        """Press keys, by their names in X, each when the last was answered; return what is said
        after the last of them, which is waited for until it matches a pattern."""
        said = ""
        for number, key in enumerate(keys, 1):
            subprocess.run(["xdotool", "key", key], env=self.environment, check=True, timeout=10)
            said = self.listen(until=until if number == len(keys) else ".")
        return said

    def hears(self, pattern: str, *keys: str) -> str:
        """Press keys, and fail unless what is said after the last of them matches a pattern."""
        said = self.press(*keys, until=pattern)
        assert re.search(pattern, said), f"{pattern!r} was not said, but: {said}"
        return said

    def open(self, address: str) -> str:
        self.page.goto(address)
        self.page.bring_to_front()
        return self.listen(1.0)

    def tab_until(self, words: str, most: int = 40) -> list[str]:
        """Tab by Tab to the control of which these words are said; all that was said."""
        said = []
        for _ in range(most):
            said.append(self.press("Tab"))
            if words in said[-1]:
                return said
        raise AssertionError(f"{words!r} was not said, but: {said}")


@contextlib.contextmanager
def screen_reader(playwright: Playwright, folder: Path) -> Iterator[ScreenReader]:
    """Yield a reader with a separate display, buses and home."""
    with contextlib.ExitStack() as stack:
        environment, log = desktop(stack, folder)
        browser = playwright.chromium.launch(
            executable_path=chromium.find_or_install(),
            headless=False,
            args=[*chromium.ARGUMENTS, "--force-renderer-accessibility"],
            env=environment,
        )
        stack.callback(browser.close)
        page = browser.new_page(viewport={"width": 1280, "height": 800})
        reader = ScreenReader(page, log, environment)
        reader.listen(1.0)
        yield reader


def desktop(stack: contextlib.ExitStack, folder: Path) -> tuple[dict[str, str], Path]:
    """Starts what a desktop has; its environment, and the file in which Orca notes its speech."""
    customizations = folder / ".local/share/orca/orca-customizations.py"
    customizations.parent.mkdir(parents=True)
    customizations.write_text(SETTINGS)
    speech = folder / ".config/speech-dispatcher/speechd.conf"
    speech.parent.mkdir(parents=True)
    speech.write_text(SPEECH)
    log = folder / "speech.log"
    log.touch()
    environment = {**os.environ, "HOME": str(folder)}
    for name in ("XDG_DATA_HOME", "XDG_CONFIG_HOME", "WAYLAND_DISPLAY"):
        environment.pop(name, None)
    number = started(stack, environment, *DISPLAY)
    environment["DISPLAY"] = f":{number}"
    bus = started(stack, environment, "dbus-daemon", "--session", "--nofork", "--print-address=1")
    environment["DBUS_SESSION_BUS_ADDRESS"] = bus
    launcher = next(filter(os.path.exists, LAUNCHERS))
    background(stack, environment, launcher, "--launch-immediately", "--screen-reader=1")
    time.sleep(0.5)
    orca = background(stack, environment, "orca", f"--debug-file={log}", "--enable=speech")
    deadline = time.monotonic() + 60
    while "Screen reader on" not in log.read_text(errors="replace"):
        assert orca.poll() is None, "Orca ended at once, as it does where another one runs."
        assert time.monotonic() < deadline, "Orca did not start."
        time.sleep(0.1)
    return environment, log


def background(
    stack: contextlib.ExitStack,
    environment: dict[str, str],
    *command: str,
    stdout: int = subprocess.DEVNULL,
) -> subprocess.Popen[str]:
    process = subprocess.Popen(
        command, env=environment, stdout=stdout, stderr=subprocess.DEVNULL, text=True
    )
    stack.callback(end, process)
    return process


def started(stack: contextlib.ExitStack, environment: dict[str, str], *command: str) -> str:
    """The first line that a program prints when it is ready."""
    process = background(stack, environment, *command, stdout=subprocess.PIPE)
    assert process.stdout
    return process.stdout.readline().strip()


def end(process: subprocess.Popen) -> None:
    process.terminate()
    try:
        process.wait(5)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait(5)
