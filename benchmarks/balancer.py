"""HAProxy in front of several hosts, as an installation on many machines runs it."""

import csv
import shutil
import socket
import subprocess
from pathlib import Path

COMMAND = shutil.which("haproxy") or shutil.which("haproxy", path="/usr/sbin")
# A host is left out after three failed checks, HAProxy's default, and its connections are closed,
# so that browsers retry. After a single failure, overload would close the connections of everybody,
# whose retries would keep it overloaded.
CONFIGURATION = """
global
    maxconn 5000
    stats socket {state} mode 600
defaults
    mode tcp
    timeout connect 1s
    timeout client 120s
    timeout server 120s
    option redispatch 1
listen site
    bind 127.0.0.1:{port}
    balance roundrobin
    option httpchk
    http-check send meth GET uri {health} hdr Host 127.0.0.1
    default-server check inter 1s fall 3 rise 1 on-marked-down shutdown-sessions
{servers}
"""


class Balancer:
    """Passes connections on to hosts in turn, and leaves out those that fail their checks of the
    path `health`. hosts: (address, port) by name."""

    def __init__(
        self, folder: Path, port: int, hosts: dict[str, tuple[str, int]], health: str
    ) -> None:
        self.port, self.hosts = port, hosts
        self.state, self.file = folder / "balancer.sock", folder / "balancer.cfg"
        servers = "\n".join(f"    server {name} {ip}:{p}" for name, (ip, p) in hosts.items())
        self.file.write_text(
            CONFIGURATION.format(state=self.state, port=port, health=health, servers=servers)
        )
        self.log = open(folder / "balancer.log", "wb")  # noqa: SIM115 closed by stop
        self.process = subprocess.Popen(
            [str(COMMAND), "-db", "-f", str(self.file)],
            stdin=subprocess.DEVNULL, stdout=self.log, stderr=self.log,
        )  # fmt: skip

    def is_up(self, name: str) -> bool:
        """Return whether a host passed its last checks."""
        try:
            with socket.socket(socket.AF_UNIX) as session:
                session.connect(str(self.state))
                session.sendall(b"show stat\n")
                with session.makefile() as answer:
                    rows = list(csv.DictReader(answer))
        except OSError:  # it starts
            return False
        return any(row["svname"] == name and row["status"].startswith("UP") for row in rows)

    def stop(self) -> None:
        self.process.terminate()
        self.process.wait()
        self.log.close()
