"""Everyday words for kinds of elements, and the ARIA roles they may mean."""

from __future__ import annotations

FIELDS = frozenset({"textbox", "searchbox", "combobox", "spinbutton", "textarea", "input"})
"""Roles that text can be typed into."""

INTERACTIVE = FIELDS | frozenset(
    "button link tab checkbox radio switch option menuitem menuitemcheckbox menuitemradio treeitem slider listbox "
    "togglebutton gridcell".split()
)
"""Roles that can be operated."""

_BUTTONS = frozenset({"button", "togglebutton", "menubutton"})
_LISTS = frozenset({"combobox", "listbox", "select", "menu"})
_ITEMS = frozenset("listitem option menuitem menuitemcheckbox menuitemradio treeitem row link article".split())
_PICTURES = frozenset({"image", "img", "icon", "graphic"}) | _BUTTONS

ROLE_WORDS: dict[str, frozenset[str]] = {
    **dict.fromkeys(("button", "key"), _BUTTONS),
    **dict.fromkeys(("link", "hyperlink"), frozenset({"link"})),
    "tab": frozenset({"tab"}),
    **dict.fromkeys(
        "text field,textfield,text box,textbox,field,input,input field,text input,input box,text area,textarea,"
        "input textbox,input field,search box,search bar,search field,entry field,text entry".split(","),
        FIELDS,
    ),
    **dict.fromkeys(("checkbox", "check box", "tick box", "tickbox"), frozenset({"checkbox", "menuitemcheckbox"})),
    **dict.fromkeys(("switch", "toggle"), frozenset({"switch", "checkbox", "togglebutton"})),
    **dict.fromkeys(("radio button", "radio", "radio option"), frozenset({"radio", "menuitemradio"})),
    "option": frozenset({"radio", "option", "menuitemradio", "menuitem", "listitem"}),
    **dict.fromkeys(
        "dropdown,drop-down,drop down,drop-down list,dropdown list,dropdown menu,combobox,combo box,list box,list,"
        "listbox,scroll list,select box".split(","),
        _LISTS,
    ),
    **dict.fromkeys(("menu item", "item", "entry", "list item", "search result", "result", "row"), _ITEMS),
    "tree item": frozenset({"treeitem"}),
    "table row": frozenset({"row"}),
    **dict.fromkeys(
        ("folder", "file", "message", "conversation", "thread", "note", "email", "mail"), _ITEMS | _BUTTONS
    ),
    **dict.fromkeys(("icon", "image", "picture", "symbol"), _PICTURES),
    **dict.fromkeys(("section", "heading", "header", "panel"), frozenset({"heading", "tab", "button", "treeitem"})),
    "slider": frozenset({"slider"}),
    **dict.fromkeys(("spinner", "spin box", "stepper"), frozenset({"spinbutton"})),
    **dict.fromkeys(("cell", "table cell"), frozenset({"cell", "gridcell"})),
    **dict.fromkeys(("dialog", "dialog box", "popup", "pop-up"), frozenset({"dialog", "alertdialog"})),
    **dict.fromkeys(("app", "application"), _PICTURES | frozenset({"listitem", "link"})),
}
"""Word (lower case, singular) → roles."""


def roles_of(word: str) -> frozenset[str]:
    """The roles that one or two words may mean, also in the plural; empty if they name no kind of element."""
    word = word.casefold()
    for form in (word, word.removesuffix("s"), word.removesuffix("es")):
        if form in ROLE_WORDS:
            return ROLE_WORDS[form]
    return frozenset()
