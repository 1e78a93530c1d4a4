"""Other bundles made from one: altered by somebody, with or without the key."""

import json
import zipfile
from pathlib import Path

from judgments.publishing.bundles import archive, signing
from judgments.publishing.bundles.release import MANIFEST, SIGNATURE


def altered(file: Path, to: Path, name: str, change) -> Path:
    """A bundle in which one file is another: `change` of its bytes; None leaves it out."""
    with zipfile.ZipFile(file) as old, zipfile.ZipFile(to, "w") as new:
        names = [*old.namelist()] + [name] * (name not in old.namelist())
        for each in names:
            content = old.read(each) if each in old.namelist() else b""
            content = change(content) if each == name else content
            if content is not None:
                new.writestr(each, content)
    return to


def one_byte(place: int):
    """Another letter or digit at the first one behind a place."""

    def change(content: bytes) -> bytes:
        at = next(i for i in range(place, len(content)) if content[i : i + 1].isalnum())
        other = b"1" if content[at : at + 1] != b"1" else b"2"
        return content[:at] + other + content[at + 1 :]

    return change


def resigned(file: Path, to: Path, changes: dict | None = None, **fields) -> Path:
    """Return the same by a holder of the key: all hashes and the signature match. changes: by the
    names of files; fields: new fields of the manifest."""
    folder = to.with_suffix("")
    archive.unpack(file, folder)
    manifest = json.loads((folder / MANIFEST).read_text())
    for name, change in (changes or {}).items():
        path = folder / name
        path.write_bytes(change(path.read_bytes() if path.exists() else b""))
        manifest["files"][name] = archive.digest_of(path)
    text = json.dumps(manifest | fields)
    (folder / MANIFEST).write_text(text)
    (folder / SIGNATURE).write_text(signing.sign(text.encode()))
    archive.pack(folder, to)
    return to
