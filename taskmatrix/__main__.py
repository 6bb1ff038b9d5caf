"""``python -m taskmatrix``."""

from taskmatrix.studio.cli.command_line import main

main()
