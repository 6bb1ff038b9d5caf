"""The studio: command line, drawings, recordings, the viewer, and the matrix that proves the library."""
