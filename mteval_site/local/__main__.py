"""The process started by `./run`. Started by its path, so that the user's current folder does not
matter."""

import sys
from pathlib import Path

# Python has put the folder of this file first; the site's modules are two above.
sys.path[0] = str(Path(__file__).resolve().parents[2])

from mteval_site.local.stack import main  # noqa: E402

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
