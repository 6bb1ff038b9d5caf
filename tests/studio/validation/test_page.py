from __future__ import annotations

from html.parser import HTMLParser
from pathlib import Path

from PIL import Image

from taskmatrix.studio.validation import Case, Matrix, Result
from taskmatrix.studio.validation.page import page

from .test_matrix import results


class Checked(HTMLParser):
    """Collects anchors, and whether all tags are closed."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.links: set[str] = set()
        self.ids: set[str] = set()
        self.feed(text)

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        values = dict(attributes)
        self.links |= {str(values["href"])[1:]} if "href" in values else set()
        self.ids |= {str(values["id"])} if "id" in values else set()
        if tag not in {"meta", "img", "br"}:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def test_the_page_is_whole_and_says_what_happened(tmp_path: Path) -> None:
    """Rates, reasons, replay commands and a picture, in one file; what is written is escaped."""
    path = tmp_path / "sheet.png"
    Image.new("RGB", (1600, 800), (200, 30, 30)).save(path)
    drawn = Result(Case("scan", "talos", "sparse", 0), "failure", "error", "a < b & c", picture=str(path))
    text = page(Matrix((*results("sf"), *results("nn", "grasp"), *results("s", "pickup"), drawn)))
    checked = Checked(text)
    assert checked.open == []
    assert checked.links <= checked.ids
    for piece in ("1/2", "not able", "a &lt; b &amp; c", "--behaviors scan", "data:image/jpeg;base64,", "50.0% of 4"):
        assert piece in text
    assert "http" not in text
