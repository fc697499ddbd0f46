"""Wide or deep tasks of `duet` on the phone only, with up to eleven sub-goals."""

from __future__ import annotations

from omnipilot.bench.suites.duet.recipe import Recipe

RECIPES = (
    Recipe(
        "call-back-the-asker",
        "One of five callers waits for an answer, and only the messages tell who",
        ("find-asker", "favourite-contact", "call-contact"),
    ),
    Recipe(
        "time-for-the-asker",
        "Whoever asked for it is to be told the time that somebody else left",
        ("find-asker", "spoken-time", "favourite-contact", "text-contact text=2"),
    ),
    Recipe(
        "code-for-the-dialler",
        "Whoever left the right digits runs the machine that wants another code",
        ("find-dialler", "dialled-code", "favourite-contact contact=1", "call-and-press"),
    ),
    Recipe(
        "locker-code-for-the-asker",
        "Whoever asked for it is to be told the locker code from the task",
        ("find-asker", "read-task", "favourite-contact", "text-contact text=2"),
    ),
    Recipe(
        "trip-facts-in-a-note",
        "Everything for the trip in one place",
        (
            "read-note",
            "read-task",
            "read-event-time",
            "photo-place",
            "read-gate-code",
            "write-five first=1 second=2 third=3 fourth=4 fifth=5",
        ),
    ),
    Recipe(
        "heard-and-seen-in-one-note",
        "What people told and what was noted belongs together",
        (
            "spoken-code",
            "count-beeps",
            "photo-place",
            "read-task",
            "spoken-room",
            "write-five first=1 second=2 third=3 fourth=4 fifth=5",
        ),
    ),
    Recipe(
        "new-colleague-and-chores",
        "A colleague left a number and wants to be called; the rest of the morning's chores wait",
        (
            "spoken-number",
            "add-contact",
            "favourite-contact",
            "call-contact",
            "tick-task",
            "favourite-song",
            "switch-on",
            "delete-alarm",
        ),
    ),
    Recipe(
        "shared-desk",
        "A colleague can be reached at the number of somebody known",
        (
            "read-number",
            "add-contact",
            "favourite-contact",
            "tick-task",
            "favourite-song",
            "switch-on",
            "delete-alarm",
        ),
    ),
    Recipe(
        "welcome-with-time",
        "Somebody new is to be told when it begins; small things wait too",
        (
            "read-number",
            "read-event-time",
            "add-contact phone=1",
            "text-contact text=2",
            "tick-task",
            "favourite-song",
            "delete-alarm",
        ),
    ),
    Recipe(
        "two-answers-and-a-contact",
        "A friend wants to know what two others left, and a third left a number",
        (
            "spoken-number",
            "add-contact",
            "favourite-contact",
            "dialled-code",
            "count-beeps",
            "send-two first=4 second=5",
            "tick-task",
            "delete-alarm",
        ),
    ),
    Recipe(
        "song-and-caller",
        "Somebody new called, and somebody else hummed a song",
        ("spoken-number", "add-contact", "text-contact text=alone", "find-song", "favourite-song"),
    ),
    Recipe(
        "sounds-and-network",
        "The phone is to sound as two friends suggest and to join the network of a third",
        (
            "ringtone-heard",
            "set-ringtone",
            "alarm-heard",
            "set-alarm-sound",
            "dialled-code",
            "join-phone-network",
        ),
    ),
)
