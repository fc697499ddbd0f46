"""What a browser shows above its pages, made visible: dialogs, file choosers, the open lists of drop-down fields.

None of these is in a page's document, and a headless browser draws none of them. Each is shown as a page of its own
over the last picture, in a context that sites cannot reach; there it is seen, clicked and typed into like any page.
"""

from __future__ import annotations

import base64
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any, Literal, TypeAlias
from urllib.parse import urlsplit

from omnipilot.envs.types.geometry import Size
from omnipilot.envs.types.media import Image
from omnipilot.envs.web.chromium import Chromium
from omnipilot.envs.web.tabs import FrameWorld, PageLeft, Tab, Tabs

Kind: TypeAlias = Literal["dialog", "files", "list"]


@dataclass(frozen=True, slots=True)
class PopupAnswer:
    """What was answered.

    Attributes:
        button: index of the button; -1 if a list was closed without a choice.
        values: of the fields. chosen: indices of the selected options.
    """

    button: int
    values: tuple[str, ...]
    chosen: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class BrowserPopup:
    """One thing to be answered.

    Attributes:
        buttons: the first one agrees, the last one cancels.
        fields: label and value of each.
        options: label of each, whether it is selected, whether it is disabled.
        at: edges of the field that a list belongs to, in CSS pixels.
        give: takes the answer to the page; returns why it cannot be taken, "" if it was.
    """

    kind: Kind
    title: str
    give: Callable[[PopupAnswer], str]
    message: str = ""
    buttons: tuple[str, ...] = ("OK", "Cancel")
    fields: tuple[tuple[str, str], ...] = ()
    options: tuple[tuple[str, bool, bool], ...] = ()
    multiple: bool = False
    at: tuple[float, float, float, float] = (0.0, 0.0, 0.0, 0.0)
    about: str = field(default="", compare=False)

    def told(self) -> str:
        """One line that says what is open."""
        if self.about:
            return self.about
        message = " ".join(self.message.split())
        return f"{self.title}: {message}" if message else self.title


def of_dialog(dialog: Any) -> BrowserPopup:
    """An alert, confirm, prompt or beforeunload dialog of a page."""

    def give(answer: PopupAnswer) -> str:
        if answer.button == 0 and dialog.type == "prompt":
            dialog.accept(answer.values[0])
        elif answer.button == 0:
            dialog.accept()
        else:
            dialog.dismiss()
        return ""

    if dialog.type == "beforeunload":
        return BrowserPopup("dialog", "Leave site?", give, "Changes you made may not be saved.", ("Leave", "Cancel"))
    title = f"{_site(dialog.page.url)} says"
    if dialog.type == "alert":
        return BrowserPopup("dialog", title, give, dialog.message, ("OK",))
    fields = (("", dialog.default_value),) if dialog.type == "prompt" else ()
    return BrowserPopup("dialog", title, give, dialog.message, fields=fields)


def of_chooser(chooser: Any, names: Sequence[str], find: Callable[[str], Path | None]) -> BrowserPopup:
    """A file chooser over the files that pages may be given.

    Args:
        names: of these files. find: the file of a name, or None.
    """
    multiple = chooser.is_multiple()

    def give(answer: PopupAnswer) -> str:
        if answer.button:
            return ""
        given = [part.strip() for part in answer.values[0].split(";") if part.strip()]
        if not given:
            return "Choose a file, or cancel."
        if len(given) > 1 and not multiple:
            return "Choose one file only."
        files = [find(name) for name in given]
        if None in files:
            return f"There is no file {given[files.index(None)]!r} here."
        chooser.set_files([str(file) for file in files])
        return ""

    return BrowserPopup(
        "files",
        "Choose files" if multiple else "Choose a file",
        give,
        buttons=("Open", "Cancel"),
        fields=(("File names, separated by semicolons" if multiple else "File name", ""),),
        options=tuple((name, False, False) for name in names),
        multiple=multiple,
    )


def _site(url: str) -> str:
    parts = urlsplit(url)
    return parts.netloc if parts.scheme in ("http", "https") and parts.netloc else "This page"


@cache
def _script() -> str:
    return (Path(__file__).parent / "popup.js").read_text(encoding="utf-8")


