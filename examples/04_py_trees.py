"""Use behaviors and machines as leaves of a py_trees tree, and see in its display why a branch failed."""

from __future__ import annotations

import py_trees

import taskmatrix as tm
from taskmatrix.behaviors import Fixate, Pickup, Postural


def main() -> None:
    """Run the example."""
    tree = tm.sequence(
        "fetch something",
        tm.parallel("get ready", Postural(posture="ready"), Fixate(target="soda_can")),
        tm.selector("anything", Pickup(object="teapot"), tm.timeout(Pickup(object="soda_can"), seconds=30.0)),
    )
    with tm.simulate("mannequin", seed=1) as session:
        print(session.run(tree))
    print(py_trees.display.unicode_tree(tree, show_status=True))


if __name__ == "__main__":
    main()
