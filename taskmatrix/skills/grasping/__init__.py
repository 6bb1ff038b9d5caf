"""Grasps that are found: where a hand can hold an object of which nobody has said how."""

from __future__ import annotations
