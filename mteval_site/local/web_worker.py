"""gunicorn's worker if `./run` listens at an address that other machines reach: it serves only the
proxies of TRUSTED_PROXIES and this machine.

A request whose head or body does not arrive completely occupies one of the worker's threads as long
as its sender likes. A proxy waits for complete requests with its own timeouts and limits; without
it, some dozens of incomplete ones would keep everybody out.
"""

from ipaddress import ip_address

from gunicorn.workers.gthread import TConn

from mteval_site import environment
from mteval_site.local.lanes import WebWorker

LOOPBACK = ("127.0.0.1", "::1")


class ProxiedWorker(WebWorker):
    """Closes other connections before anything is read from them."""

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

    server: the address of this machine that was connected to. proxies: as returned by
    environment.networks.
    """
    if client in (*LOOPBACK, server):
        return True
    address = ip_address(client)
    address = getattr(address, "ipv4_mapped", None) or address
    return any(address in network for network in proxies if not isinstance(network, str))
