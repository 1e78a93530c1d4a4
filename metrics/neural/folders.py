"""Models that are folders on this machine, and which of the hub may be fetched. In the site.

People who score name a model in a form, so a path is taken only below the operator's folder of
models, and only known models are fetched from the hub, unless the operator allows more.
"""

import hashlib
import os
from collections.abc import Collection
from pathlib import Path

from metrics.neural.environment import ROOT


def folder_of_models() -> Path:
    """Return MTEVAL_MODELS, or ``var/models`` in the checkout."""
    return Path(os.environ.get("MTEVAL_MODELS") or ROOT / "var" / "models").resolve()


def local_model(name: str) -> Path | None:
    """Return the folder that a model's name or path means, None where it means none."""
    top = folder_of_models()
    # Links are followed, for it was the operator who put them there; ".." is not.
    path = Path(os.path.normpath(top / name))
    try:
        return path if path != top and path.is_relative_to(top) and path.is_dir() else None
    except (OSError, ValueError):  # a name that no file can have
        return None


def not_a_model(name: str) -> str:
    return (
        f"{name!r} is not a model: it is not a folder below the folder of models "
        "(MTEVAL_MODELS), nor a name on the model hub such as 'owner/name'."
    )


def may_download(name: str, known: Collection[str]) -> bool:
    """Return whether a worker may fetch a model by itself. MTEVAL_MODEL_DOWNLOADS: known, any,
    none."""
    allowed = os.environ.get("MTEVAL_MODEL_DOWNLOADS") or "known"
    if os.environ.get("HF_HUB_OFFLINE", "") not in ("", "0"):
        return False
    return allowed == "any" or (allowed == "known" and name in known)


def digest(folder: Path) -> str:
    """Return twelve digits that change with any file of a model, however it came to this
    machine."""
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    state = tuple((str(path), path.stat().st_size, path.stat().st_mtime_ns) for path in files)
    if state not in _digests:
        whole = hashlib.sha256()
        for path in files:
            with path.open("rb") as file:
                content = hashlib.file_digest(file, "sha256").hexdigest()
            whole.update(f"{path.relative_to(folder).as_posix()}\n{content}\n".encode())
        _digests[state] = whole.hexdigest()[:12]
    return _digests[state]


# Gigabytes are read once, as long as no file changes.
_digests: dict[tuple, str] = {}
