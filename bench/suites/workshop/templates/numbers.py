"""Numbers: the spreadsheet and the calculator."""

from __future__ import annotations

from random import Random

from omnipilot.bench.suites.workshop.kit.checks import cell_shows, says, shows, text_is
from omnipilot.bench.suites.workshop.kit.content import THINGS, TOPICS, gnumeric, names
from omnipilot.bench.suites.workshop.kit.steps import (
    answer,
    go_to_cell,
    keys,
    open_program,
    save,
    save_as,
    step,
    type_text,
)
from omnipilot.bench.suites.workshop.template import Draft, Template
from omnipilot.envs import TypeText, Wait


def fill_cell(draw: Random) -> Draft:
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
    total = sum(prices) - prices[at] + price
    return Draft(
        f"The {things[at]} in the open sheet now costs {price}. Correct its price, leave the sum to the formula, and "
        "save the file.",
        (cell_shows(path, cell, str(price)), cell_shows(path, "B7", str(total))),
        (
            go_to_cell(cell),
            step("type the price", TypeText(str(price)), keys("enter"), Wait(0.5)),
            save(),
        ),
        {path: gnumeric(rows)},
        (("gnumeric", path),),
    )


def sum_of_calculation(draw: Random) -> Draft:
    """A product worked out with the calculator, written to a file."""
    first, second = draw.randrange(113, 987), draw.randrange(113, 987)
    product = first * second
    return Draft(
        f"Work out {first} times {second} with the calculator, and save the result, the number alone, as product.txt "
        "in the folder Documents.",
        (shows("galculator", str(product)), text_is("Documents/product.txt", str(product))),
        (
            step("calculate", TypeText(f"{first}*{second}"), keys("enter"), Wait(0.5)),
            open_program("mousepad"),
            type_text(str(product)),
            save_as("Documents/product.txt"),
        ),
        {},
        (("galculator",),),
    )


def most_expensive(draw: Random) -> Draft:
    """Who spent most, told to the user."""
    people = names(draw, 8)
    amounts = draw.sample(range(100, 999), 8)
    rows: list[list[str | int]] = [["Name", "Spent"]]
    rows += [[one, amount] for one, amount in zip(people, amounts, strict=True)]
    best = people[amounts.index(max(amounts))]
    return Draft(
        "Who spent most, according to the open sheet? Answer with the name.",
        (says(best),),
        (answer(best),),
        {"Documents/spending.gnumeric": gnumeric(rows)},
        (("gnumeric", "Documents/spending.gnumeric"),),
    )


TEMPLATES = (
    Template("sheet-correct-price", "correct a cell of a sheet and save it", ("gnumeric",), fill_cell),
    Template("sheet-who-spent-most", "find the greatest number of a sheet", ("gnumeric",), most_expensive),
    Template("calculator-to-text", "work out a product and save it", ("galculator", "mousepad"), sum_of_calculation),
)
