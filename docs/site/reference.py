"""The commands and the settings of a site, read from the code."""

import ast
import re
from pathlib import Path

from django.core.management import get_commands, load_command_class

from mteval_site.local import stack

ROOT = Path(__file__).resolve().parents[2]
OURS = ("judgments", "metrics", "mteval_site")
READERS = {"env", "environment"}
# What the readers of `mteval_site/environment.py` make of the text of a variable.
KINDS = {
    "text": "text",
    "flag": "`true` or `false`",
    "words": "list, separated by commas",
    "several": "list, separated by commas",
    "limits": "list of `name=number`",
    "integer": "whole number",
    "number": "number",
    "choice": "one of a few words",
    "required": "text",
    "token": "secret",
    "endpoints": "list of `name=address`",
    "networks": "list of addresses and networks",
    "database": "address of a database",
    "mail": "address of a mail server",
    "secret_key": "secret",
}


COMMANDS = """# Commands

`./run` starts the site; `./run manage COMMAND` runs one of the commands below on the database of
the site. This page is made of what each says of itself with `--help`.
"""
SETTINGS = """# Settings

Every setting is an environment variable. What it is read as, its default and the module that reads
it are taken from the code; what it means, from the
[operators' guide](../guide/operator.md#variables).

| variable | meaning | read as | default | read in |
| --- | --- | --- | --- | --- |
"""
# Options that Django gives every command.
OF_DJANGO = "|".join(
    [
        *("--version", r"-v \{0,1,2,3\}(?:, --verbosity \{0,1,2,3\})?", "--settings SETTINGS"),
        *("--pythonpath PYTHONPATH", "--traceback", "--no-color", "--force-color", "--skip-checks"),
    ]
)


def commands() -> str:
    parts = [COMMANDS, f"## ./run\n\n```text\n{stack.parser().format_help()}```\n"]
    for name, app in sorted(get_commands().items()):
        if app in OURS:
            command = load_command_class(app, name)
            shown = command.create_parser("./run manage", name).format_help()
            parts.append(f"## {name}\n\n```text\n{plain(shown)}```\n")
    return "\n".join(parts)


def plain(shown: str) -> str:
    """Return what a command says of itself without the options that all have."""
    usage, *blocks = shown.replace("usage: run", "usage: ./run", 1).split("\n\n")
    usage = re.sub(rf"\s*\[(?:{OF_DJANGO})\]", "", usage)
    described = rf"^  (?:{OF_DJANGO})(?=\s).*\n(?:^ {{8,}}.*\n)*"
    return re.sub(described, "", "\n\n".join([usage, *blocks]), flags=re.MULTILINE)


def variables() -> str:
    known = meanings()
    rows = [
        f"| `{name}` | {known.get(name, '')} | {kind} | {default} | `{module}` |"
        for name, (kind, default, module) in sorted(read_variables().items())
    ]
    return SETTINGS + "\n".join(rows) + "\n"


def read_variables() -> dict[str, tuple[str, str, str]]:
    """Return kind, default and module by variable, the settings' own reading before others."""
    paths = [ROOT / "mteval_site" / "settings.py"]
    for package in OURS:
        paths += sorted((ROOT / package).rglob("*.py"))
    paths += [ROOT / "bootstrap.py", ROOT / "gunicorn.conf.py", ROOT / "manage.py"]
    found: dict[str, tuple[str, str, str]] = {}
    for path in paths:
        for node in ast.walk(ast.parse(path.read_text())):
            if read := variable_of(node):
                name, kind, default = read
                found.setdefault(name, (kind, default, path.relative_to(ROOT).as_posix()))
    return found


def variable_of(node: ast.AST) -> tuple[str, str, str] | None:
    """Return (name, kind, default) if the node reads a variable of ours."""
    if isinstance(node, ast.Subscript) and ast.unparse(node.value) == "os.environ":
        reader, arguments = "text", [node.slice]
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        owner, reader = ast.unparse(node.func.value), node.func.attr
        if owner not in READERS | {"os.environ"} or (owner in READERS and reader not in KINDS):
            return None
        arguments = node.args
    else:
        return None
    if not arguments or not isinstance(arguments[0], ast.Constant):
        return None
    name = str(arguments[0].value)
    if not name.isupper() or name in {"DJANGO_SETTINGS_MODULE", "HF_HUB_OFFLINE"}:
        return None
    has_default = len(arguments) > 1 and reader not in ("several", "limits")
    default = f"`{ast.unparse(arguments[-1])}`" if has_default else ""
    return name, KINDS.get(reader, "text"), default.replace("|", "\\|")


def meanings() -> dict[str, str]:
    guide = (ROOT / "docs" / "guide" / "operator.md").read_text(encoding="utf-8")
    table = guide.split("\n## Variables\n")[1].split("\n## ")[0]
    found = {}
    for line in table.splitlines():
        cells = re.split(r"(?<!\\)\|", line)
        if len(cells) > 3:
            for name in re.findall(r"`([A-Z_]+)`", cells[1]):
                # Links of the guide lead elsewhere from here.
                found[name] = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", cells[2].strip())
    return found
