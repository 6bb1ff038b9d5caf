"""Tests of taskmatrix.core."""
