"""Time of a second `./run`, relative to one import of the application; and its memory.

    python benchmarks/start.py [--repeats 5]

Starts the site once from scratch (its own folder for data, an unused port, with the demo), then
measures in turns an import of the web application (`import mteval_site.wsgi`, a new process) and a
start, from the command to the line that says it is ready. Prints the medians and their ratio, which
should be at most 1.5, and the memory of one web process: after the start, and after the pages
Agreement, Scores and Power of a demo campaign, for which it imports the analysis. `own` is memory
that it does not share with other processes. Finally a start with the default two web processes, and
some seconds later the first click on pages of results: seconds, at most 1.
"""

import argparse
import http.cookiejar
import os
import re
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path
from urllib.parse import urlencode

ROOT = Path(__file__).resolve().parent.parent
MOST = 1.5
SIGN_IN = {"username": "manager", "password": "demo-mteval"}
PAGES = ("agreement", "scores", "power")
MOST_CLICK = 1.0
CLICKS = {
    "metrics": "campaigns/CAMPAIGN/correlation/",
    "scores": "campaigns/CAMPAIGN/scores/",
    "examples": "examples/",
}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--repeats", type=int, default=5)
    repeats = parser.parse_args().repeats
    with tempfile.TemporaryDirectory(prefix="mteval-bench-", dir="/tmp") as folder:
        Path(folder).chmod(0o711)
        environment = {**os.environ, "MTEVAL_VAR": folder, "WEB_CONCURRENCY": "1"}
        environment.pop("DATABASE_URL", None)
        print(f"from nothing         {start(environment):6.2f} s")
        imports, starts = [], []
        for _ in range(repeats):
            imports.append(import_once(environment))
            starts.append(start(environment))
        once, again = statistics.median(imports), statistics.median(starts)
        print(f"one import           {once:6.2f} s   median of {repeats}")
        print(f"the second start     {again:6.2f} s   median of {repeats}")
        print(f"ratio                {again / once:6.2f}     at most {MOST}")
        start(environment, show_memory)
        del environment["WEB_CONCURRENCY"]
        clicks: dict[str, float] = {}
        start(environment, lambda pid, port: clicks.update(first_clicks(port)))
    for name, seconds in clicks.items():
        print(f"first click, {name:<12}{seconds:6.2f} s   at most {MOST_CLICK}")
    return 0 if again <= MOST * once and max(clicks.values()) <= MOST_CLICK else 1


def first_clicks(port: int) -> dict[str, float]:
    """Return the seconds from requesting a page to its last byte, each for the first time."""
    time.sleep(10)
    site = f"http://127.0.0.1:{port}"
    browser, campaign = signed_in(site)
    found = {}
    for name, address in CLICKS.items():
        begun = time.monotonic()
        browser.open(f"{site}/{address.replace('CAMPAIGN', str(campaign))}").read()
        found[name] = time.monotonic() - begun
    return found


def import_once(environment: dict[str, str]) -> float:
    """Return the seconds for a new Python process to import the web application."""
    started = time.monotonic()
    command = [sys.executable, "-c", "import mteval_site.wsgi"]
    subprocess.run(command, cwd=ROOT, env=environment, check=True)
    return time.monotonic() - started


def start(environment: dict[str, str], then=None) -> float:
    """Return the seconds until `./run` reports that it is ready; `then(pid, port)` inspects it
    before it ends."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    started = time.monotonic()
    process = subprocess.Popen(
        [ROOT / "run", "--port", str(port)], env=environment, stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    said = []
    for line in process.stdout:
        said.append(line)
        if "Ctrl-C" in line:
            break
    else:
        sys.exit("The site did not start:\n" + "".join(said))
    seconds = time.monotonic() - started
    if then:
        then(process.pid, port)
    process.send_signal(signal.SIGTERM)
    process.wait()
    return seconds


def show_memory(pid: int, port: int) -> None:
    time.sleep(5)  # until the worker has been imported, too
    master = process_of(pid, "gunicorn")
    [web] = children(master)
    tell("web process", web)
    read_pages(f"http://127.0.0.1:{port}")
    tell("after results", web)
    tell("its master", master)
    tell("worker", process_of(pid, "db_worker"))


def tell(name: str, pid: int) -> None:
    """Print the resident memory; shared memory is divided among the processes that share it."""
    fields = dict(
        re.findall(r"^(\w+):\s+(\d+) kB", Path(f"/proc/{pid}/smaps_rollup").read_text(), re.M)
    )
    own = (int(fields["Private_Clean"]) + int(fields["Private_Dirty"])) / 1024
    resident, share = int(fields["Rss"]) / 1024, int(fields["Pss"]) / 1024
    print(f"{name:<20} {resident:6.0f} MB resident, {share:.0f} MB its share, {own:.0f} MB own")


def children(pid: int) -> list[int]:
    return [int(each) for each in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


def process_of(pid: int, name: str) -> int:
    """Return the child whose command line contains the name."""
    return next(p for p in children(pid) if name in Path(f"/proc/{p}/cmdline").read_text())


def read_pages(site: str) -> None:
    """Sign in and open pages of results of the first campaign."""
    browser, campaign = signed_in(site)
    for page in PAGES:
        browser.open(f"{site}/campaigns/{campaign}/{page}/").read()


def signed_in(site: str) -> tuple[urllib.request.OpenerDirector, int]:
    """Return a browser of the demo's manager, and the first campaign."""
    jar = http.cookiejar.CookieJar()
    browser = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(jar))
    browser.open(f"{site}/sign-in/").read()
    token = next(cookie.value for cookie in jar if cookie.name == "csrftoken")
    data = urlencode({**SIGN_IN, "csrfmiddlewaretoken": token}).encode()
    browser.open(f"{site}/sign-in/", data).read()
    listed = browser.open(f"{site}/campaigns/").read().decode()
    return browser, min(int(found) for found in re.findall(r"/campaigns/(\d+)/", listed))


if __name__ == "__main__":
    sys.exit(main())