class PopupPage:
    """The page on which popups are shown, in a browser context of its own."""

    def __init__(self, chromium: Chromium, size: Size, scale: float) -> None:
        side = {"width": size.width, "height": size.height}
        self._context = chromium.browser.new_context(viewport=side, screen=side, device_scale_factor=scale)
        self.tab = Tab(self._context.new_page(), chromium.error)
        # As a function: Playwright calls what a script evaluates to.
        self.tab.page.evaluate(f"() => {{ {_script()} }}")
        self._size = size
        self.shown: BrowserPopup | None = None

    def show(self, popup: BrowserPopup, picture: Image | None, size: Size, problem: str = "") -> None:
        """Show a popup over a picture of the page beneath."""
        if size != self._size:
            self._size = size
            self.tab.page.set_viewport_size({"width": size.width, "height": size.height})
        under = None
        if picture is not None:
            under = "data:image/png;base64," + base64.b64encode(picture.png()).decode()
        self.tab.page.evaluate(
            "shown => show(shown)",
            {
                "kind": popup.kind,
                "title": popup.title,
                "message": f"{popup.message}\n\n{problem}".strip() if problem else popup.message,
                "buttons": popup.buttons,
                "fields": [
                    {"label": label, "value": value, "secret": label == "Password"} for label, value in popup.fields
                ],
                "options": [
                    {"label": label, "selected": selected, "disabled": disabled}
                    for label, selected, disabled in popup.options
                ],
                "multiple": popup.multiple,
                "at": popup.at,
                "picture": under,
            },
        )
        self.shown = popup

    def answer(self) -> PopupAnswer | None:
        """What was answered; None as long as nothing was."""
        told = self.tab.page.evaluate("answer")
        return told and PopupAnswer(told["button"], tuple(told["values"]), tuple(told["chosen"]))

    def close(self) -> None:
        """Close the page."""
        self._context.close()


class Popups:
    """What is open above the pages of a context, one thing at a time, and taking the agent's answers to the pages.

    Args:
        names: of the files that pages may be given. find: the file of such a name, or None.
    """

    def __init__(
        self,
        chromium: Chromium,
        tabs: Tabs,
        scale: float,
        names: Callable[[], list[str]],
        find: Callable[[str], Path | None],
    ) -> None:
        self._chromium = chromium
        self._tabs = tabs
        self._scale = scale
        self._names = names
        self._find = find
        self._page: PopupPage | None = None
        self._source: object = None
        self._list: tuple[FrameWorld, BrowserPopup] | None = None
        self.open: BrowserPopup | None = None

    @property
    def tab(self) -> Tab:
        """The page that shows what is open."""
        assert self._page is not None
        return self._page.tab

    def look(self, picture: Callable[[], Image | None], size: Size) -> BrowserPopup | None:
        """What is open now; it is shown over a picture of the page."""
        tabs = self._tabs
        tabs.dialogs[:] = [dialog for dialog in tabs.dialogs if not dialog.page.is_closed()]
        source: Any = None
        if tabs.dialogs:
            source = tabs.dialogs[0]
            tabs.show_page(source.page)
        elif tabs.front.choosers:
            source = tabs.front.choosers[0]
        elif self._list is not None:
            source = self._list
        if source is not self._source:
            self._source = source
            if source is None:
                self.open = None
            elif source is self._list:
                self.open = self._list[1]
            elif tabs.dialogs:
                self.open = of_dialog(source)
            else:
                self.open = of_chooser(source, self._names(), self._find)
            if self.open is not None:
                self._shown(picture(), size)
        return self.open

    def _shown(self, picture: Image | None, size: Size, problem: str = "") -> None:
        assert self.open is not None
        if self._page is None:
            self._page = PopupPage(self._chromium, size, self._scale)
        self._page.show(self.open, picture, size, problem)
        self._picture = picture

    def find_list(self) -> None:
        """Notice a drop-down list that the last action opened."""
        tab = self._tabs.front
        for world in tab.worlds():
            try:
                told = world.evaluate("omnipilot.openList()")
            except (PageLeft, tab.error):
                continue
            if told is not None:
                dx, dy = world.offset
                left, top, right, bottom = told["at"]
                popup = BrowserPopup(
                    "list",
                    "List",
                    lambda _: "",
                    options=tuple((label, selected, disabled) for label, selected, disabled in told["options"]),
                    at=(left + dx, top + dy, right + dx, bottom + dy),
                    about="a drop-down list is open",
                )
                self._list = (world, popup)
                return

    def finish(self, size: Size) -> bool:
        """Take the answer to the page, if there is one; returns whether nothing is open any more.

        Raises:
            DialogOpened: the page opened a dialog at once.
        """
        assert self._page is not None and self.open is not None
        answer = self._page.answer()
        if answer is None:
            return False
        if self._source is self._list:
            self.close_list(answer.chosen[0] if answer.button == 0 and answer.chosen else None)
            return True
        try:
            problem = self.open.give(answer)
        except self._chromium.error:
            problem = ""  # the page has gone on without the answer
        if problem:
            self._shown(self._picture, size, problem)
            return False
        waiting = self._tabs.dialogs if self.open.kind == "dialog" else self._tabs.front.choosers
        waiting.remove(self._source)
        self._forget()
        return True

    def close_list(self, choice: int | None = None) -> None:
        """Close the open list of a drop-down field, with the option of this index or without a choice."""
        assert self._list is not None
        world, _ = self._list
        self._list = None
        self._forget()
        self._tabs.front.page.keyboard.press("Escape")
        if choice is not None:
            with suppress(PageLeft):
                world.evaluate(f"omnipilot.pick({choice})")

    def _forget(self) -> None:
        self._source = None
        self.open = None

    def close(self) -> None:
        """Close the page that shows them."""
        if self._page is not None:
            self._page.close()
            self._page = None
