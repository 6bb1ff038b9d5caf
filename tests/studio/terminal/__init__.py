"""Tests of taskmatrix.studio.terminal."""
