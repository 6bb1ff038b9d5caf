"""``python -m taskmatrix.studio.viewer``: the process that a run starts for its viewers."""

import sys

from .process import main

main(sys.argv[1:])
