"""gunicorn's worker where `./run` listens at an address that other machines reach: it serves the
proxies of TRUSTED_PROXIES, this machine, and nobody else.

A request whose head or body does not come to its end keeps one of the worker's threads for as long
as its sender likes. A proxy waits for whole requests with time-outs and limits of its own; past it,
some dozens of unfinished ones would keep everybody out.
"""

from ipaddress import ip_address

from gunicorn.workers.gthread import TConn

from mteval_site import environment
from mteval_site.local.lanes import WebWorker

LOOPBACK = ("127.0.0.1", "::1")


class ProxiedWorker(WebWorker):
    """Closes connections of others before anything is read of them."""

    def __init__(self, *args: object, **kwargs: object) -> None:
        super().__init__(*args, **kwargs)
        self.proxies = environment.networks("TRUSTED_PROXIES")

    def enqueue_req(self, conn: TConn) -> None:
        if serves(conn.client[0], conn.server[0], self.proxies):
            super().enqueue_req(conn)
        else:
            self.nr_conns -= 1
            conn.close()


def serves(client: str, server: str, proxies: list) -> bool:
    """Return whether a connection is from this machine or from a proxy.

    server: the address of this machine that was connected to. proxies: as environment.networks
    returns them.
    """
    if client in (*LOOPBACK, server):
        return True
    address = ip_address(client)
    address = getattr(address, "ipv4_mapped", None) or address
    return any(address in network for network in proxies if not isinstance(network, str))
