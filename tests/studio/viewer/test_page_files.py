from __future__ import annotations

from pathlib import Path

from taskmatrix.studio.viewer.page_files import page_files, three_js


def test_three_js_is_one_module() -> None:
    """It imports nothing else: one file is all that is taken from its package."""
    text = three_js().read_text(encoding="utf-8")
    assert " from '" not in text
    assert "OrbitControls" in text


def test_only_files_of_known_types_are_served(tmp_path: Path) -> None:
    """At their own paths, those in folders too."""
    for name in ("index.html", "style.css", "panels/scene.js", "secret.py", "notes.txt", "panels/.hidden"):
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text("x", encoding="utf-8")
    files = page_files(tmp_path)
    assert set(files) == {"/", "/index.html", "/style.css", "/panels/scene.js", "/three.js"}
    assert files["/"] == tmp_path / "index.html"
    assert set(page_files(tmp_path / "panels")) == {"/scene.js", "/three.js"}
