"""``python -m taskmatrix``."""

from taskmatrix.studio.command_line import main

main()
