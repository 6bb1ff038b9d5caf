"""Who is measured: the libraries that a Python user could take, and ours, each in a file of its own.

An adapter is a function of a row of problems; what it imports is imported inside it, so that a peer that is not
installed is skipped with a word. To add one, write a file and name its functions here.
"""

from __future__ import annotations

from collections.abc import Mapping

OURS = "taskmatrix"
PEERS: Mapping[str, Mapping[str, str]] = {
    "ik": {
        OURS: "peers.ours:ik",
        "klampt": "peers.klampt:ik",
        "roboplan": "peers.roboplan:ik",
        "roboplan-tuned": "peers.roboplan:tuned_ik",
        "mplib": "peers.mplib:ik",
        "mplib-tuned": "peers.mplib:tuned_ik",
        "placo": "peers.placo:ik",
        "pinocchio": "peers.pinocchio:ik",
        "pink": "peers.pink:ik",
        "mink": "peers.mink:ik",
        "drake": "peers.drake:ik",
        "pyroboplan": "peers.pyroboplan:ik",
    },
    "collision": {
        OURS: "peers.ours:collision",
        "coal": "peers.pinocchio:collision",
        "coal-broadphase": "peers.pinocchio:broadphase_collision",
        "roboplan": "peers.roboplan:collision",
        "klampt": "peers.klampt:collision",
        "mplib": "peers.mplib:collision",
        "drake": "peers.drake:collision",
        "pybullet": "peers.pybullet:collision",
    },
    "planning": {
        OURS: "peers.ours:planning",
        "ompl-broadphase": "peers.ompl:broadphase_planning",
        "ompl": "peers.ompl:planning",
        "roboplan": "peers.roboplan:planning",
        "hpp": "peers.hpp:planning",
        "klampt": "peers.klampt:planning",
        "mplib": "peers.mplib:planning",
        "pyroboplan": "peers.pyroboplan:planning",
    },
}
"""For each benchmark, names and where their adapters are."""
