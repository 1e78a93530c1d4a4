"""HAProxy in front of several hosts, with the configuration of docs/deploy."""

import csv
import re
import shutil
import socket
import subprocess
import sys
from pathlib import Path

COMMAND = shutil.which("haproxy") or shutil.which("haproxy", path="/usr/sbin")
CONFIGURATION = Path(__file__).resolve().parent.parent / "docs/deploy/haproxy.cfg"


class Balancer:
    """Passes connections on to hosts in turn, and leaves out those that fail their checks.
    hosts: (address, port) by name."""

    def __init__(self, folder: Path, port: int, hosts: dict[str, tuple[str, int]]) -> None:
        self.port, self.state = port, folder / "balancer.sock"
        servers = "".join(f"    server {name} {ip}:{p}\n" for name, (ip, p) in hosts.items())
        text = CONFIGURATION.read_text()
        text = re.sub(r"stats socket \S+", f"stats socket {self.state}", text)
        text = re.sub(r"bind \S+", f"bind 127.0.0.1:{port}", text)
        text = re.sub(r"(    server .*\n)+", servers, text)
        file = folder / "balancer.cfg"
        file.write_text(text)
        self.log = folder / "balancer.log"
        with open(self.log, "wb") as log:
            self.process = subprocess.Popen(
                [str(COMMAND), "-db", "-f", str(file)],
                stdin=subprocess.DEVNULL, stdout=log, stderr=log,
            )  # fmt: skip

    def is_up(self, name: str) -> bool:
        """Return whether a host passed its last checks."""
        try:
            with socket.socket(socket.AF_UNIX) as session:
                session.connect(str(self.state))
                session.sendall(b"show stat\n")
                with session.makefile() as answer:
                    rows = list(csv.DictReader(answer))
        except OSError:
            if self.process.poll() is not None:
                sys.exit(f"HAProxy has ended: {self.log.read_text()}")
            return False  # it is still starting
        return any(
            row["svname"] == name and row["status"] == "UP" and row["check_status"] == "L7OK"
            for row in rows
        )

    def stop(self) -> None:
        self.process.terminate()
        self.process.wait()
