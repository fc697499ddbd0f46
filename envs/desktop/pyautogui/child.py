"""The process in which PyAutoGUI runs: it reads lists of calls from its standard input and makes them.

It is started as a script by `omnipilot.envs.desktop.pyautogui.input` with an interpreter that has PyAutoGUI, which need
not have omnipilot. PyAutoGUI opens its display when it is imported, and its package for X brings a namesake of the one
that omnipilot uses: a process a desktop keeps both apart. Only the calls listed here are made.

A request is a line of JSON, `{"id": 1, "calls": [["moveTo", 10, 20], ["sleep", 0.1]]}`; so is its answer, `{"id": 1,
"results": […]}` or `{"id": 1, "error": "…"}`. The first answer, with id 0, gives the size of the screen.
"""

import json
import os
import sys
import time
import types
import typing


def main() -> None:
    """Answer requests until the input ends."""
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)  # What libraries print must not get between the answers.
    try:
        library = load()
        width, height = library.size()
    except BaseException as error:
        say(answers, {"id": 0, "error": f"{type(error).__name__}: {error}"})
        return
    keys = "".join(writable(library))
    say(answers, {"id": 0, "size": [int(width), int(height)], "platform": sys.platform, "characters": keys})
    calls = {
        name: getattr(library, name)
        for name in ("moveTo", "mouseDown", "mouseUp", "scroll", "hscroll", "keyDown", "keyUp", "write")
    }
    calls.update(sleep=time.sleep, paste=lambda text: paste(library, text), title=lambda: title(library))
    for line in sys.stdin:
        request = json.loads(line)
        try:
            results = [calls[name](*arguments) for name, *arguments in request["calls"]]
            say(answers, {"id": request["id"], "results": results})
        except Exception as error:
            say(answers, {"id": request["id"], "error": f"{type(error).__name__}: {error}"})


def load() -> typing.Any:
    """PyAutoGUI without its fail-safe corner and its pauses.

    Its package `mouseinfo`, which shows coordinates in a window, ends the process where there is no tkinter;
    it is left out.
    """
    if sys.platform == "linux":
        os.environ.setdefault("XAUTHORITY", os.devnull)
    sys.modules.setdefault("mouseinfo", types.ModuleType("mouseinfo"))
    import pyautogui

    pyautogui.FAILSAFE = False
    pyautogui.PAUSE = 0
    pyautogui.DARWIN_CATCH_UP_TIME = 0.01
    return pyautogui


def writable(library: typing.Any) -> list[str]:
    """The characters that PyAutoGUI writes as they are.

    Under X it takes the first key that has a character, and holds Shift by a table of the American keyboard: `<` comes
    out as `>` where another key has it, too. The table of keys is corrected to keys that do have the character there.
    """
    plain = [chr(code) for code in range(32, 127)] + ["\t", "\n"]
    if sys.platform != "linux":
        return plain
    from pyautogui import _pyautogui_x11 as backend

    right = []
    for key in plain:
        if not key.isprintable():
            right.append(key)
            continue
        level = int(library.isShiftCharacter(key))
        places = backend._display.keysym_to_keycodes(ord(key))
        codes = [code for code, index in places if index == level]
        if codes:
            backend.keyboardMapping[key] = codes[0]
            right.append(key)
    return right


def paste(library: typing.Any, text: str) -> None:
    """Write a text that has characters without a key: by the clipboard, whose content is put back."""
    import pyperclip

    before = pyperclip.paste()
    pyperclip.copy(text)
    time.sleep(0.05)
    keys = ("command", "v") if sys.platform == "darwin" else ("ctrl", "v")
    for key in keys:
        library.keyDown(key)
    for key in reversed(keys):
        library.keyUp(key)
    time.sleep(0.3)  # A program fetches the text when it handles the keys.
    pyperclip.copy(before)


def title(library: typing.Any) -> str:
    """Title of the window in front; "" where the system does not tell."""
    try:
        return str(library.getActiveWindowTitle() or "")
    except (AttributeError, NotImplementedError):
        return ""


def say(answers: typing.TextIO, answer: dict[str, typing.Any]) -> None:
    """Write one answer."""
    answers.write(json.dumps(answer) + "\n")
    answers.flush()


if __name__ == "__main__":
    main()
