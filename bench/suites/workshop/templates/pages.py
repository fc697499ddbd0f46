"""Web pages, and what they have to do with the desktop."""

from __future__ import annotations

from functools import partial
from random import Random

from omnipilot.bench.suites.workshop.kit.checks import cell_shows, file_played, form_sent, page_listened, text_is
from omnipilot.bench.suites.workshop.kit.content import THINGS, code, gnumeric, list_text, names
from omnipilot.bench.suites.workshop.kit.media import COLOURS, GREY, flashes
from omnipilot.bench.suites.workshop.kit.pages import form, links, message, page, table
from omnipilot.bench.suites.workshop.kit.playing import MEMO_SECONDS, memo, play, waiting_player
from omnipilot.bench.suites.workshop.kit.steps import (
    fill,
    go_to_cell,
    open_program,
    press_button,
    save,
    save_as,
    step,
    type_text,
    until,
)
from omnipilot.bench.suites.workshop.template import Devices, Draw, TaskDraft, WorkshopTemplate
from omnipilot.envs import Click, TypeText, Wait


def form_from_text(draw: Random) -> TaskDraft:
    """A form is filled in with what a text on the desktop says."""
    person, other = names(draw, 2)
    thing, count = draw.choice(THINGS), draw.randrange(2, 20)
    fields = {"name": "Name", "thing": "Article", "count": "Quantity"}
    note = list_text([f"Order for {person}, not for {other}:", f"{count} times {thing}"])
    return TaskDraft(
        "A note is open in the editor on the desktop. Place the order that it describes with the form in the browser.",
        (form_sent("order", name=person, thing=thing, count=str(count)),),
        (
            fill("Name", person),
            fill("Article", thing),
            fill("Quantity", str(count)),
            press_button("Order"),
        ),
        {"Documents/order.txt": note},
        (("mousepad", "Documents/order.txt"),),
        {
            "": page("Order", form("order", fields, "Order")),
            "order": page("Thank you", "<p>Your order has been received.</p>"),
        },
    )


def price_to_text(draw: Random) -> TaskDraft:
    """A price is looked up on a page behind a link, and saved on the desktop."""
    things = draw.sample(THINGS, 6)
    prices = [str(price) for price in draw.sample(range(11, 99), 6)]
    used = [str(price) for price in draw.sample(range(11, 99), 6)]
    rows = [("Article", "Price in EUR")]
    at = draw.randrange(6)
    return TaskDraft(
        f"What does a used {things[at]} cost in the shop that is open in the browser? Save the price, the number "
        "alone, as price.txt in the folder Documents of the desktop.",
        (text_is("Documents/price.txt", used[at]),),
        (
            step("look at the prices", Click('the link "Used articles"'), Wait(1.0), env="browser", needed=False),
            open_program("mousepad"),
            type_text(used[at]),
            save_as("Documents/price.txt"),
        ),
        {},
        (),
        {
            "": page("Shop", links({"new": "New articles", "used": "Used articles"})),
            "new": page("New articles", table([*rows, *zip(things, prices, strict=True)])),
            "used": page("Used articles", table([*rows, *zip(things, used, strict=True)])),
        },
    )


def page_code_to_text(draw: Draw) -> TaskDraft:
    """A code that a voice message of a page says is saved on the desktop."""
    number = code(draw.media)
    return TaskDraft(
        "The page in the browser has a voice message. Play it, and save the code that it says, the digits alone, as "
        "code.txt in the folder Documents of the desktop.",
        (page_listened(), text_is("Documents/code.txt", number)),
        (
            step(
                "play the message",
                Click('the button "Play the message"'),
                until(page_listened(), lasts=MEMO_SECONDS),
                env="browser",
            ),
            open_program("mousepad"),
            type_text(number),
            save_as("Documents/code.txt"),
        ),
        pages={"": page("Locker 7", f"<p>A message has been left for you.</p>{message('message.wav')}")},
        page_media={"message.wav": memo(draw, f"the code is {number}")},
    )


def price_to_sheet(draw: Random) -> TaskDraft:
    """A price on a page is entered into a sheet."""
    things = draw.sample(THINGS, 6)
    prices = draw.sample(range(100, 999), 6)
    at, path = draw.randrange(6), "Documents/prices.gnumeric"
    rows: list[list[str | int]] = [["Article", "Price"]]
    for row, (thing, price) in enumerate(zip(things, prices, strict=True)):
        rows.append([thing] if row == at else [thing, price])
    shown = [("Article", "Price"), *((thing, str(price)) for thing, price in sorted(zip(things, prices, strict=True)))]
    cell = f"B{at + 2}"
    return TaskDraft(
        "One price is missing in the sheet that is open on the desktop. Look it up on the page in the browser, enter "
        "it, and save the sheet.",
        (cell_shows(path, cell, str(prices[at])),),
        (go_to_cell(cell), step("type the price", TypeText(str(prices[at]), submit=True), Wait(0.5)), save(path)),
        {path: gnumeric(rows)},
        (("gnumeric", path),),
        {"": page("Prices", table(shown))},
    )


def flashes_to_form(draw: Draw) -> TaskDraft:
    """The numbers of short and of long flashes of a film are reported by a form."""
    short, long = draw.media.randrange(1, 8), draw.media.randrange(1, 8)
    lengths = [0.3] * short + [1.2] * long
    draw.media.shuffle(lengths)
    shots = [(GREY, 1.0)]
    for length in lengths:
        shots += [(COLOURS[draw.media.choice(sorted(COLOURS))], length), (GREY, 0.5)]
    path, seconds = "Videos/signals.mkv", sum(length for _, length in shots)
    fields = {"short": "Short flashes", "long": "Long flashes"}
    return TaskDraft(
        "Play signals.mkv, which the player on the desktop holds. It flashes in several colours; some flashes are "
        "short, others last about a second. Report how many of each it has with the form in the browser.",
        (file_played("signals.mkv", seconds - 1.0), form_sent("report", short=str(short), long=str(long))),
        (
            play(path, seconds),
            fill("Short flashes", str(short)),
            fill("Long flashes", str(long)),
            press_button("Report"),
        ),
        open=(waiting_player(path),),
        pages={
            "": page("Report", form("report", fields, "Report")),
            "report": page("Thank you", "<p>Your report has been received.</p>"),
        },
        media={path: partial(flashes, shots, 20.0)},
    )


BOTH: Devices = ("desktop", "browser")
TEMPLATES = (
    WorkshopTemplate(
        "price-to-sheet", "enter a price of a page into a sheet", ("chromium", "gnumeric"), price_to_sheet, BOTH
    ),
    WorkshopTemplate(
        "flashes-to-form", "report the flashes of a film", ("mpv", "chromium"), flashes_to_form, BOTH, "motion"
    ),
    WorkshopTemplate(
        "form-from-text", "fill in a form with what a text says", ("mousepad", "chromium"), form_from_text, BOTH
    ),
    WorkshopTemplate("price-to-text", "look up a price and save it", ("chromium", "mousepad"), price_to_text, BOTH),
    WorkshopTemplate(
        "page-code-to-text",
        "save a code that a page says",
        ("chromium", "mousepad"),
        page_code_to_text,
        BOTH,
        "sound",
    ),
)
