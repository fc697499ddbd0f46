"""Texts: the editor, the document viewer and the calculator."""

from __future__ import annotations

from random import Random

from omnipilot.bench.suites.workshop.kit.checks import files_unchanged, text_is, title_in_front
from omnipilot.bench.suites.workshop.kit.content import PLACES, THINGS, TOPICS, code, list_text, names, pdf
from omnipilot.bench.suites.workshop.kit.steps import click, keys, open_program, save, save_as, step, type_text, until
from omnipilot.bench.suites.workshop.template import TaskDraft, WorkshopTemplate


def add_line(draw: Random) -> TaskDraft:
    """A line at the end of a list."""
    things = draw.sample(THINGS, 6)
    path = f"Documents/{draw.choice(TOPICS)}.txt"
    before = list_text(things[:-1])
    return TaskDraft(
        f"Add {things[-1]} as a line of its own to the end of the list that is open in the editor, and save it.",
        (text_is(path, before.decode() + things[-1]),),
        (
            step("go to the end", keys("ctrl", "end")),
            type_text(things[-1]),
            save(path),
        ),
        {path: before},
        (("mousepad", path),),
    )


def replace_name(draw: Random) -> TaskDraft:
    """One person's name, everywhere in a text."""
    old, new, other = names(draw, 3)
    place, path = draw.choice(PLACES), f"Documents/{draw.choice(TOPICS)}.txt"
    lines = [
        f"{old} opens the meeting in {place}.",
        f"{other} takes notes for {old}.",
        f"Questions go to {old} or to {other}.",
    ]
    return TaskDraft(
        f"In the open text, {old} has been replaced by {new}. Change the name wherever it stands, and save the file.",
        (text_is(path, "\n".join(lines).replace(old, new)),),
        (
            step("open the dialog to replace", keys("ctrl", "r"), until(title_in_front("Replace"))),
            type_text(old),
            step("go to the other field", keys("tab")),
            type_text(new),
            click('the checkbox "Replace all in:"'),
            click('the button "Replace"'),
            step("close the dialog", keys("esc"), until(title_in_front(path)), needed=False),
            save(path),
        ),
        {path: list_text(lines)},
        (("mousepad", path),),
    )


def page_of_report(draw: Random) -> TaskDraft:
    """A number on a later page of a PDF file, written into a new text."""
    number, topic, place = code(draw, 5), draw.choice(TOPICS), draw.choice(PLACES)
    others = [code(draw, 5) for _ in range(3)]
    pages = [
        [f"The {topic} of {place}", "Contents are on the next pages."],
        ["Order number of last year:", others[0]],
        ["Order number of this year:", number],
        ["Numbers of visitors:", others[1], others[2]],
    ]
    path = f"Documents/{topic}-report.pdf"
    return TaskDraft(
        "The report that is open in the document viewer names the order number of this year on one of its pages. "
        "Write the number, and nothing else, into a new file number.txt in the folder Documents.",
        (text_is("Documents/number.txt", number), files_unchanged(path)),
        (open_program("mousepad"), type_text(number), save_as("Documents/number.txt")),
        {path: pdf(pages)},
        (("evince", path),),
    )


TEMPLATES = (
    WorkshopTemplate("editor-add-line", "add a line to a list and save it", ("mousepad",), add_line),
    WorkshopTemplate("editor-replace-name", "replace a name everywhere in a text", ("mousepad",), replace_name),
    WorkshopTemplate(
        "pdf-number-to-text", "copy a number from a page of a PDF to a file", ("evince", "mousepad"), page_of_report
    ),
)
