"""Finds the Chromium for the browser tests, or installs Debian's when it may."""

import fcntl
import functools
import os
import shutil
import subprocess
import tempfile
from pathlib import Path

# Names of the program, in the order in which they are tried.
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
HOW = "install it (on Debian: apt install chromium), or set CHROMIUM to the program's path"


def find() -> str | None:
    """CHROMIUM from the environment, or the first known program on the path."""
    given = os.environ.get("CHROMIUM")
    return given or next(filter(None, map(shutil.which, PROGRAMS)), None)


@functools.cache
def find_or_install() -> str | None:
    """As `find`; root on a Debian without Chromium gets Debian's package, once."""
    if not find() and os.geteuid() == 0 and shutil.which("apt-get"):
        with open(Path(tempfile.gettempdir()) / "mteval-chromium.lock", "w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)  # of several processes of tests one installs
            if not find():
                install()
    return find()


def install() -> None:
    print("\nThere is no Chromium for the browser tests: installing Debian's ...", flush=True)
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    for command in (["update", "-qq"], ["install", "-y", "-qq", "chromium"]):
        subprocess.run(["apt-get", *command], env=environment, stdout=subprocess.DEVNULL)
