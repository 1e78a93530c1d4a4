"""Finding a model on this machine, and fetching one from the model hub. In the other environment.

The worker itself is offline (``HF_HUB_OFFLINE``), so that nothing it loads waits for a network. A
model that is missing is fetched by another process.
"""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

WEIGHTS = ("model.safetensors", "model.safetensors.index.json")
CONFIGURATION = ["*.json", "*.txt", "*.model"]
COMET_CHECKPOINT = "checkpoints/model.ckpt"
METRICX_TOKENIZER = "google/mt5-xl"
HOW = "./run neural download"


class NoModel(Exception):
    """A model that is not to be had, with the reason in words."""


def find(name: str, *, may_download: bool, waiting: Callable[[], object]) -> str:
    """Return the folder of a model: ``name`` itself if it is an absolute path, or that of a hub's
    model.

    ``waiting`` is called every few seconds while a model is fetched. Raise NoModel.
    """
    if os.path.isabs(name):
        if not os.path.isdir(name):
            raise NoModel(f"There is no model folder {name}.")
        return name
    if folder := _kept(name):
        return folder
    if not may_download:
        raise NoModel(f"The model {name} is not on this machine; fetch it with: {HOW} {name}")
    _fetch(name, waiting)
    if folder := _kept(name):
        return folder
    raise NoModel(f"The model {name} was fetched, but is not complete.")


def _kept(name: str) -> str | None:
    """Return the folder of a hub's model in the cache on this machine, if its weights are there."""
    from huggingface_hub import snapshot_download
    from huggingface_hub.errors import LocalEntryNotFoundError

    try:
        folder = snapshot_download(name, local_files_only=True)
    except LocalEntryNotFoundError:
        return None
    names = (COMET_CHECKPOINT, *WEIGHTS, "pytorch_model.bin", "pytorch_model.bin.index.json")
    return folder if any(os.path.exists(os.path.join(folder, each)) for each in names) else None


def _fetch(name: str, waiting: Callable[[], object]) -> None:
    variables = {key: value for key, value in os.environ.items() if key != "HF_HUB_OFFLINE"}
    command = [sys.executable, "-m", "metrics.neural", "download", name]
    with subprocess.Popen(command, env=variables, stderr=subprocess.PIPE, text=True) as child:
        while True:
            try:
                _, said = child.communicate(timeout=5)
                break
            except subprocess.TimeoutExpired:
                waiting()
    if child.returncode:
        last = said.strip().splitlines()[-1:] or ["no reason was given"]
        raise NoModel(last[0])


def download(name: str) -> str:
    """Fetch what scoring needs of a hub's model; its folder. Raise NoModel."""
    if os.environ.get("HF_HUB_OFFLINE", "") not in ("", "0"):
        raise NoModel(f"The model {name} is not on this machine, and HF_HUB_OFFLINE is set.")
    from huggingface_hub import HfApi, snapshot_download
    from huggingface_hub.errors import GatedRepoError, HFValidationError, RepositoryNotFoundError
    from requests.exceptions import RequestException

    try:
        files = [file.rfilename for file in HfApi().model_info(name, timeout=10).siblings or ()]
        folder = snapshot_download(name, allow_patterns=_wanted(files), etag_timeout=10)
        if encoder := _encoder_of_comet(folder) or _tokenizer_of_metricx(name):
            snapshot_download(encoder, allow_patterns=CONFIGURATION, etag_timeout=10)
    except HFValidationError:
        raise NoModel(f"{name!r} is not the name of a model.") from None
    except GatedRepoError:
        raise NoModel(
            f"The model {name} asks for a license to be accepted: accept it on its page on the "
            "model hub, then set HF_TOKEN to an access token of yours."
        ) from None
    except RepositoryNotFoundError:
        raise NoModel(
            f"The model hub has no model {name}, or it is private and HF_TOKEN is not set."
        ) from None
    except (RequestException, OSError) as error:
        raise NoModel(
            f"The model {name} could not be fetched ({type(error).__name__}); check the network "
            "connection, or put the model's folder on this machine and name that."
        ) from None
    return folder


def _wanted(files: list[str]) -> list[str]:
    """Return for the formats in which a model is kept beside each other, one."""
    if COMET_CHECKPOINT in files:
        return [COMET_CHECKPOINT, "*.yaml"]
    if any(each in files for each in WEIGHTS):
        return [*CONFIGURATION, "model*.safetensors"]
    return [*CONFIGURATION, "pytorch_model*.bin"]


def _tokenizer_of_metricx(name: str) -> str | None:
    """Return the model whose tokenizer MetricX uses, which comes without one."""
    return METRICX_TOKENIZER if "metricx" in name.lower() else None


def _encoder_of_comet(folder: str) -> str | None:
    """Return the model whose tokenizer a COMET checkpoint uses."""
    file = Path(folder) / "hparams.yaml"
    if not file.exists():
        return None
    import yaml

    return yaml.safe_load(file.read_text(encoding="utf-8")).get("pretrained_model")
