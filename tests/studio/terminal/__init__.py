"""Tests of taskmatrix.studio.cli.terminal."""
