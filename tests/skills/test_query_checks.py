from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from taskmatrix.core.base.errors import NotFoundError, ParameterError
from taskmatrix.skills.planning.queries import ConfigurationQuery, HandoverQuery, PoseQuery
from taskmatrix.skills.planning.query_checks import check_query

from .setting import at, box, reach_query, robot_of, start

NAME = "mannequin"
NAN = float("nan")


@pytest.mark.parametrize(
    ("query", "message"),
    [
        (ConfigurationQuery({5: NAN}, 2.0, 0), "the goal of joint '.*' must be a finite number"),
        (ConfigurationQuery({500: 0.0}, 2.0, 0), "has joints 0 to .* and none with index 500"),
        (ConfigurationQuery({-1: 0.0}, 2.0, 0), "none with index -1"),
        (ConfigurationQuery({5: 0.0}, NAN, 0), "duration of a motion must be a finite number of seconds"),
        (ConfigurationQuery({5: 0.0}, -1.0, 0), "duration of a motion"),
    ],
)
def test_configurations_that_are_none_are_refused(query: ConfigurationQuery, message: str) -> None:
    """With what is wrong and what is allowed."""
    with pytest.raises(ParameterError, match=message):
        check_query(robot_of(NAME), start(NAME), query)


def test_positions_that_are_none_are_refused_by_the_names_of_the_joints() -> None:
    """And arrays of another shape."""
    robot, snapshot, query = robot_of(NAME), start(NAME), ConfigurationQuery({5: 0.0}, 2.0, 0)
    q = snapshot.q.copy()
    q[7] = NAN
    with pytest.raises(ParameterError, match=f"those of '{robot.joints[7]}' are not"):
        check_query(robot, replace(snapshot, q=q), query)
    with pytest.raises(ParameterError, match=rf"of shape \({robot.n},\), not \({robot.n - 1},\)"):
        check_query(robot, replace(snapshot, q=q[1:]), query)


def test_goals_that_are_none_are_refused() -> None:
    """Poses, hands and chains."""
    robot, snapshot, query = robot_of(NAME), start(NAME), reach_query(NAME, "vacuum")
    check_query(robot, snapshot, query)
    goal = query.goals[0]
    for wrong, error, message in (
        (replace(goal, X_WH=np.full((4, 4), NAN)), ParameterError, "must be a .4, 4. pose of finite numbers"),
        (replace(goal, X_WH=np.eye(3)), ParameterError, f"goal '{goal.label}' of the {goal.hand} hand must be"),
        (replace(goal, X_WH=2.0 * np.eye(4)), ParameterError, f"orientation of goal '{goal.label}' .* rotation matrix"),
        (replace(goal, X_WH=np.diag([1.0, 1.0, -1.0, 1.0])), ParameterError, "rotation matrix"),
        (replace(goal, hand="third"), NotFoundError, "no hand 'third'"),
    ):
        with pytest.raises(error, match=message):
            check_query(robot, snapshot, replace(query, goals=(goal, wrong)))
    with pytest.raises(NotFoundError, match="no chain 'tail'"):
        check_query(robot, snapshot, PoseQuery((), ("tail",), {}, 2.0, 0))


def test_what_is_held_has_to_be_there() -> None:
    """In a hand that there is, at a pose."""
    robot, snapshot, query = robot_of(NAME), start(NAME), ConfigurationQuery({5: 0.0}, 2.0, 0)
    stick = {"stick": (box("stick", (0.1, 0.1, 0.1)), at(1, 0, 1))}
    for held, error, message in (
        ({"left": ("stik", np.eye(4))}, NotFoundError, "did you mean 'stick'"),
        ({"third": ("stick", np.eye(4))}, NotFoundError, "no hand 'third'"),
        ({"left": ("stick", np.full((4, 4), NAN))}, ParameterError, "the pose of 'stick' in the left hand"),
    ):
        with pytest.raises(error, match=message):
            check_query(robot, replace(snapshot, objects=stick, held=held), query)
    handover = HandoverQuery("stik", "left", "right", (), 0.1, (), {}, 2.0, 0)
    with pytest.raises(NotFoundError, match="no object 'stik'"):
        check_query(robot, replace(snapshot, objects=stick), handover)
