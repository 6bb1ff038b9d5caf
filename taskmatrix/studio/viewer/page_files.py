"""The files of the page, and the one of three.js."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

from taskmatrix.core.base.errors import MissingDependencyError, how_to_install

PAGE = Path(__file__).parent / "page"
THREE = "elements/scene/dist/index.js"  # three.js and its controls as one ES module, in NiceGUI
TYPES = {
    ".html": "text/html",
    ".css": "text/css",
    ".js": "text/javascript",
    ".svg": "image/svg+xml",
    ".png": "image/png",
    ".ico": "image/x-icon",
    ".json": "application/json",
}


def three_js() -> Path:
    """The file of three.js.

    Raises:
        MissingDependencyError: NiceGUI is not installed, or one that keeps it elsewhere.
    """
    spec = find_spec("nicegui")
    folders = list(spec.submodule_search_locations or ()) if spec else []
    found = next((path for path in (Path(folder) / THREE for folder in folders) if path.is_file()), None)
    if found is None:
        needs = "the viewer needs three.js, which it takes from NiceGUI 3.18 or a later 3; install it "
        raise MissingDependencyError(needs + how_to_install("view"))
    return found


def page_files(folder: Path = PAGE) -> dict[str, Path]:
    """The files that are served, by the path at which they are; nothing else is.

    Raises:
        MissingDependencyError: three.js is not there.
    """
    own = {
        f"/{path.relative_to(folder).as_posix()}": path
        for path in sorted(folder.rglob("*"))
        if path.is_file() and path.suffix in TYPES
    }
    index = {"/": own["/index.html"]} if "/index.html" in own else {}
    return {**own, **index, "/three.js": three_js()}
