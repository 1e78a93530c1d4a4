"""The minimum of a smooth function of one or two positive numbers that is dear to evaluate."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

MOST_STEPS = 8
WIDTH = 1e-3  # of the differences, and
ENDS = 1e-3  # of the last step, both in parts; errors shrink a thousandfold a step


def newton(loss: Callable[[np.ndarray], float], start: np.ndarray) -> np.ndarray | None:
    """Return Newton's steps with derivatives by differences, (n,) → (n,), n one or two, all above
    0.

    From a good start a few steps of six evaluations are enough. None where the function is not
    convex, and where the steps lead up or far away, as towards 0: another method is to search then.
    """
    at = np.asarray(start, np.float64)
    for _ in range(MOST_STEPS):
        wide = WIDTH * at
        here = loss(at)
        up, down = (np.array([loss(at + sign * d) for d in np.diag(wide)]) for sign in (1, -1))
        if not np.isfinite([here, *up, *down]).all():
            return None
        hessian = np.diag((up + down - 2 * here) / wide**2)
        if len(at) == 2:
            both = loss(at + wide) - up.sum() + here
            hessian[0, 1] = hessian[1, 0] = both / wide.prod()
        if not np.isfinite(hessian).all() or np.linalg.eigvalsh(hessian)[0] <= 0:
            return None
        step = np.linalg.solve(hessian, (up - down) / (2 * wide))
        if (np.abs(step) > at / 2).any():
            return None
        at = at - step
        if (np.abs(step) < ENDS * at).all():
            return at if loss(at) <= loss(start) else None
    return None
