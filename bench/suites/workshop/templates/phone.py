"""The phone, and what it has to do with the desktop and with pages."""

from __future__ import annotations

from functools import partial
from random import Random

from omnipilot.bench.suites.workshop.kit.checks import file_played, form_sent, note_is, text_is
from omnipilot.bench.suites.workshop.kit.content import PLACES, THINGS, TOPICS, code, gnumeric, names, pdf
from omnipilot.bench.suites.workshop.kit.media import COLOURS, GREY, flashes
from omnipilot.bench.suites.workshop.kit.pages import form, page, table
from omnipilot.bench.suites.workshop.kit.phone import with_note
from omnipilot.bench.suites.workshop.kit.playing import MEMO, memo, memo_played, play, waiting_player
from omnipilot.bench.suites.workshop.kit.steps import (
    fill,
    open_program,
    press_button,
    save_as,
    type_text,
    write_note,
)
from omnipilot.bench.suites.workshop.template import Devices, Draw, TaskDraft, WorkshopTemplate


def note_to_text(draw: Random) -> TaskDraft:
    """What a note on the phone says is saved on the desktop."""
    place, number = draw.choice(PLACES), code(draw, 6)
    return TaskDraft(
        f"The phone has a note named {place}, with a booking number. Save the number alone as booking.txt in the "
        "folder Documents of the desktop.",
        (text_is("Documents/booking.txt", number),),
        (open_program("mousepad"), type_text(number), save_as("Documents/booking.txt")),
        phone=with_note(place, f"Hotel in {place}\nBooking number: {number}\nTwo nights"),
    )


def pdf_to_note(draw: Random) -> TaskDraft:
    """A number of a document on the desktop becomes a note on the phone."""
    topic, number = draw.choice(TOPICS), code(draw, 5)
    pages = [[f"The {topic} plan", "The room is on the next page."], [f"Room for the {topic}:", number]]
    return TaskDraft(
        f"The plan that is open in the document viewer of the desktop names a room for the {topic}. Write a note on "
        f"the phone with the title {topic.title()} that says only the number of the room.",
        (note_is(topic.title(), number),),
        write_note(topic.title(), number),
        {"Documents/plan.pdf": pdf(pages)},
        (("evince", "Documents/plan.pdf"),),
    )


def memo_to_note(draw: Draw) -> TaskDraft:
    """A code that is spoken on the desktop becomes a note on the phone."""
    number = code(draw.media)
    return TaskDraft(
        "Play the voice memo that the player on the desktop holds, and write the code that is said, the digits alone, "
        "into a new note on the phone with the title Code.",
        (memo_played(), note_is("Code", number)),
        (play(MEMO), *write_note("Code", number)),
        open=(waiting_player(MEMO),),
        media={MEMO: memo(draw, f"the code is {number}")},
    )


def order_of_colours(draw: Draw) -> TaskDraft:
    """The colours of a film, in their order, become a note on the phone."""
    colours = draw.media.sample(sorted(COLOURS), 5)
    shots = [(GREY, 1.0)]
    for colour in colours:
        shots += [(COLOURS[colour], 1.0), (GREY, 0.5)]
    path, words = "Videos/signals.mkv", " ".join(colours)
    return TaskDraft(
        "Play signals.mkv, which the player on the desktop holds. It shows red, green, blue, yellow and purple once "
        "each. Write the five colours in the order in which they are shown, with a blank between, into a new note on "
        "the phone with the title Signals.",
        (file_played("signals.mkv", 7.5), note_is("Signals", words)),
        (play(path, 8.5), *write_note("Signals", words)),
        open=(waiting_player(path),),
        media={path: partial(flashes, shots, 10.0)},
    )


def price_to_note(draw: Random) -> TaskDraft:
    """The price of one thing on a page becomes a note on the phone."""
    things = draw.sample(THINGS, 7)
    prices = [str(price) for price in draw.sample(range(100, 999), 7)]
    at = draw.randrange(7)
    rows = [("Article", "Price in EUR"), *zip(things, prices, strict=True)]
    return TaskDraft(
        f"Look up what the {things[at]} costs on the page that is open in the browser, and write a note on the phone "
        f"with the title {things[at].title()} that says only the number.",
        (note_is(things[at].title(), prices[at]),),
        write_note(things[at].title(), prices[at]),
        pages={"": page("Prices", table(rows))},
    )


