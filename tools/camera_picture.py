"""Draw what a robot's camera sees, for the page about perception: ``python tools/camera_picture.py [ROBOT]``."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
from PIL import Image

import taskmatrix as tm
from taskmatrix.behaviors import Fixate, Scan
from taskmatrix.session.perception_process import CameraProcess
from taskmatrix.studio.drawing.camera import Camera
from taskmatrix.studio.drawing.camera_image import draw_camera_image
from taskmatrix.studio.drawing.renderer import Frame, Renderer

FILE = Path(__file__).resolve().parent.parent / "docs" / "images" / "camera.png"
START = (1.1, 0.0, 0.0)
GAP = 8


def main(robot: str) -> None:
    """The robot before the table, and what it sees there."""
    with tm.simulate(robot, start=START, perception="camera") as session:
        session.run(Scan(duration=6.0))
        session.run(Fixate(target="vacuum"))
        assert isinstance(session.perception_process, CameraProcess)
        assert session.perception_process.image is not None
        seen = draw_camera_image(session.perception_process.image, 4)
        truth = session.plant.truth()
        frame = Frame(0.0, truth["q"], truth["poses"], "")  # type: ignore[arg-type]
        renderer = Renderer(session.robot, session.world, 560, seen.height)
        scene = renderer.image(frame, Camera(np.array([1.4, 3.6, 1.9]), np.array([1.6, 0.1, 0.75])))
    sheet = Image.new("RGB", (scene.width + GAP + seen.width, seen.height), "white")
    sheet.paste(scene, (0, 0))
    sheet.paste(seen, (scene.width + GAP, 0))
    sheet.quantize(256).save(FILE, optimize=True)


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "mannequin")
