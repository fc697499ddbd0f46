"""Web pages, and what they have to do with the desktop."""

from __future__ import annotations

from random import Random

from omnipilot.bench.suites.workshop.kit.checks import cell_shows, played, sent, text_is
from omnipilot.bench.suites.workshop.kit.content import THINGS, code, gnumeric, list_text, names
from omnipilot.bench.suites.workshop.kit.media import BLUE, GREEN, GREY, RED, film, speech
from omnipilot.bench.suites.workshop.kit.pages import form, links, page, table
from omnipilot.bench.suites.workshop.kit.steps import (
    fill,
    go_to_cell,
    keys,
    open_program,
    press_button,
    save,
    save_as,
    step,
    type_text,
)
from omnipilot.bench.suites.workshop.template import Devices, Draft, Template
from omnipilot.envs import Click, TypeText, Wait


def form_from_text(draw: Random) -> Draft:
    """A form is filled in with what a text on the desktop says."""
    person, other = names(draw, 2)
    thing, count = draw.choice(THINGS), draw.randrange(2, 20)
    fields = {"name": "Name", "thing": "Article", "count": "Quantity"}
    note = list_text([f"Order for {person}, not for {other}:", f"{count} times {thing}"])
    return Draft(
        "A note is open in the editor on the desktop. Place the order that it describes with the form in the browser.",
        (sent("order", name=person, thing=thing, count=str(count)),),
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


def price_to_text(draw: Random) -> Draft:
    """A price is looked up on a page behind a link, and saved on the desktop."""
    things = draw.sample(THINGS, 6)
    prices = [str(price) for price in draw.sample(range(11, 99), 6)]
    used = [str(price) for price in draw.sample(range(11, 99), 6)]
    rows = [("Article", "Price in EUR")]
    at = draw.randrange(6)
    return Draft(
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


def code_to_form(draw: Random) -> Draft:
    """A code that is spoken in a recording on the desktop opens a door on a page."""
    number, voice = code(draw), draw.choice(["en-a", "en-b"])
    return Draft(
        "Play the voice memo that the player on the desktop holds, and enter the code that is said into the form in "
        "the browser.",
        (played("memo.wav", 2.0), sent("unlock", code=number)),
        (
            step("play it", keys("space"), Wait(5.0)),
            fill("Code", number),
            press_button("Unlock"),
        ),
        {"Music/memo.wav": speech(f"{voice}:the code is {number}", lead=1.0, repeat=2)},
        (("mpv", "--pause", "--keep-open=yes", "Music/memo.wav"),),
        {
            "": page("Locker", form("unlock", {"code": "Code"}, "Unlock")),
            "unlock": page("Locker", "<p>The code has been received.</p>"),
        },
    )


def price_to_sheet(draw: Random) -> Draft:
    """A price on a page is entered into a sheet."""
    things = draw.sample(THINGS, 6)
    prices = draw.sample(range(100, 999), 6)
    at, path = draw.randrange(6), "Documents/prices.gnumeric"
    rows: list[list[str | int]] = [["Article", "Price"]]
    for row, (thing, price) in enumerate(zip(things, prices, strict=True)):
        rows.append([thing] if row == at else [thing, price])
    shown = [("Article", "Price"), *((thing, str(price)) for thing, price in sorted(zip(things, prices, strict=True)))]
    cell = f"B{at + 2}"
    return Draft(
        "One price is missing in the sheet that is open on the desktop. Look it up on the page in the browser, enter "
        "it, and save the sheet.",
        (cell_shows(path, cell, str(prices[at])),),
        (go_to_cell(cell), step("type the price", TypeText(str(prices[at]), submit=True), Wait(0.5)), save(path)),
        {path: gnumeric(rows)},
        (("gnumeric", path),),
        {"": page("Prices", table(shown))},
    )


def flashes_to_form(draw: Random) -> Draft:
    """The number of flashes of a film is reported by a form."""
    count = draw.randrange(2, 8)
    shots = [(GREY, 1.0)]
    for _ in range(count):
        shots += [(draw.choice([RED, GREEN, BLUE]), 0.5), (GREY, draw.choice([0.5, 0.8]))]
    seconds = sum(length for _, length in shots)
    return Draft(
        "Play signals.mkv, which the player on the desktop holds, and count how often it flashes, in whatever colour. "
        "Report the number with the form in the browser.",
        (played("signals.mkv", 1.5), sent("report", count=str(count))),
        (step("play it", keys("space"), Wait(seconds)), fill("Number of flashes", str(count)), press_button("Report")),
        {"Videos/signals.mkv": film(shots)},
        (("mpv", "--pause", "--keep-open=yes", "Videos/signals.mkv"),),
        {
            "": page("Report", form("report", {"count": "Number of flashes"}, "Report")),
            "report": page("Thank you", "<p>Your report has been received.</p>"),
        },
    )


BOTH: Devices = ("desktop", "browser")
TEMPLATES = (
    Template("price-to-sheet", "enter a price of a page into a sheet", ("chromium", "gnumeric"), price_to_sheet, BOTH),
    Template("flashes-to-form", "report the flashes of a film", ("mpv", "chromium"), flashes_to_form, BOTH, "motion"),
    Template("form-from-text", "fill in a form with what a text says", ("mousepad", "chromium"), form_from_text, BOTH),
    Template("price-to-text", "look up a price and save it", ("chromium", "mousepad"), price_to_text, BOTH),
    Template("code-to-form", "enter a spoken code on a page", ("mpv", "chromium"), code_to_form, BOTH, "sound"),
)
