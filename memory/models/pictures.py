"""Pictures as a model is shown them: scaled, padded, or as JPEG files, which are smaller and lose detail."""

from __future__ import annotations

import io
from collections.abc import Iterable

from omnipilot.envs import Box, Image, Size
from omnipilot.envs.types import Square
from omnipilot.memory.store.single_flight_cache import SingleFlightCache

RED = (255, 0, 0)
"""Colour of the frames of `draw_boxes`."""
KEPT_BYTES = 128 << 20
"""Pixels of changed pictures that are kept: a conversation shows the same ones again."""


class JpegImage(Image):
    """A picture that travels as the JPEG file that it was made from; its pixels are those of that file."""

    __slots__ = ("jpeg",)

    def __init__(self, size: Size, rgb: bytes, jpeg: bytes, env: str = "", start: float = 0.0) -> None:
        super().__init__(size, rgb, None, env, start)
        self.jpeg = jpeg


_made: SingleFlightCache[tuple[str, int, int, int], Image] = SingleFlightCache(
    KEPT_BYTES, lambda one: one.size.pixels * 3
)


def shown_picture(image: Image, scale: int = 0, jpeg: int = 0, square: int = 0) -> Image:
    """The picture as a model is shown it.

    Args:
        scale: most pixels of the longer side; larger pictures are scaled down, their sides in proportion. 0 for no
            limit.
        jpeg: quality of a JPEG file, 1 to 100; 0 for a PNG file, which loses nothing.
        square: the picture is fitted into a square of so many pixels a side, and padded; see `Square`. Pictures that
            are such squares already, several side by side among them, stay. 0 for none.
    """
    if square and (image.size.height != square or image.size.width % square):
        fitted = _made.get((image.digest, 0, 0, square), lambda: Square(square).fit(image))
        image = fitted.at(image.env, image.start)
    if not jpeg and (not scale or max(image.size.width, image.size.height) <= scale):
        return image
    found = _made.get((image.digest, scale, jpeg, 0), lambda: _changed(image, scale, jpeg))
    if isinstance(found, JpegImage):
        return JpegImage(found.size, found.rgb, found.jpeg, image.env, image.start)
    return found.at(image.env, image.start)


def side_by_side(left: Image, right: Image) -> Image:
    """Two pictures as one, of the environment and the time of the first; the lower one is black below its end."""
    from PIL import Image as Pillow

    size = Size(left.size.width + right.size.width, max(left.size.height, right.size.height))
    canvas = Pillow.new("RGB", (size.width, size.height))
    for picture, x in ((left, 0), (right, left.size.width)):
        canvas.paste(Pillow.frombytes("RGB", (picture.size.width, picture.size.height), picture.rgb), (x, 0))
    return Image.raw(size, canvas.tobytes(), left.env, left.start)


def draw_boxes(image: Image, boxes: Iterable[Box]) -> Image:
    """The picture with a red frame around each box, two pixels wide for each 1000 of its longer side, at least 2."""
    from PIL import Image as Pillow
    from PIL import ImageDraw

    canvas = Pillow.frombytes("RGB", (image.size.width, image.size.height), image.rgb)
    thick = max(2, round(max(image.size.width, image.size.height) / 500))
    for box in boxes:
        left, top, right, bottom = (round(edge) for edge in box.to_pixels(image.size))
        # Outside the box, so that nothing of it is covered.
        frame = (left - thick, top - thick, right + thick - 1, bottom + thick - 1)
        ImageDraw.Draw(canvas).rectangle(frame, outline=RED, width=thick)
    return Image.raw(image.size, canvas.tobytes(), image.env, image.start)


def scaled_size(size: Size, scale: int) -> Size:
    """The size of a picture whose longer side is at most `scale` pixels; the other in proportion, at least 1."""
    longer = max(size.width, size.height)
    if not scale or longer <= scale:
        return size
    return Size(max(1, round(size.width * scale / longer)), max(1, round(size.height * scale / longer)))


def _changed(image: Image, scale: int, jpeg: int) -> Image:
    from PIL import Image as Pillow

    picture = Pillow.frombytes("RGB", (image.size.width, image.size.height), image.rgb)
    size = scaled_size(image.size, scale)
    if size != image.size:
        picture = picture.resize((size.width, size.height), Pillow.Resampling.LANCZOS)
    if not jpeg:
        return Image.raw(size, picture.tobytes(), image.env, image.start)
    file = io.BytesIO()
    picture.save(file, "JPEG", quality=jpeg)
    with Pillow.open(io.BytesIO(file.getvalue())) as decoded:
        return JpegImage(size, decoded.convert("RGB").tobytes(), file.getvalue(), image.env, image.start)
