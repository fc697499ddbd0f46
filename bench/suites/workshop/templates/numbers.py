"""Numbers: the spreadsheet and the calculator."""

from __future__ import annotations

from random import Random

from omnipilot.bench.suites.workshop.kit.checks import cell_shows, says_names, sheet_is, shows, text_is
from omnipilot.bench.suites.workshop.kit.content import THINGS, TOPICS, code, gnumeric, names
from omnipilot.bench.suites.workshop.kit.playing import MEMO, memo, memo_played, play, waiting_player
from omnipilot.bench.suites.workshop.kit.steps import (
    answer,
    calculate,
    go_to,
    go_to_cell,
    open_program,
    save,
    save_as,
    step,
    type_text,
)
from omnipilot.bench.suites.workshop.template import Draw, TaskDraft, WorkshopTemplate
from omnipilot.envs import TypeText


def fill_cell(draw: Random) -> TaskDraft:
    """A price in the row of one thing; the sum below follows."""
    things = draw.sample(THINGS, 5)
    prices = [draw.randrange(12, 90) for _ in things]
    at = draw.randrange(5)
    price = draw.randrange(100, 200)
    rows: list[list[str | int]] = [["Thing", "Price"]]
    rows += [[thing, number] for thing, number in zip(things, prices, strict=True)]
    rows.append(["Sum", "=sum(B2:B6)"])
    path = f"Documents/{draw.choice(TOPICS)}.gnumeric"
    cell = f"B{at + 2}"
    after = [*rows]
    after[at + 1] = [things[at], price]
    after[-1] = ["Sum", sum(prices) - prices[at] + price]
    return TaskDraft(
        f"The {things[at]} in the open sheet now costs {price}. Correct its price, leave the sum to the formula, and "
        "save the file.",
        (cell_shows(path, cell, str(price)), sheet_is(path, after, formula="B7")),
        (
            go_to_cell(cell),
            step("type the price", TypeText(str(price), submit=True)),
            save(path),
        ),
        {path: gnumeric(rows)},
        (("gnumeric", path),),
    )


def sum_of_calculation(draw: Random) -> TaskDraft:
    """A product worked out with the calculator, written to a file."""
    first, second = draw.randrange(113, 987), draw.randrange(113, 987)
    product = first * second
    return TaskDraft(
        f"Work out {first} times {second} with the calculator, and save the result, the number alone, as product.txt "
        "in the folder Documents.",
        (shows("galculator", str(product)), text_is("Documents/product.txt", str(product))),
        (
            calculate(f"{first}*{second}="),
            open_program("mousepad"),
            type_text(str(product)),
            save_as("Documents/product.txt"),
        ),
        {},
        (("galculator",),),
    )


def most_expensive(draw: Random) -> TaskDraft:
    """Who spent most and who second most, told to the user."""
    people = names(draw, 12)
    amounts = draw.sample(range(100, 999), 12)
    rows: list[list[str | int]] = [["Name", "Spent"]]
    rows += [[one, amount] for one, amount in zip(people, amounts, strict=True)]
    first, second = sorted(people, key=lambda one: -amounts[people.index(one)])[:2]
    return TaskDraft(
        "Who spent most, according to the open sheet, and who spent second most? Answer with the two names in this "
        "order.",
        (says_names(first, second, among=people),),
        (answer(f"{first}, {second}"),),
        {"Documents/spending.gnumeric": gnumeric(rows)},
        (("gnumeric", "Documents/spending.gnumeric"),),
    )


def add_formula(draw: Random) -> TaskDraft:
    """The sum of a column, in the cell below it."""
    count = draw.randrange(5, 9)
    numbers = [draw.randrange(10, 99) for _ in range(count)]
    rows: list[list[str | int]] = [["Day", "Visitors"]]
    rows += [[f"Day {day}", number] for day, number in enumerate(numbers, 1)]
    rows.append(["All days"])
    path, cell = f"Documents/{draw.choice(TOPICS)}.gnumeric", f"B{count + 2}"
    return TaskDraft(
        "Put the number of visitors of all days into the empty cell at the end of the open sheet, and save the file.",
        (sheet_is(path, [*rows[:-1], ["All days", sum(numbers)]]),),
        (
            go_to_cell(cell),
            step("type a formula", TypeText(f"=sum(B2:B{count + 1})", submit=True)),
            save(path),
        ),
        {path: gnumeric(rows)},
        (("gnumeric", path),),
    )


def spoken_to_cell(draw: Draw) -> TaskDraft:
    """A number that is spoken is entered into a sheet."""
    people = names(draw, 5)
    number, at = code(draw.media), draw.randrange(5)
    rows: list[list[str | int]] = [["Name", "Room"]]
    rows += [[one, int(code(draw))] if row != at else [one] for row, one in enumerate(people)]
    path, cell = "Documents/rooms.gnumeric", f"B{at + 2}"
    return TaskDraft(
        f"Only the room of {people[at]} is missing in the open sheet. Play the voice memo that the player holds, enter "
        "the number that it says, and save the sheet.",
        (memo_played(), cell_shows(path, cell, number)),
        (
            play(MEMO),
            go_to("gnumeric"),
            go_to_cell(cell),
            step("type the number", TypeText(number, submit=True)),
            save(path),
        ),
        {path: gnumeric(rows)},
        (("gnumeric", path), waiting_player(MEMO)),
        media={MEMO: memo(draw, f"the room is {number}")},
    )


TEMPLATES = (
    WorkshopTemplate("sheet-add-sum", "add the sum of a column to a sheet", ("gnumeric",), add_formula),
    WorkshopTemplate(
        "sheet-spoken-room", "enter a spoken number into a sheet", ("mpv", "gnumeric"), spoken_to_cell, hangs_on="sound"
    ),
    WorkshopTemplate("sheet-correct-price", "correct a cell of a sheet and save it", ("gnumeric",), fill_cell),
    WorkshopTemplate("sheet-who-spent-most", "find the two greatest numbers of a sheet", ("gnumeric",), most_expensive),
    WorkshopTemplate(
        "calculator-to-text", "work out a product and save it", ("galculator", "mousepad"), sum_of_calculation
    ),
)
