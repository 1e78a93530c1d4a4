"""Numbers of things in the English sentences of a report."""

SMALL = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")


def number(n: int) -> str:
    return SMALL[n] if 0 <= n < len(SMALL) else f"{n:,}"


def counted(n: int, thing: str) -> str:
    return f"{number(n)} {thing}" if n == 1 else f"{number(n)} {thing}s"
