"""The text of a file in either format."""

from __future__ import annotations

from .json_text import read_json
from .nodes import LARGEST, FileMapping
from .tree import refuse
from .yaml_text import read_yaml

JSON_ENDING = ".json"
YAML_ENDINGS = (".yaml", ".yml")


def read_text(content: bytes | str, name: str = "") -> FileMapping:
    """Return the tree of a file. name: of the file; with an unknown extension, a file that begins
    with { is JSON.

    Raise BadCampaignFile.
    """
    if len(content) > LARGEST:
        raise refuse(f"the file is larger than {LARGEST:,} bytes; name files of texts in it.")
    text = (decoded(content) if isinstance(content, bytes) else content).removeprefix("\ufeff")
    name = name.lower()
    is_json = name.endswith(JSON_ENDING) or (
        not name.endswith(YAML_ENDINGS) and text.lstrip().startswith("{")
    )
    return read_json(text) if is_json else read_yaml(text)


def decoded(content: bytes) -> str:
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise refuse(f"line {line} is not UTF-8.") from None
