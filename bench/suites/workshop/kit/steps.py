"""Steps of demonstrations, as a practised user would do them."""

from __future__ import annotations

from omnipilot.bench.suites.workshop.kit.checks import file_changed, in_front, shows, title_in_front
from omnipilot.bench.suites.workshop.template import DemonstratedStep, Until
from omnipilot.bench.tasks.judges import Judge
from omnipilot.envs import Answer, Click, Intent, OpenApp, Press, TypeText, Wait
from omnipilot.envs.desktop.state import cell_position
from omnipilot.memory import Move


def step(what: str, *done: Intent | Until, env: str = "desktop", needed: bool = True) -> DemonstratedStep:
    """A step of any intents on one device, and of waits between them."""
    return DemonstratedStep(
        what,
        tuple(
            one if isinstance(one, Until) else Move("" if isinstance(one, Wait | Answer) else env, one) for one in done
        ),
        needed,
    )


def until(judge: Judge, patience: float = 30.0, lasts: float = 0.0) -> Until:
    """Wait until a judge says that something is so; then the next move can be made. An agent sees it by itself."""
    return Until(judge, patience, lasts)


def keys(*names: str) -> Press:
    """A shortcut: `keys("ctrl", "s")`."""
    return Press(names)


def open_program(title: str) -> DemonstratedStep:
    """Start a program and wait until it is in front."""
    return step(f"open {title}", OpenApp(title), until(in_front(title)))


def go_to(title: str, needed: bool = True) -> DemonstratedStep:
    """Bring an open program to the front."""
    return step(f"go to {title}", OpenApp(title), until(in_front(title)), needed=needed)


def type_text(text: str) -> DemonstratedStep:
    """Type into what has the focus."""
    return step(f"type {text!r:.40}", TypeText(text))


def go_to_cell(name: str) -> DemonstratedStep:
    """Select a cell of the spreadsheet, from its first cell on."""
    row, column = cell_position(name)
    return step(f"go to {name}", keys("ctrl", "home"), *[keys("right")] * column, *[keys("down")] * row)


def save(path: str) -> DemonstratedStep:
    """Save the file that is open, and wait until it is written."""
    return step("save", keys("ctrl", "s"), until(file_changed(path)))


def save_as(path: str) -> DemonstratedStep:
    """Save under a name in the file dialog of a GTK program; `path` as the desktop sees it, or relative to its home."""
    full = path if path.startswith("/") else f"~/{path}"
    return step(
        f"save as {path}",
        keys("ctrl", "s"),
        until(title_in_front("Save As")),
        keys("ctrl", "a"),
        TypeText(full),
        keys("enter"),
        until(file_changed(path)),
    )


def click(name: str, env: str = "desktop") -> DemonstratedStep:
    """Click on an element by its description."""
    return step(f"click {name}", Click(name), env=env)


def in_terminal(line: str, *written: str, needed: bool = True) -> DemonstratedStep:
    """A command line in the terminal that is in front, and what files it writes."""
    waits = [until(file_changed(path)) for path in written]
    return step(line, TypeText(line, submit=True), *waits, needed=needed)


def select_file(name: str) -> DemonstratedStep:
    """Select a file in the file manager."""
    return step(f"select {name}", Click(f'the list item "{name}"'))


def move_to_folder(path: str) -> tuple[DemonstratedStep, ...]:
    """Move the file that is selected in the file manager into a folder of the home."""
    folder = path.rpartition("/")[0]
    return (
        step("cut it", keys("ctrl", "x")),
        step(
            "go to the folder",
            keys("ctrl", "l"),
            TypeText(f"/home/user/{folder}", submit=True),
            until(title_in_front(folder)),
        ),
        step("put it there", keys("ctrl", "v"), until(file_changed(path))),
    )


def calculate(line: str) -> DemonstratedStep:
    """Keys of the calculator: it takes no second press of a key before its button is up, when its display changes."""
    done: list[Intent | Until] = []
    number = ""
    for key in line:
        done.append(TypeText(key))
        if key.isdigit():
            number += key
            done.append(until(shows("galculator", number)))
        else:
            number = ""
            done.append(Wait(0.3))
    return step(f"calculate {line}", *done)


def answer(text: str) -> DemonstratedStep:
    """Tell the user."""
    return step("answer", Answer(text))


def fill(field: str, text: str, env: str = "browser") -> DemonstratedStep:
    """Type into a field of a form."""
    return step(f"fill in {field}", TypeText(text, f'the textbox "{field}"', clear=True), env=env)


def press_button(name: str, env: str = "browser") -> DemonstratedStep:
    """Press a button, and wait for what it does."""
    return step(f"press {name}", Click(f'the button "{name}"'), Wait(1.0), env=env)


def write_note(title: str, text: str) -> tuple[DemonstratedStep, ...]:
    """Write a new note on the phone."""
    return (
        step("open the notes", OpenApp("Notes"), Wait(0.5), Click('the button "New note"'), Wait(0.5), env="phone"),
        step("type the title", TypeText(title, 'the textbox "Title"'), env="phone"),
        step("type the note", TypeText(text, 'the textbox "Write here"'), env="phone"),
        step("save the note", Click('the button "Save"'), Wait(0.5), env="phone"),
    )
