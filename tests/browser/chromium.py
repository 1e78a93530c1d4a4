"""Finds the Chromium for the browser tests, or installs Debian's when it may.

Without a window the tests run in Chromium's headless shell where there is one: it draws the same
pages with half of the processor time of the whole browser.
"""

import fcntl
import functools
import os
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path

# Names of the program, in the order in which they are tried.
SHELL = "chromium-headless-shell"
PROGRAMS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
# In a container there is no sandbox and no GPU; the rest keeps Chromium from calling home.
ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
HOW = f"install it (on Debian: apt install {SHELL}), or set CHROMIUM to the program's path"


def find() -> str | None:
    """CHROMIUM from the environment, or the first known program on the path."""
    given = os.environ.get("CHROMIUM")
    return given or next(filter(None, map(shutil.which, PROGRAMS)), None)


def find_headless() -> str | None:
    """CHROMIUM from the environment, or the shell, or the whole browser."""
    return os.environ.get("CHROMIUM") or shutil.which(SHELL) or find()


@functools.cache
def find_or_install() -> str | None:
    """As `find`; root on a Debian without Chromium gets Debian's package, once."""
    once("chromium", find, "chromium")
    return find()


@functools.cache
def find_or_install_headless() -> str | None:
    """As `find_headless`; where there is none, the package of the shell or of the browser."""
    once(SHELL, find_headless, SHELL)
    return find_headless() or find_or_install()


def once(name: str, is_there: Callable[[], object], *packages: str) -> None:
    """Installs Debian's packages of what is not there, where that can be done."""
    if is_there() or os.geteuid() != 0 or not shutil.which("apt-get"):
        return
    with open(Path(tempfile.gettempdir()) / f"mteval-{name}.lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # of several processes of tests one installs
        if not is_there():
            print(
                f"\nThere is no {name} for the browser tests: installing Debian's ...", flush=True
            )
            install(packages)


def install(packages: Sequence[str]) -> None:
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    options = ("-y", "-qq", "--no-install-recommends") if len(packages) > 1 else ("-y", "-qq")
    for command in (["update", "-qq"], ["install", *options, *packages]):
        subprocess.run(["apt-get", *command], env=environment, stdout=subprocess.DEVNULL)
