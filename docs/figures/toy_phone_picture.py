"""`python docs/figures/toy_phone_picture.py docs/pictures/toy-phone.png`: the picture of docs/extending.md.

Four screens of the toy phone, side by side: home, Voicemail, Voicemail while the message is played, and Notes.
"""

from __future__ import annotations

import sys
from pathlib import Path

from PIL import Image as Pictures

from omnipilot.envs import Action, Click, Image, Modality, OpenApp, Point, System, TypeText
from omnipilot.envs.toy import ToyPhone

GAP, GROUND = 24, "#b9c0cf"
SCALE, COLOURS = 2 / 3, 96


def screens() -> Pictures.Image:
    """The four screens."""
    phone = ToyPhone()
    steps: tuple[tuple[Action, ...], ...] = (
        (System("home"),),
        (OpenApp("Voicemail"),),
        (Click(Point(0.5, 0.385)),),
        (OpenApp("Notes"), TypeText("47AB", Point(0.5, 0.225), submit=True)),
    )
    width, height = phone.size.width, phone.size.height
    sheet = Pictures.new("RGB", (len(steps) * (width + GAP) + GAP, height + 2 * GAP), GROUND)
    for number, actions in enumerate(steps):
        for action in actions:
            phone.act(action)
        shot = phone.observe({Modality.SCREENSHOT}, phone.now).screenshot
        assert isinstance(shot, Image)
        sheet.paste(Pictures.fromarray(shot.array()), (GAP + number * (width + GAP), GAP))
    return sheet.resize((round(sheet.width * SCALE), round(sheet.height * SCALE)), Pictures.Resampling.LANCZOS)


if __name__ == "__main__":
    screens().quantize(COLOURS).save(Path(sys.argv[1]), optimize=True)
