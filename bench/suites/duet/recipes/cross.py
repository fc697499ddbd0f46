"""Recipes of `duet` across both devices: information heard, seen or read on one is needed on the other."""

from __future__ import annotations

from omnipilot.bench.suites.duet.recipe import Recipe

RECIPES = (
    Recipe(
        "spoken-code-to-log",
        "The caretaker says today's gate code on the phone and the gate's log on the computer must have it",
        ("spoken-code", "append-line"),
    ),
    Recipe(
        "gone-from-list-and-inbox",
        "When the alarm rings it is too late for the plan, which shall be out of sight everywhere",
        ("dismiss-alarm", "delete-task", "archive-mail"),
    ),
    Recipe(
        "beeps-to-table",
        "A machine reports its count as beeps and the weekly table waits for the number",
        ("count-beeps", "put-number"),
    ),
    Recipe(
        "price-to-asker",
        "A friend stands in another shop and will ask what a thing costs on the internet",
        ("read-price", "reply-at-once"),
    ),
    Recipe(
        "doors-to-task",
        "The guard's round on the phone has to name the doors in the order in which they open",
        ("watch-doors", "add-task"),
    ),
    Recipe(
        "arriving-code-to-task",
        "A code is about to come by mail and must be at hand with the task when out of the house",
        ("await-code", "annotate-task"),
    ),
    Recipe(
        "lamp-at-the-beep",
        "An experiment is to start with the signal that a colleague left, and what was due today has to wait for it",
        ("start-at-beep", "postpone-task"),
    ),
    Recipe(
        "timer-at-the-stop",
        "The stop of the tram is to be timed without being disturbed, and the log shall say so",
        ("silence-app", "append-line text=alone", "timer-at-tram"),
    ),
    Recipe(
        "no-call-while-writing",
        "A call would only disturb while a promised mail is written and a contact is removed who has left the firm",
        ("decline-call", "delete-contact", "mail-text"),
    ),
    Recipe(
        "mailed-code-to-caller",
        "The gate rings the phone and opens to the code that came by mail",
        ("read-code", "answer-call"),
    ),
    Recipe(
        "tones-to-caller",
        "The alarm company calls back and accepts only the code that the recorder dials",
        ("listen", "answer-call"),
    ),
    Recipe(
        "mail-who-is-on-duty",
        "The tram stands still and whoever is on duty at that stop has to come to the room that was agreed by phone",
        ("spoken-room", "watch-tram", "on-duty", "mail-contact contact=3 text=1"),
        "cross-modal discrimination",
    ),
    Recipe(
        "block-the-writer-of-the-code",
        "Somebody gave the code of the key box away and is to be kept off the phone, with the mail as evidence",
        ("same-code", "block-contact"),
    ),
    Recipe(
        "leader-of-table-to-playlist",
        "Whatever leads the table gives the playlist for the party its name",
        ("sort-sheet", "new-playlist"),
    ),
    Recipe(
        "picture-kept-and-named-in-file",
        "The picture that shows the damage must not get lost, and the report is to bear its name",
        ("find-photo", "favourite-photo photo=1", "photo-name photo=1", "rename-file"),
    ),
    Recipe(
        "email-address-to-reply",
        "Somebody asks by mail for an address that is only in the phone",
        ("read-email", "reply-mail"),
    ),
    Recipe(
        "map-place-to-event",
        "The guests ask where the event is, and the place shall be found again on the map",
        ("save-place", "set-place"),
    ),
    Recipe(
        "room-and-time-to-mail",
        "Two people left word about one meeting and the third has to know both, when and where",
        ("spoken-room", "spoken-time", "mail-both subject=1 text=2"),
    ),
    Recipe(
        "dialled-password-to-network",
        "The host left the network's password as tones on the phone",
        ("dialled-code", "join-network"),
    ),
    Recipe(
        "stop-of-tram-to-event",
        "Friends meet where the tram waits, and the calendar is to name the stop",
        ("stop-name", "add-event"),
    ),
    Recipe(
        "true-report-and-call",
        "Four people guessed the number of visitors, the film decides, and the prize is ordered by telephone",
        ("true-report", "dial-number"),
    ),
    Recipe(
        "poster-decision-and-language",
        "The printer waits for a spoken decision, and then the phone goes to a colleague who speaks another language",
        ("obey-voice", "set-language"),
    ),
)
