"""Longer recipes of `duet` across both devices: outputs of several sub-tasks are gathered, passed on and filed."""

from __future__ import annotations

from omnipilot.bench.suites.duet.recipe import Recipe

RECIPES = (
    Recipe(
        "extension-of-a-favourite",
        "A call must not disturb while a colleague becomes a favourite and their extension is put down",
        ("decline-call", "favourite-contact", "extension-of", "write-note"),
    ),
    Recipe(
        "order-to-a-sent-address",
        "A present goes to an address that came as a message, and the order number is kept in a note",
        ("read-address", "order-product", "append-note"),
    ),
    Recipe(
        "three-counts-to-note",
        "The inventory needs three counts on one page, and each was made in another way",
        ("count-blinks", "count-beeps", "count-things", "write-three first=1 second=2 third=3"),
    ),
    Recipe(
        "melody-to-playlist-and-mail",
        "A friend hums a song for the party, another date has to make way for it, and the band waits for a word",
        ("find-song", "add-to-playlist", "shift-event", "mail-text"),
    ),
    Recipe(
        "appointment-to-page",
        "The alarm says that it is time to put down when to go, whom to ring and what it will cost",
        ("dismiss-alarm", "read-event-time", "read-number", "read-price", "note-three first=2 second=3 third=4"),
    ),
    Recipe(
        "five-facts-filed",
        "The report on the site visit needs five facts and has its place and its name in the archive",
        (
            "spoken-code",
            "read-event-time",
            "place-address",
            "look-up",
            "watch-counter",
            "note-five first=5 second=4 third=3 fourth=2 fifth=1",
            "move-made",
            "rename-made",
        ),
    ),
    Recipe(
        "asker-called-with-tones",
        "One of five callers wants to be let in and gets the code that the recorder dials",
        ("listen", "find-asker", "favourite-contact", "call-and-press"),
    ),
    Recipe(
        "dialler-and-address-filed",
        "Whoever dialled the agreed digits becomes the contact for the new address in the files",
        (
            "place-address",
            "find-dialler",
            "extension-of",
            "note-two first=3 second=1",
            "move-made",
            "rename-made",
        ),
    ),
    Recipe(
        "order-between-chores",
        "When the alarm ends the break, a present is to be ordered cheaply and small things are to be cleared away",
        (
            "dismiss-alarm",
            "move-task",
            "read-address",
            "find-voucher",
            "order-with-voucher address=3 voucher=4",
            "send-text",
            "archive-mail",
        ),
    ),
    Recipe(
        "sum-of-three-counts",
        "Three counts make up the number of guests, the cook's note has it and the hour, and the task is then done",
        (
            "count-beeps",
            "count-things",
            "spoken-time",
            "watch-counter",
            "add-up first=1 second=2 third=4",
            "write-two first=5 second=3",
            "tick-task",
        ),
    ),
    Recipe(
        "tour-facts-filed",
        "The guide for tomorrow's tour puts everything on one page and files it",
        (
            "find-photo",
            "photo-place",
            "read-task",
            "watch-doors",
            "read-code",
            "directions",
            "note-five first=2 second=3 third=4 fourth=5 fifth=6",
            "move-made",
            "rename-made",
        ),
    ),
    Recipe(
        "technician-let-in",
        "The technician left a new number, has to be let in at night and finds the logs in order",
        (
            "read-help",
            "spoken-number",
            "add-contact",
            "call-and-press",
            "archive-mail",
            "extract-lines",
            "append-line text=alone",
        ),
    ),
    Recipe(
        "duty-called-and-desk-cleared",
        "Whoever is on duty at the blocked stop is let in by phone while the rest of the desk is cleared",
        (
            "read-code",
            "watch-tram",
            "on-duty",
            "favourite-contact",
            "call-and-press",
            "tick-task",
            "archive-mail",
            "append-line text=alone",
        ),
    ),
    Recipe(
        "asker-extension-to-ticket",
        "One of five callers has a fault, the help desk needs their extension and a friend the number of the ticket",
        ("find-asker", "extension-of", "ask-help", "send-text"),
    ),
    Recipe(
        "five-readings-to-document",
        "The caretaker's evening round is five readings, one of them just coming in, on one page",
        (
            "await-code",
            "read-event-place",
            "count-things",
            "look-up",
            "read-price",
            "note-five first=1 second=2 third=3 fourth=4 fifth=5",
        ),
    ),
    Recipe(
        "five-sounds-and-films-to-document",
        "The night watch writes down what was heard and seen, and nothing of it was ever written",
        (
            "dialled-code",
            "spoken-room",
            "watch-tram",
            "watch-lamps",
            "count-blinks",
            "note-five first=1 second=2 third=3 fourth=4 fifth=5",
        ),
    ),
)
