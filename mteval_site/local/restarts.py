"""When to restart an ended part of the site, and when to give up."""

GOOD_LIFE = 5.0  # seconds: a process that ends sooner has failed to start
FIRST_PAUSE, LONGEST_PAUSE = 0.5, 8.0
FEWEST = 5  # consecutive ends before giving up


class Restarts:
    """The ends of one part. All times are those of one monotonic clock, in seconds.

    patience: for how long restarts may fail before it is hopeless.
    """

    def __init__(self, patience: float) -> None:
        self.patience = patience
        self.n_ends = 0  # consecutive, without a good life in between
        self.first_end = 0.0
        self.up_since: float | None = None

    def is_up(self, now: float) -> None:
        """Note that it serves now."""
        if self.up_since is None:
            self.up_since = now

    def ended(self, now: float) -> float:
        """Note an end. Return the seconds to wait before the next start: none after a good life,
        then pauses that double."""
        lived = self.up_since is not None and now - self.up_since >= GOOD_LIFE
        if lived or not self.n_ends:
            self.n_ends, self.first_end = 0, now
        self.up_since = None
        self.n_ends += 1
        if self.n_ends == 1:
            return 0.0
        return min(FIRST_PAUSE * 2 ** (self.n_ends - 2), LONGEST_PAUSE)

    def are_hopeless(self, now: float) -> bool:
        return self.n_ends >= FEWEST and now - self.first_end >= self.patience
