"""A planner without a model: it hears which number a recording dials, and hands it on to a page and to the phone."""

from __future__ import annotations

from omnipilot.envs import AudioClip, Click, Done, Intent, OpenApp, TypeText, Wait
from omnipilot.memory import Move
from omnipilot.memory.perception import read_sounds
from omnipilot.planners import Brief, Decision, Request

PATIENCE = 6
"""Turns after which a number that is not heard is given up."""


class Dialler:
    """Plays Music/call.opus on "desktop", listens, fills in the form on "page", and writes a note on "phone"."""

    def begin(self, brief: Brief) -> None:  # noqa: ARG002
        """Forget the number."""
        self._heard: tuple[str, ...] = ()
        self._left = ["page", "phone"]

    def plan(self, request: Request) -> Decision:
        """Play, listen until a number was heard, then do one device after the other."""
        if request.turn == 0:
            play = TypeText("mpv --ao=pulse Music/call.opus", submit=True)
            return Decision((Move("desktop", play), Move("", Wait(6.0))), "Play the recording.")
        sound = request.observations["desktop"].audio
        if not self._heard and isinstance(sound, AudioClip):
            self._heard = tuple(event.detail for event in read_sounds(sound).of("digits"))
        if not self._heard:
            intent: Intent = Wait(2.0) if request.turn < PATIENCE else Done("failure", "no number was heard")
            return Decision((Move("", intent),), "Listen on.")
        number = self._heard[0]
        if not self._left:
            return Decision((Move("", Done("success")),), "All is done.")
        device = self._left.pop(0)
        return Decision(tuple(Move(device, intent) for intent in _hand_on(device, number)), f"It dialled {number}.")


def _hand_on(device: str, number: str) -> tuple[Intent, ...]:
    if device == "page":
        return TypeText(number, 'the textbox "Number"'), Click('the button "Call back"')
    return (
        OpenApp("Notes"),
        Click('the button "New note"'),
        TypeText("Call back", 'the textbox "Title"'),
        TypeText(number, 'the textbox "Write here"'),
        Click('the button "Save"'),
    )
