"""Numerical inverse kinematics of a chain: pose and position goals, limits, restarts, and the nearest when it fails."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from taskmatrix.core.base.errors import ParameterError
from taskmatrix.core.robot.plans import Indices, Solution
from taskmatrix.core.world.objects import Array

from .chain import Chain, Flags
from .descent import Goals
from .search import FOUND, NOT_A_ROTATION, NOT_FOUND, START_NOT_FINITE, TARGET_NOT_FINITE, search, search_each

POSITION_TOLERANCE = 1e-4  # [m]
ROTATION_TOLERANCE = 1e-3  # [rad]
INSIDE = 0.99  # of the tolerances are used, the rest is for rounding
ATTEMPTS = 200
ITERATIONS = 40
PATIENCE = 1  # steps without progress: beginning again elsewhere is cheaper than waiting
PULLED_PATIENCE = 10  # likewise with a reference, which draws away from the target at first
NOWHERE = np.empty(0)
TROUBLES = {
    START_NOT_FINITE: "the start of {} must consist of finite numbers",
    TARGET_NOT_FINITE: "every target of {} must consist of finite numbers",
    NOT_A_ROTATION: "the orientation of every target of {} must be a rotation matrix",
}


@dataclass(frozen=True)
class IkSettings:
    """How much a search may do, and what is near enough.

    Raises:
        ParameterError: No attempt, a negative number of steps, or a tolerance that is not positive.
    """

    attempts: int = ATTEMPTS
    """Descents at most."""
    iterations: int = ITERATIONS
    """Steps of a descent at most, and half of those that look for the nearest if none arrives."""
    position_tolerance: float = POSITION_TOLERANCE
    """[m]"""
    rotation_tolerance: float = ROTATION_TOLERANCE
    """[rad]"""

    def __post_init__(self) -> None:
        attempts, iterations = self.attempts, self.iterations
        if attempts < 1 or iterations < 0:
            raise ParameterError(f"attempts must be at least 1 and iterations 0, not {attempts} and {iterations}")
        near, turned = self.position_tolerance, self.rotation_tolerance
        if not (near > 0.0 and turned > 0.0):
            raise ParameterError(f"the tolerances must be positive, not {near} and {turned}")


DEFAULTS = IkSettings()


@dataclass(frozen=True, eq=False)
class ChainSolution(Solution):
    """What a search found, or the nearest it came."""

    reached: bool
    """Whether it is on a target within the tolerances, and was accepted."""
    target: int
    """Which of the targets; zero if there is one."""
    attempts: int
    """Descents made."""
    iterations: int
    """Steps of all of them."""
    refused: int
    """Configurations on a target that were not accepted; if there are any and it failed, the last one is given."""
    chain: Chain
    """The chain."""

    @property
    def at_limits(self) -> dict[int, str]:
        """The moving coordinates that are on one of their limits, and on which: ``lower`` or ``upper``."""
        return self.chain.at_limits(self.q)


@dataclass(frozen=True, eq=False)
class BatchSolution:
    """What a search found for each of many targets, or the nearest it came."""

    q: Array
    """(b, n) All active joint positions."""
    distance: Array
    """(b,) [m] What is left between the frame and its target."""
    angle: Array
    """(b,) [rad] What is left between the orientations."""
    reached: Flags
    """(b,) Whether a configuration is on its target within the tolerances."""
    attempts: Indices
    """(b,) Descents made."""
    iterations: Indices
    """(b,) Steps of all of them."""


def solve(
    chain: Chain,
    targets: Array,
    start: Array,
    settings: IkSettings = DEFAULTS,
    *,
    reference: Array | None = None,
    accept: Callable[[Array], bool] | None = None,
    seed: int | np.random.Generator = 0,
) -> ChainSolution:
    """Find a configuration that puts the chain's frame on a target.

    The first descents begin at the start, one to each target, the nearest target first; the others begin at random
    configurations and take the targets in turn. A single attempt thus stays near the start. The same arguments give
    the same answer.

    Args:
        chain: What may move.
        targets: (4, 4) A pose, (3,) [m] a position, or several: (t, 4, 4) or (t, 3); any of them will do.
        start: (n,) Where to start; what does not move stays as here, the rest is brought within its limits first.
        settings: How much it may do.
        reference: (n,) Posture to come near to where the target leaves freedom.
        accept: Tells whether a configuration (n,) on a target will do, free of collisions for example; if not, the
            search goes on.
        seed: Of the random configurations, or a generator to draw it from.

    Raises:
        ParameterError: Targets or configurations of wrong shape, not finite, or not poses; no target.
    """
    start = _configuration("the start", start, (chain.n,))
    goals = _goals(chain, targets, reference, settings)
    number, patience = random_number(seed), _patience(reference)
    attempts, iterations = settings.attempts, settings.iterations
    made, steps, refused = 0, 0, 0
    last: ChainSolution | None = None
    while True:
        status, q, made, taken, target, distance, angle = search(
            chain.joints, goals, start, number, made, attempts, iterations, patience, 2 * iterations
        )
        _check_status(status, chain)
        steps += taken
        if status == NOT_FOUND and last is not None:
            return replace(last, attempts=made, iterations=steps)
        reached = status == FOUND and (accept is None or accept(q.copy()))
        refused += status == FOUND and not reached
        last = ChainSolution(q, distance, angle, reached, target, made, steps, refused, chain)
        if reached or status == NOT_FOUND or made >= attempts:
            return last


def solve_each(
    chain: Chain,
    targets: Array,
    starts: Array,
    settings: IkSettings = DEFAULTS,
    *,
    reference: Array | None = None,
    seed: int | np.random.Generator = 0,
    scattered: bool = False,
    refined: bool = True,
) -> BatchSolution:
    """Solve many problems in one call: find a configuration for every target, each from its own start.

    Args:
        chain: What may move.
        targets: (b, 4, 4) Poses or (b, 3) [m] positions.
        starts: (b, n) Where to start, or (n,) for all.
        settings: How much it may do for each.
        reference: (n,) As for :func:`solve`.
        seed: Of the random configurations, or a generator to draw it from.
        scattered: Begin no descent at the start itself, but all at random.
        refined: Whether to look for the nearest where no descent arrives.

    Raises:
        ParameterError: As for :func:`solve`.
    """
    goals = _goals(chain, targets, reference, settings)
    count = len(goals.targets)
    starts = np.asarray(starts, dtype=float)
    if starts.shape == (chain.n,):
        starts = np.broadcast_to(starts, (count, chain.n))
    starts = _configuration("the starts", np.ascontiguousarray(starts), (count, chain.n))
    attempts, iterations = settings.attempts, settings.iterations
    refinements = 2 * iterations if refined else 0
    number, patience = random_number(seed), _patience(reference)
    q, left, made = search_each(
        chain.joints, goals, starts, number, int(scattered), attempts, iterations, patience, refinements, 0.0
    )
    _check_status(int(made[:, 0].min()), chain)
    return BatchSolution(q, left[:, 0], left[:, 1], made[:, 0] == FOUND, made[:, 1], made[:, 2])


def solve_along(
    chain: Chain, targets: Array, start: Array, settings: IkSettings = DEFAULTS, *, largest: float
) -> Array:
    """Take targets one after the other, each by one descent from where the one before ended: a path of the frame.

    Args:
        chain: What may move.
        targets: (t, 4, 4) Poses or (t, 3) [m] positions.
        start: (n,) Where to start.
        settings: What is near enough, and the steps of each descent.
        largest: [rad] or [m] No coordinate moves by as much between two of them.

    Returns:
        (m, n) A configuration for each target, up to the first that is not reached so.

    Raises:
        ParameterError: As for :func:`solve`.
    """
    start = _configuration("the start", start, (chain.n,))
    goals, iterations = _goals(chain, targets, None, settings), settings.iterations
    q, _, made = search_each(chain.joints, goals, start[None], 0, 0, 1, iterations, PATIENCE, 2 * iterations, largest)
    _check_status(int(made[:, 0].min()), chain)
    return q[: int((made[:, 0] == FOUND).sum())]


def _goals(chain: Chain, targets: Array, reference: Array | None, settings: IkSettings) -> Goals:
    targets = np.asarray(targets, dtype=float)
    turned = targets.shape[-2:] == (4, 4) and targets.ndim <= 3
    if turned:
        rows = _own(np.ascontiguousarray(targets.reshape(-1, 16)[:, :12]))
    elif targets.ndim in (1, 2) and targets.shape[-1] == 3:
        points = targets.reshape(-1, 3)
        rows = np.zeros((len(points), 12))
        rows[:, 3::4] = points
    else:
        raise ParameterError(f"targets must be of shape (4, 4), (t, 4, 4), (3,) or (t, 3), not {targets.shape}")
    if not len(rows):
        raise ParameterError("there must be a target")
    pull = NOWHERE
    if reference is not None:
        pull = _configuration("the reference", reference, (chain.n,))[chain.indices]
        if not np.isfinite(pull).all():
            raise ParameterError("the reference must consist of finite numbers")
    return Goals(rows, turned, pull, INSIDE * settings.position_tolerance, INSIDE * settings.rotation_tolerance)


def _configuration(name: str, q: Array, shape: tuple[int, ...]) -> Array:
    q = np.ascontiguousarray(q, dtype=float)
    if q.shape != shape:
        raise ParameterError(f"{name} must have the shape {shape}, not {q.shape}")
    return _own(q)


def _own(array: Array) -> Array:
    """The array, or a copy if it may not be written to: that would be compiled for once more."""
    return array if array.flags.writeable else array.copy()


def _patience(reference: Array | None) -> int:
    return PATIENCE if reference is None else PULLED_PATIENCE


def random_number(seed: int | np.random.Generator) -> int:
    """A number below 2 to the 62 from a seed of any size, or from a generator."""
    return int(seed.integers(2**62)) if isinstance(seed, np.random.Generator) else int(seed) % 2**62


def _check_status(status: int, chain: Chain) -> None:
    if status < 0:
        raise ParameterError(TROUBLES[status].format(f"the chain to '{chain.name}'"))
