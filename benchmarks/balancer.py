"""A small TCP load balancer that uses health checks."""

import asyncio
import contextlib

ASK_EVERY, ASK_PATIENCE = 1.0, 1.0
FALLEN = 3  # checks without an answer until a host is left out, HAProxy's default ("fall")


class Balancer:
    """Passes connections on to the hosts in turn, and to another one if a host does not accept. A
    host that fails three checks of the path `health` in a row is left out, and its connections are
    closed, so that browsers retry. After a single failure, overload would close the connections of
    everybody, whose retries would keep it overloaded."""

    def __init__(self, port: int, hosts: list[tuple[str, int]], health: str) -> None:
        self.port, self.hosts, self.health = port, hosts, health
        self.well = dict.fromkeys(hosts, False)
        self.open: dict[tuple[str, int], set[asyncio.StreamWriter]] = {h: set() for h in hosts}
        self.turn = 0
        self.server: asyncio.Server | None = None

    async def start(self) -> None:
        self.server = await asyncio.start_server(self._serve, "127.0.0.1", self.port)

    async def look_after(self, host: tuple[str, int]) -> None:
        """Check one host repeatedly."""
        n_failed = FALLEN
        while True:
            n_failed = 0 if await self._is_well(host) else n_failed + 1
            self.well[host] = n_failed < FALLEN
            if not self.well[host]:
                for writer in list(self.open[host]):
                    writer.transport.abort()
            await asyncio.sleep(ASK_EVERY)

    async def _is_well(self, host: tuple[str, int]) -> bool:
        writer = None
        try:
            async with asyncio.timeout(ASK_PATIENCE):
                reader, writer = await asyncio.open_connection(*host)
                writer.write(
                    f"GET {self.health} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n"
                    .encode()
                )  # fmt: skip
                return b" 200 " in await reader.readline()
        except (OSError, TimeoutError):
            return False
        finally:
            if writer:
                writer.transport.abort()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        found = await self._connect()
        if found is None:
            writer.transport.abort()
            return
        host, inner_reader, inner_writer = found
        both = (writer, inner_writer)
        self.open[host] |= set(both)
        with contextlib.suppress(asyncio.CancelledError):
            await asyncio.wait(
                [
                    asyncio.create_task(pass_on(reader, inner_writer)),
                    asyncio.create_task(pass_on(inner_reader, writer)),
                ],
                return_when=asyncio.FIRST_COMPLETED,
            )
        for each in both:
            each.transport.abort()
        self.open[host] -= set(both)

    async def _connect(self):
        """Return (host, reader, writer) of the next host that accepts a connection, or None."""
        there = [host for host in self.hosts if self.well[host]]
        self.turn += 1
        for turn in range(len(there)):
            host = there[(self.turn + turn) % len(there)]
            try:
                async with asyncio.timeout(ASK_PATIENCE):
                    return host, *await asyncio.open_connection(*host)
            except (OSError, TimeoutError):
                continue
        return None


async def pass_on(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Copy data until either side ends."""
    with contextlib.suppress(OSError):
        while data := await reader.read(65536):
            writer.write(data)
            await writer.drain()
        await asyncio.sleep(0)
