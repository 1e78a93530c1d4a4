"""Why work cannot be planned; and how much of it is written at once."""

MOST_ITEMS = 500_000  # that are written at once: a request has to end


class PlanError(ValueError):
    """The work cannot be planned so; the message says why, for the manager."""


def check_size(n_items: int) -> None:
    """Raise PlanError for more items than are written at once."""
    if n_items > MOST_ITEMS:
        raise PlanError(
            f"A plan has at most {MOST_ITEMS:,} items for all annotators together. Use fewer "
            "segments or systems, fewer comparisons of each segment, or fewer annotators for "
            "each batch."
        )
