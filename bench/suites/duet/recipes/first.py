"""The first eight tasks of `duet`."""

from __future__ import annotations

from omnipilot.bench.suites.duet.recipe import Recipe

RECIPES = (
    Recipe("send-message", "Somebody waits for a word", ("send-text",)),
    Recipe("add-alarm", "To be on time for an appointment", ("add-alarm",)),
    Recipe("dismiss-alarm", "The alarm must not disturb a meeting", ("dismiss-alarm",)),
    Recipe("write-document", "A remark belongs under the document", ("write-document",)),
    Recipe("mail-code-to-message", "A friend stands before the front door", ("read-code", "send-text")),
    Recipe("message-address-to-document", "To have the address at hand", ("read-address", "write-document")),
    Recipe("tones-to-message", "A colleague needs the code of the recording", ("listen", "send-text")),
    Recipe("ball-to-message", "A colleague needs to know where the ball rests", ("watch", "send-text")),
)
