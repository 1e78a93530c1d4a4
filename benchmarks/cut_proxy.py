"""A wire that can be cut: a TCP proxy in front of the web server, in the benchmark's own event
loop."""

import asyncio
import contextlib


class CutProxy:
    """Forwards bytes to the port `target`. While `is_cut`, the server still gets each request, and
    processes it; its answer is dropped and the connection closed, as by a network failure in
    between."""

    def __init__(self, port: int, target: int) -> None:
        self.port, self.target = port, target
        self.is_cut = False
        self.n_dropped = 0
        self.server: asyncio.Server | None = None

    async def start(self) -> None:
        self.server = await asyncio.start_server(self._serve, "127.0.0.1", self.port)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            inner_reader, inner_writer = await asyncio.open_connection("127.0.0.1", self.target)
        except OSError:
            writer.transport.abort()
            return
        requests = asyncio.create_task(self._pass(reader, inner_writer))
        with contextlib.suppress(asyncio.CancelledError):  # at the end of the benchmark
            await self._answer(inner_reader, writer)
        requests.cancel()
        for each in (writer, inner_writer):
            each.close()

    async def _pass(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(OSError):
            while data := await reader.read(65536):
                writer.write(data)
                await writer.drain()
            writer.write_eof()

    async def _answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(OSError):
            while data := await reader.read(65536):
                if self.is_cut:
                    self.n_dropped += 1
                    writer.transport.abort()
                    return
                writer.write(data)
                await writer.drain()
