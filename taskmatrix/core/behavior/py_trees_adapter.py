"""What it takes to run any py_trees tree: binding it, stopping it, and saying why it failed."""

from __future__ import annotations

from py_trees.behaviour import Behaviour
from py_trees.common import Status

from ..base.failure import Failure, FailureKind
from .behavior import TaskBehavior
from .context import Context


def prepare(root: Behaviour, context: Context) -> None:
    """Bind all that is in a tree to the robot and its world, for a run from the beginning."""
    root.status = Status.INVALID
    for node in root.iterate():
        node.setup(context=context)


def stop(root: Behaviour) -> None:
    """Stop whatever still runs, also what py_trees does not know to be running because its tick was cut off.

    Raises:
        Exception: What the first plain leaf whose ``terminate`` raises does, when all the others have been stopped.
    """
    for node in root.iterate():
        if isinstance(node, TaskBehavior):
            node.force_quit()
    raised: Exception | None = None
    for node in root.iterate():
        if node.status is Status.RUNNING:
            try:
                node.stop(Status.INVALID)
            except Exception as error:
                raised, node.status = raised or error, Status.INVALID
    if raised is not None:
        raise raised


def going_on(root: Behaviour) -> str:
    """What runs in a tree, in words that follow on; none where it is only plain leaves."""
    told = (node for node in root.iterate() if isinstance(node, TaskBehavior) and node.running)
    words = [node.doing() for node in told if not isinstance(node.parent, TaskBehavior)]
    return f": {'; '.join(words)}" if words else ""


def failure_of(root: Behaviour) -> Failure:
    """Why a tree failed: the word of the failed node that is nearest to the root on the way down."""
    node: Behaviour | None = root
    while node is not None:
        leaf, word = node, getattr(node, "failure", None)
        if isinstance(word, Failure):
            return word if node is root else Failure(word.root.kind, root.name, "the tree failed", cause=word)
        node = next((child for child in reversed(leaf.children) if child.status is Status.FAILURE), None)
    return Failure(FailureKind.TREE, root.name, f"'{leaf.name}' failed", {"feedback": leaf.feedback_message})
