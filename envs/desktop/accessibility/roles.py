"""Roles and states of AT-SPI in our words."""

from __future__ import annotations

ARIA = {
    "alert": "alertdialog",
    "article": "article",
    "check box": "checkbox",
    "check menu item": "menuitemcheckbox",
    "color chooser": "dialog",
    "column header": "columnheader",
    "combo box": "combobox",
    "dialog": "dialog",
    "document email": "document",
    "document frame": "document",
    "document presentation": "document",
    "document spreadsheet": "document",
    "document text": "document",
    "document web": "document",
    "entry": "textbox",
    "file chooser": "dialog",
    "font chooser": "dialog",
    "frame": "window",
    "heading": "heading",
    "icon": "img",
    "image": "img",
    "label": "text",
    "link": "link",
    "list": "list",
    "list box": "listbox",
    "list item": "listitem",
    "menu": "menuitem",
    "menu bar": "menubar",
    "menu item": "menuitem",
    "notification": "alert",
    "page tab": "tab",
    "page tab list": "tablist",
    "paragraph": "text",
    "password text": "textbox",
    "popup menu": "menu",
    "progress bar": "progressbar",
    "push button": "button",
    "push button menu": "button",
    "button": "button",
    "radio button": "radio",
    "radio menu item": "menuitemradio",
    "row header": "rowheader",
    "scroll bar": "scrollbar",
    "slider": "slider",
    "dial": "slider",
    "spin button": "spinbutton",
    "static": "text",
    "status bar": "status",
    "switch": "switch",
    "table": "table",
    "table cell": "cell",
    "table column header": "columnheader",
    "table row": "row",
    "table row header": "rowheader",
    "terminal": "textbox",
    "text": "textbox",
    "toggle button": "togglebutton",
    "tool bar": "toolbar",
    "tool tip": "tooltip",
    "tree": "tree",
    "tree item": "treeitem",
    "tree table": "table",
    "window": "window",
}
"""Names of AT-SPI roles → ours; all others are `group`."""
GROUP = "group"

NAMED_ONLY = frozenset(
    {"group", "list", "table", "tree", "toolbar", "menubar", "tablist", "status", "scrollbar", "menu"}
)
"""Our roles that only hold others: listed if they have a name."""
LEAVES = frozenset(
    "push button,toggle button,check box,radio button,separator,image,icon,slider,scroll bar,label,password text".split(
        ","
    )
)
"""Roles below which there is nothing to see."""
WRITTEN = frozenset({"text", "entry", "terminal", "paragraph", "spin button", "password text", "document text"})
"""Roles whose text is their value."""
VALUED = frozenset({"slider", "spin button", "progress bar", "scroll bar", "dial", "level bar"})
"""Roles that have a number."""
SECRET = frozenset({"password text"})
"""Roles whose text is never read."""
MENUS = frozenset({"menu", "popup menu", "menu item", "check menu item", "radio menu item", "combo box", "tool tip"})
"""Roles whose contents are shown in windows of their own."""

ACTIVE, CHECKED, EDITABLE, ENABLED, EXPANDABLE, EXPANDED = 1, 4, 7, 8, 9, 10
FOCUSED, MODAL, PRESSED, SELECTED, SENSITIVE, SHOWING, VISIBLE = 12, 16, 20, 23, 24, 25, 30
MANAGES, INDETERMINATE, REQUIRED, CHECKABLE, READ_ONLY = 31, 32, 33, 41, 43
"""Numbers of states (AtspiStateType of at-spi2-core 2.46)."""


def state_set(words: tuple[int, ...]) -> frozenset[int]:
    """The numbers of the states that two words of 32 bits stand for."""
    bits = words[0] | (words[1] << 32 if len(words) > 1 else 0)
    return frozenset(number for number in range(64) if bits >> number & 1)


def describe_states(states: frozenset[int], role: str) -> frozenset[str]:
    """Our words for the states of an element of an AT-SPI role."""
    found = set()
    for number, word in (
        (FOCUSED, "focused"),
        (INDETERMINATE, "mixed"),
        (EXPANDED, "expanded"),
        (MODAL, "modal"),
        (REQUIRED, "required"),
    ):
        if number in states:
            found.add(word)
    if CHECKED in states:
        found.add("pressed" if role == "toggle button" else "checked")
    if PRESSED in states and role in ("push button", "toggle button"):
        found.add("pressed")
    # A menu is `selected` while it is open; of a list, a table or tabs it is the chosen one.
    if SELECTED in states:
        found.add("selected")
    if EXPANDABLE in states and EXPANDED not in states:
        found.add("collapsed")
    if ENABLED not in states and SENSITIVE not in states and role not in ("label", "separator"):
        found.add("disabled")
    if role in WRITTEN and (READ_ONLY in states or (EDITABLE not in states and role in ("text", "entry"))):
        found.add("readonly")
    return frozenset(found)
