"""Drawing triangles."""
