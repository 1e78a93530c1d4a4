"""`mteval` starts the site, `mteval manage COMMAND ...` runs a command, `mteval neural` installs
the neural metrics: what `./run` does in a checkout.

The checkout's folders are in `site`, next to this file, and are importable only in the processes
started here. Nothing is written there: data go to MTEVAL_VAR, by default `mteval` in the user's
data folder (`XDG_DATA_HOME`, or `~/.local/share`).
"""

import os
import sys
from pathlib import Path

SITE = Path(__file__).resolve().parent / "site"


def data_folder() -> Path:
    """Return the default data folder, without MTEVAL_VAR or `--data`."""
    base = os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share"
    return Path(base) / "mteval"


def main() -> None:
    """Replace this process by the requested one, so that signals reach it."""
    arguments = sys.argv[1:]
    folder = Path(os.environ.get("MTEVAL_VAR") or data_folder()).absolute()
    os.environ["MTEVAL_VAR"] = str(folder)
    os.environ.setdefault("MTEVAL_NEURAL", str(folder / "neural"))
    os.environ.setdefault("MTEVAL_MODELS", str(folder / "models"))
    if arguments[:1] == ["manage"]:
        line = [str(SITE / "manage.py"), *arguments[1:]]
    elif arguments[:1] == ["neural"]:
        line = [str(SITE / "bootstrap.py"), "run", *arguments]
    else:
        line = [str(SITE / "mteval_site" / "local" / "__main__.py"), *arguments]
    os.execv(sys.executable, [sys.executable, *line])


if __name__ == "__main__":
    main()
