"""What kind of file it is, by its first bytes. Nothing else is taken: no SVG, no HTML, no archive.

Signatures: MIME Sniffing Standard (WHATWG), sections 6.1 and 6.2, and the specifications of MPEG
audio frames (ISO/IEC 11172-3), FLAC (RFC 9639), Ogg (RFC 3533) and WebVTT (W3C).
"""

from __future__ import annotations

VTT = "text/vtt"
# The endings that a file of a kind may have. The first is the one it is served under.
ENDINGS: dict[str, tuple[str, ...]] = {
    "audio/mpeg": ("mp3",),
    "audio/wav": ("wav",),
    "audio/flac": ("flac",),
    "audio/ogg": ("ogg", "oga", "opus"),
    "audio/mp4": ("m4a", "mp4"),
    "video/mp4": ("mp4", "m4v"),
    "video/webm": ("webm",),
    "image/png": ("png",),
    "image/jpeg": ("jpg", "jpeg"),
    "image/gif": ("gif",),
    "image/webp": ("webp",),
    VTT: ("vtt",),
}
HEAD = 512  # bytes that tell the kind
BEGINNINGS = (
    (b"fLaC", "audio/flac"),
    (b"ID3", "audio/mpeg"),
    (b"\x89PNG\r\n\x1a\n", "image/png"),
    (b"\xff\xd8\xff", "image/jpeg"),
    (b"GIF87a", "image/gif"),
    (b"GIF89a", "image/gif"),
)
IN_RIFF = {b"WAVE": "audio/wav", b"WEBP": "image/webp"}
SOUND_BRANDS = (b"M4A ", b"M4B ")
FILM_BRANDS = (
    b"isom", b"iso2", b"iso3", b"iso4", b"iso5", b"iso6", b"mp41", b"mp42", b"avc1", b"M4V ",
    b"M4VH", b"M4VP", b"dash",
)  # fmt: skip
SPOKEN = "MP3, WAV, FLAC, Ogg, M4A, MP4, WebM, PNG, JPEG, GIF, WebP, and WebVTT for captions"


def kind_of(head: bytes) -> str:
    """Return the kind of a file by its first `HEAD` bytes; "" for one that is not taken."""
    for beginning, kind in BEGINNINGS:
        if head.startswith(beginning):
            return kind
    if head.startswith(b"RIFF"):
        return IN_RIFF.get(head[8:12], "")
    if head.startswith(b"OggS"):
        return "" if b"\x80theora" in head else "audio/ogg"  # browsers do not play Theora
    if head[4:8] == b"ftyp":
        brand = head[8:12]
        return "audio/mp4" if brand in SOUND_BRANDS else "video/mp4" * (brand in FILM_BRANDS)
    if head.startswith(b"\x1a\x45\xdf\xa3"):
        return "video/webm" if b"\x42\x82\x84webm" in head[:64] else ""
    if is_captions(head):
        return VTT
    return "audio/mpeg" if is_frame(head) else ""


def is_frame(head: bytes) -> bool:
    """Return whether MPEG audio of layer III begins here: a byte order mark of UTF-16 is none."""
    if len(head) < 4 or head[0] != 0xFF or head[1] & 0xE0 != 0xE0:
        return False
    version, layer = head[1] >> 3 & 3, head[1] >> 1 & 3
    bits, rate = head[2] >> 4, head[2] >> 2 & 3
    return version != 1 and layer == 1 and bits not in (0, 15) and rate != 3


def is_captions(head: bytes) -> bool:
    """Return whether it begins as WebVTT does: the word alone on its line, or with a space behind
    it."""
    text = head.removeprefix(b"\xef\xbb\xbf")
    return text.startswith(b"WEBVTT") and text[6:7] in (b"", b" ", b"\t", b"\n", b"\r")


def fits_name(name: str, kind: str) -> bool:
    """Return whether the ending of a file's name is one of its kind."""
    return name.rpartition(".")[2].lower() in ENDINGS[kind]
