"""Errors, failures, messages, events, time and parameters: what everything else is made with."""

import os
import sys

for _name in ("stdout", "stderr"):
    if getattr(sys, _name) is None:  # closed, which py_trees does not expect when it is imported
        setattr(sys, _name, open(os.devnull, "w", encoding="utf-8"))  # noqa: SIM115 - until the process ends
