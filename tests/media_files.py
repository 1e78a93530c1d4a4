"""Small media files, made here: the least that is of each kind."""

import io
import struct
import wave
import zipfile
import zlib


def wav(seconds: float = 0.2, rate: int = 8000) -> bytes:
    """Silence."""
    made = io.BytesIO()
    with wave.open(made, "wb") as out:
        out.setnchannels(1)
        out.setsampwidth(2)
        out.setframerate(rate)
        out.writeframes(bytes(2 * int(seconds * rate)))
    return made.getvalue()


def png() -> bytes:
    """One gray pixel."""

    def chunk(name: bytes, data: bytes) -> bytes:
        body = name + data
        return struct.pack(">I", len(data)) + body + struct.pack(">I", zlib.crc32(body))

    head = struct.pack(">IIBBBBB", 1, 1, 8, 0, 0, 0, 0)
    packed = zlib.compress(b"\0\x80")
    return (
        b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", packed) + chunk(b"IEND", b"")
    )


VTT = b"WEBVTT\n\n00:00.000 --> 00:00.100\nMoin\n"


def zipped(files: dict[str, bytes]) -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as out:
        for name, content in files.items():
            out.writestr(zipfile.ZipInfo(name), content)
    return made.getvalue()


def table(*rows: tuple[str, ...]) -> bytes:
    """Rows of segment, source, media, captions, start, end; with one output."""
    header = ["segment", "source", "media", "captions", "media_start", "media_end", "system:A"]
    lines = ["\t".join(header), *("\t".join([*row, "Hello."]) for row in rows)]
    return ("\n".join(lines) + "\n").encode()
