"""Servers under load: gunicorn, requests that are sent as fast as they are answered, and the
processor time of each side."""

import os
import selectors
import signal
import socket
import statistics
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
TICKS = os.sysconf("SC_CLK_TCK")


@dataclass(frozen=True)
class Speed:
    """Speed of one kind of request: number per second, latencies in milliseconds, and milliseconds
    of processor time per request in the web server and in PostgreSQL."""

    per_second: float
    p50: float
    p95: float
    python: float
    postgres: float

    @property
    def processor(self) -> float:
        return self.python + self.postgres


def middle(runs: Iterable[Speed]) -> Speed:
    """Return the median of each figure."""
    columns = zip(*(vars(run).values() for run in runs), strict=True)
    return Speed(*map(statistics.median, columns))


def measured(port: int, queues: list[list[bytes]], seconds: float, expected: bytes, pids):
    """Return (Speed, number of requests sent by each connection). pids: the first processes of the
    web server and of PostgreSQL."""
    before = [processor_seconds(pid) for pid in pids]
    latencies, done, elapsed = drive(port, queues, seconds, expected)
    spent = [processor_seconds(pid) - was for pid, was in zip(pids, before, strict=True)]
    latencies.sort()
    n = len(latencies)
    return Speed(
        n / elapsed,
        1000 * latencies[n // 2],
        1000 * latencies[int(n * 0.95)],
        1000 * spent[0] / n,
        1000 * spent[1] / n,
    ), done


def processor_seconds(pid: int) -> float:
    """Return the processor seconds of a process, its living children and those it has waited for.
    One level: neither gunicorn's workers nor PostgreSQL's processes have children."""
    found = 0
    for entry in Path("/proc").iterdir():
        if not entry.name.isdigit():
            continue
        try:
            fields = (entry / "stat").read_text().rpartition(")")[2].split()
        except OSError:  # it has just ended
            continue
        if int(entry.name) == pid:
            found += sum(map(int, fields[11:15]))
        elif int(fields[1]) == pid:
            found += sum(map(int, fields[11:13]))
    return found / TICKS


def drive(port: int, queues: list[list[bytes]], seconds: float, expected: bytes):
    """Send each connection's requests one after the other, all connections at once."""
    selector = selectors.DefaultSelector()
    done, latencies = [0] * len(queues), []
    started = time.perf_counter()
    for i in range(len(queues)):
        connection = socket.create_connection(("127.0.0.1", port))
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        selector.register(connection, selectors.EVENT_READ, [i, b"", time.perf_counter()])
        connection.sendall(queues[i][0])
    while selector.get_map():
        for key, _ in selector.select():
            assert isinstance(key.fileobj, socket.socket)
            connection, state = key.fileobj, key.data
            state[1] += connection.recv(262_144)
            if not complete(state[1]):
                continue
            i, answer, sent = state
            if answer[9:12] != expected:
                raise SystemExit(f"unexpected answer: {answer[:2000].decode(errors='replace')}")
            now = time.perf_counter()
            latencies.append(now - sent)
            done[i] += 1
            if now - started > seconds or done[i] == len(queues[i]):
                selector.unregister(connection)
                connection.close()
                continue
            state[1], state[2] = b"", now
            connection.sendall(queues[i][done[i]])
    return latencies, done, time.perf_counter() - started


def complete(answer: bytes) -> bool:
    head, separator, body = answer.partition(b"\r\n\r\n")
    if not separator:
        return False
    for line in head.split(b"\r\n")[1:]:
        name, _, value = line.partition(b":")
        if name.lower() == b"content-length":
            return len(body) >= int(value)
    return b"0\r\n\r\n" in body  # chunked


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def start_server(application: str, port: int, workers: int) -> subprocess.Popen:
    """Start gunicorn with the options of `./run`, for any application in this folder or the
    project's."""
    command = [sys.executable, "-m", "gunicorn", application, "--workers", str(workers)]
    command += ["--worker-class", "gthread", "--threads", "4", "--bind", f"127.0.0.1:{port}"]
    command += ["--preload", "--keep-alive", "5", "--no-control-socket"]
    path = os.pathsep.join([str(ROOT), str(ROOT / "benchmarks")])
    server = subprocess.Popen(command, cwd=ROOT, env=os.environ | {"PYTHONPATH": path})
    for _ in range(200):
        try:
            urllib.request.urlopen(f"http://127.0.0.1:{port}/").read()
            return server
        except urllib.error.HTTPError:  # an error status
            return server
        except OSError:
            time.sleep(0.1)
    raise SystemExit("The web server did not start.")


def stop_server(server: subprocess.Popen) -> None:
    server.send_signal(signal.SIGTERM)
    server.wait()