def two_halves(draw: Draw) -> TaskDraft:
    """A code of which the desktop says one half and the phone has the other is entered on a page."""
    first, second = code(draw.media), code(draw)
    place = draw.choice(PLACES)
    return TaskDraft(
        "A code has two halves of four digits. The voice memo that the player on the desktop holds says the first one; "
        f"the second one is in the note {place} on the phone. Enter the whole code, without a blank, into the form in "
        "the browser.",
        (memo_played(), form_sent("unlock", code=first + second)),
        (play(MEMO), fill("Code", first + second), press_button("Unlock")),
        open=(waiting_player(MEMO),),
        pages={
            "": page("Locker", form("unlock", {"code": "Code"}, "Unlock")),
            "unlock": page("Locker", "<p>The code has been received.</p>"),
        },
        phone=with_note(place, f"Locker at the station of {place}\nSecond half: {second}"),
        media={MEMO: memo(draw, f"the code is {first}")},
    )


def note_to_form(draw: Random) -> TaskDraft:
    """A number in a note on the phone is entered on a page."""
    place, number = draw.choice(PLACES), code(draw, 6)
    return TaskDraft(
        f"Check in for the hotel in {place} with the form in the browser; a note on the phone has the booking number.",
        (form_sent("checkin", number=number),),
        (fill("Booking number", number), press_button("Check in")),
        pages={
            "": page("Check-in", form("checkin", {"number": "Booking number"}, "Check in")),
            "checkin": page("Thank you", "<p>We look forward to your visit.</p>"),
        },
        phone=with_note(place, f"Hotel in {place}\nBooking number: {number}\nTwo nights"),
    )


def best_to_note(draw: Random) -> TaskDraft:
    """The name with the greatest number of a sheet becomes a note on the phone."""
    people = names(draw, 7)
    amounts = draw.sample(range(100, 999), 7)
    rows: list[list[str | int]] = [["Name", "Points"]]
    rows += [[one, amount] for one, amount in zip(people, amounts, strict=True)]
    best = people[amounts.index(max(amounts))]
    return TaskDraft(
        "Who has most points, according to the sheet that is open on the desktop? Write the name, and nothing else, "
        "into a new note on the phone with the title Winner.",
        (note_is("Winner", best),),
        write_note("Winner", best),
        {"Documents/points.gnumeric": gnumeric(rows)},
        (("gnumeric", "Documents/points.gnumeric"),),
    )


DESK: Devices = ("desktop", "phone")
PAGE: Devices = ("browser", "phone")
ALL: Devices = ("desktop", "browser", "phone")
TEMPLATES = (
    WorkshopTemplate(
        "note-to-form", "enter a number from the phone on a page", ("notes", "chromium"), note_to_form, PAGE
    ),
    WorkshopTemplate("winner-to-note", "note who has most points", ("gnumeric", "notes"), best_to_note, DESK),
    WorkshopTemplate(
        "note-to-text", "copy a number from the phone to the desktop", ("notes", "mousepad"), note_to_text, DESK
    ),
    WorkshopTemplate("pdf-to-note", "copy a number from a PDF to the phone", ("evince", "notes"), pdf_to_note, DESK),
    WorkshopTemplate("memo-to-note", "note a spoken code on the phone", ("mpv", "notes"), memo_to_note, DESK, "sound"),
    WorkshopTemplate(
        "colours-to-note", "note the colours of a film", ("mpv", "notes"), order_of_colours, DESK, "motion"
    ),
    WorkshopTemplate(
        "price-to-note", "note a price of a page on the phone", ("chromium", "notes"), price_to_note, PAGE
    ),
    WorkshopTemplate(
        "two-halves-to-form", "enter a code of two halves", ("mpv", "notes", "chromium"), two_halves, ALL, "sound"
    ),
)
