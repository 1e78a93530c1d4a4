"""``./run neural`` creates the environment; ``./run neural download NAME ...`` downloads models."""

import sys

from metrics.neural import hub


def main(arguments: list[str]) -> int:
    if not arguments:
        print("The environment of the neural metrics is ready.")
        return 0
    if arguments[0] != "download" or len(arguments) < 2 or arguments[1].startswith("-"):
        print("Usage: ./run neural [download NAME ...]", file=sys.stderr)
        return 2
    for name in arguments[1:]:
        try:
            print(f"{name}: {hub.download(name)}")
        except hub.NoModel as error:
            print(error, file=sys.stderr)
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
