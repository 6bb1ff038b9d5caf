"""The problems that every peer gets: built once, seeded, kept under a cache folder, read with numpy alone."""
