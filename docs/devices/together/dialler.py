"""A planner without a model: it hears which number a recording dials, and hands it on to a page and to the phone."""

from __future__ import annotations

from omnipilot.envs import AudioClip, Click, Done, Intent, OpenApp, TypeText, Wait
from omnipilot.memory import Move
from omnipilot.memory.perception import read_sounds
from omnipilot.planners import Brief, Decision, Planner, Request

PLAY = TypeText("mpv --no-terminal --ao=pulse Music/call.opus", submit=True)
LOUD = 0.003
"""Loudness from which on something sounds."""
SILENCE = 2.0
"""Seconds of silence after which the recording is over."""
PATIENCE = 12
"""Turns for one playing."""
PLAYINGS = 6
"""How often it is played at most, until two playings were heard alike: a busy machine drops or repeats sound."""


class Dialler(Planner):
    """Plays Music/call.opus on "desktop", listens, fills in the form on "page", and writes a note on "phone"."""

    def begin(self, brief: Brief) -> None:  # noqa: ARG002
        """Forget the number."""
        self._numbers: list[str] = []
        self._sound: list[AudioClip] = []
        self._turns = 0
        self._left = ["page", "phone"]

    def plan(self, request: Request) -> Decision:
        """Play and listen until two playings in a row were heard alike, then do one device after the other."""
        if request.turn == 0:
            return self._play("Play the recording.")
        number = self._heard(request)
        if number is None:
            return Decision((Move("", Wait(1.5)),), "Listen on.")
        if not number:
            if len(self._numbers) == PLAYINGS:
                return Decision((Move("", Done("failure", "no number was heard twice")),), "Give up.")
            return self._play("Play it once more, to be sure.")
        if not self._left:
            return Decision((Move("", Done("success")),), "All is done.")
        device = self._left.pop(0)
        return Decision(tuple(Move(device, intent) for intent in _hand_on(device, number)), f"It dialled {number}.")

    def _play(self, why: str) -> Decision:
        self._sound, self._turns = [], 0
        return Decision((Move("desktop", PLAY), Move("", Wait(1.5))), why)

    def _heard(self, request: Request) -> str | None:
        """The number that two playings agree on; "" if they do not, None while one of them goes on."""
        if self._agree():
            return self._numbers[-1]
        sound = request.observations["desktop"].audio
        if isinstance(sound, AudioClip):
            self._sound.append(sound)
        self._turns += 1
        # One clip: a number may begin in one turn and end in the next.
        whole = AudioClip(b"".join(clip.pcm for clip in self._sound), "desktop", 0.0)
        sounded = any(clip.loudness() > LOUD for clip in self._sound)
        over = sounded and whole.slice(whole.end - SILENCE, whole.end).loudness() < LOUD
        if not over and self._turns < PATIENCE:
            return None
        digits = [event.detail for event in read_sounds(whole).of("digits")]
        self._numbers.append(digits[0] if len(digits) == 1 else "")
        return self._numbers[-1] if self._agree() else ""

    def _agree(self) -> bool:
        return len(self._numbers) > 1 and bool(self._numbers[-1]) and self._numbers[-1] == self._numbers[-2]


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
