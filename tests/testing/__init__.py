"""Tests of taskmatrix.testing."""
