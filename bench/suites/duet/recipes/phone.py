"""Tasks of `duet` on the phone only, with one to seven sub-goals."""

from __future__ import annotations

from omnipilot.bench.suites.duet.recipe import Recipe

RECIPES = (
    Recipe(
        "answer-one-invitation", "Two invitations look alike and only one of them is wanted", ("answer-invitation",)
    ),
    Recipe("tick-the-right-task", "One of two alike tasks is done", ("tick-task",)),
    Recipe("forget-old-network", "The old office must not be joined any more", ("forget-network",)),
    Recipe("song-out-of-playlist", "A song does not suit the playlist", ("remove-from-playlist",)),
    Recipe("stop-message-at-beep", "The beep says where the message is to be cut", ("stop-at-beep",)),
    Recipe("decline-during-meeting", "The user cannot talk now", ("decline-call",)),
    Recipe("silence-the-timer", "The timer is not to disturb the others in the room", ("dismiss-timer",)),
    Recipe("earlier-alarm-and-timer", "An early train, and bread in the oven", ("shift-alarm", "start-timer")),
    Recipe("ringtone-by-ear", "A friend left the melody that she uses herself", ("ringtone-heard", "set-ringtone")),
    Recipe(
        "network-by-voicemail", "The host left the password as telephone digits", ("dialled-code", "join-phone-network")
    ),
    Recipe("number-by-voicemail", "Somebody has a new number", ("spoken-number", "change-number")),
    Recipe("beeps-to-message", "A colleague tests the line and needs the count", ("count-beeps", "text-contact")),
    Recipe("room-into-calendar", "The room of a meeting was told by telephone", ("spoken-room", "set-place")),
    Recipe("alarm-at-spoken-time", "To be awake at the time that was agreed", ("spoken-time", "set-alarm")),
    Recipe("picture-filed", "A picture is to be found again", ("find-photo", "move-photo", "rename-photo text=alone")),
    Recipe("place-of-picture", "To remember where it was", ("find-photo", "photo-place", "write-note")),
    Recipe("gate-code-at-once", "Somebody stands before the gate", ("read-gate-code", "reply-at-once")),
    Recipe("code-into-call", "A machine calls and asks for the code that was left", ("spoken-code", "answer-call")),
    Recipe(
        "song-of-the-message",
        "Somebody hummed a song that is in the collection",
        ("find-song", "favourite-song", "add-to-playlist"),
    ),
    Recipe(
        "tidy-the-phone",
        "Things that are over are to go",
        ("tick-task", "delete-note", "delete-thread", "delete-event"),
    ),
)
