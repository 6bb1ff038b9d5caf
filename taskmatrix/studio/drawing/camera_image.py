"""What a camera sees, as a picture for people: how far everything is, and which object each pixel shows."""

from __future__ import annotations

import colorsys

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

from taskmatrix.core.world.depth_image import DepthImage, Image32

_NEAR, _FAR = np.array([0.99, 0.91, 0.62], dtype=np.float32), np.array([0.10, 0.18, 0.38], dtype=np.float32)
_UNKNOWN, _NOTHING, _BODY = (0.80, 0.20, 0.20), (0.15, 0.16, 0.18), (0.55, 0.55, 0.58)
_GOLDEN = 0.61803  # of a turn of the hue from one object to the next
_LEAST = 40  # pixels of an object whose name is written on it
_GAP = 8


def draw_camera_image(image: DepthImage, scale: int = 4) -> Image.Image:
    """Two panels: depth, from near and light to far and dark, and the objects in their colours, with their names.

    Args:
        image: What a camera delivered. Pixels that measured nothing are red.
        scale: Side of a pixel in the picture.
    """
    height, width = image.depth.shape
    sheet = Image.new("RGB", (2 * width * scale + _GAP, height * scale), "white")
    sheet.paste(_enlarged(_depth(image), scale), (0, 0))
    labels = _enlarged(_labels(image), scale)
    draw, font = ImageDraw.Draw(labels), ImageFont.load_default(15)
    for label, name in enumerate(image.names):
        rows, columns = np.nonzero(image.labels == label)
        if len(rows) >= _LEAST:
            place = (int(scale * np.median(columns)), int(scale * np.median(rows)))
            draw.text(place, name, "white", font, anchor="mm", stroke_width=2, stroke_fill="black")
    sheet.paste(labels, (width * scale + _GAP, 0))
    return sheet


def _depth(image: DepthImage) -> Image32:
    """(h, w, 3) Colours in 0..1."""
    near, far = image.range
    share = np.clip((image.depth - near) / (far - near), 0, 1)[:, :, None]
    color: Image32 = _NEAR + (_FAR - _NEAR) * share
    color[np.isnan(image.depth)] = _UNKNOWN
    color[np.isinf(image.depth)] = _NOTHING
    return color


def _labels(image: DepthImage) -> Image32:
    """(h, w, 3) Colours in 0..1, a little darker where it is further."""
    hues = [colorsys.hsv_to_rgb((0.08 + _GOLDEN * k) % 1.0, 0.55, 0.92) for k in range(len(image.names))]
    palette = np.array([*hues, _BODY, _NOTHING], dtype=np.float32)  # the last two are of OWN and NOTHING
    far = np.nan_to_num(image.depth, nan=image.range[0], posinf=image.range[1])[:, :, None] / image.range[1]
    color: Image32 = palette[image.labels] * (1.15 - 0.45 * far)
    return color


def _enlarged(color: NDArray[np.float32], scale: int) -> Image.Image:
    pixels = (np.clip(color, 0, 1) * 255 + 0.5).astype(np.uint8)
    return Image.fromarray(pixels.repeat(scale, axis=0).repeat(scale, axis=1))
