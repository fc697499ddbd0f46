"""Elements from `uiautomator dump`, and its failures."""

from __future__ import annotations

import android_texts as told
import pytest
from android_texts import dump, node

from omnipilot.envs import Elements, Size
from omnipilot.envs.android.hierarchy import DumpFailed, elements, parse_hierarchy
from omnipilot.envs.android.screen import Display, screen_map

SIZE = Size(1000, 2000)
MAP = screen_map(SIZE, Display(SIZE, SIZE))


def read(nodes: str, cap: int = 0) -> Elements:
    return elements(parse_hierarchy(dump(nodes)), MAP, cap)


@pytest.mark.parametrize(
    ("output", "kind", "words"),
    [
        (told.IDLE, "idle", "keeps moving"),
        (told.NO_ROOT, "empty", "no window"),
        (told.TAKEN, "taken", "another program"),
        (told.KILLED, "killed", "memory"),
        ("", "other", "said nothing"),
        (told.DUMPED, "other", "hierchary"),
        (dump("<node bounds='[0,0][1,1]'>").replace("</hierarchy>", ""), "other", "no element tree"),
        (dump("<node></hierarchy>"), "other", "damaged"),
        ("<?xml version='1.0'?><!DOCTYPE a [<!ENTITY b 'c'>]><hierarchy></hierarchy>", "other", "entities"),
    ],
)
def test_a_failed_dump_says_why(output: str, kind: str, words: str) -> None:
    with pytest.raises(DumpFailed, match=words) as error:
        parse_hierarchy(output)
    assert error.value.kind == kind


def test_messages_may_come_before_and_after_the_tree() -> None:
    xml = dump(node("[0,0][9,9]", text="A")).removeprefix(told.DUMPED)
    for output in (xml + told.DUMPED, f"WARNING: linker\n{told.DUMPED}{xml}\n"):
        assert [one.name for one in elements(parse_hierarchy(output), MAP)] == ["A"]


def test_classes_become_roles_and_flags_states() -> None:
    found = read(
        node("[0,0][100,100]", class_="android.widget.Button", text="Save", clickable="true", enabled="false")
        + node(
            "[0,100][100,200]", class_="android.widget.Switch", content_desc="Wi-Fi", checkable="true", checked="true"
        )
        + node("[0,200][100,300]", class_="android.widget.EditText", text="Ada", hint="Name", focused="true")
        + node("[0,300][100,400]", class_="android.widget.EditText", text="Name", hint="Name", password="true")
        + node("[0,400][100,500]", class_="androidx.recyclerview.widget.RecyclerView", scrollable="true")
        + node("[0,500][100,600]", class_="android.widget.ImageView", content_desc="Logo")
        + node("[0,600][100,700]", class_="android.widget.TextView", text="Tap me", clickable="true")
        + node("[0,700][100,800]", class_="android.widget.TextView", text="All")
        + node("[0,800][100,900]", class_="android.widget.LinearLayout")
    )
    assert [(one.role, one.name, one.value, sorted(one.states)) for one in found] == [
        ("button", "Save", "", ["disabled"]),
        ("switch", "Wi-Fi", "", ["checked"]),
        ("textbox", "Name", "Ada", ["focused"]),
        ("textbox", "Name", "", ["password"]),
        ("list", "", "", ["scrollable"]),
        ("image", "Logo", "", []),
        ("button", "Tap me", "", []),
        ("text", "All", "", []),
    ]


def test_a_row_is_named_by_the_words_in_it() -> None:
    row = node(
        "[0,0][1000,200]",
        node("[0,0][500,100]", text="Ada Lovelace")
        + node("[0,100][500,200]", text="See you at noon")
        + node("[900,0][1000,200]", content_desc="Call", class_="android.widget.ImageButton", clickable="true"),
        clickable="true",
    )
    found = read(row)
    assert [(one.role, one.name) for one in found] == [
        ("button", "Ada Lovelace, See you at noon"),
        ("text", "Ada Lovelace"),
        ("text", "See you at noon"),
        ("button", "Call"),
    ]
    # In a list that scrolls it is an item; as a layout, not as a button.
    for kind, role in (("android.widget.LinearLayout", "listitem"), ("android.widget.Button", "button")):
        inside = node("[0,0][9,9]", text="Ada", class_=kind, clickable="true")
        (_, item) = read(
            node("[0,0][9,9]", inside, class_="androidx.recyclerview.widget.RecyclerView", scrollable="true")
        )
        assert item.role == role
    # A text that says no more than what is around it is left out.
    assert [one.name for one in read(node("[0,0][9,9]", node("[0,0][9,9]", text="Send"), clickable="true"))] == ["Send"]


def test_ids_are_unique() -> None:
    found = read(node("[0,0][9,9]", text="A", resource_id="x:id/row") * 3 + node("[0,0][9,9]", text="B"))
    assert [one.id for one in found] == ["x:id/row", "x:id/row#2", "x:id/row#3", None]


def test_boxes_are_cut_to_the_screen_and_those_off_it_left_out() -> None:
    found = read(
        node("[-50,1900][500,2100]", text="A") + node("[0,2000][9,2100]", text="B") + node("[3,3][3,9]", text="C")
    )
    (one,) = found
    assert (one.box.left, one.box.top, one.box.right, one.box.bottom) == (0, 0.95, 0.5, 1)


def test_a_cap_is_told() -> None:
    found = read(node("[0,0][9,9]", text="A") * 5, cap=3)
    assert (len(found), found.truncated, found.detail) == (3, True, "more than 3 elements")


def test_characters_that_old_versions_write_wrongly_are_mended() -> None:
    found = read(node("[0,0][9,9]", text="party &#55356;&#57225; &#0; &#x1f389; a&amp;b"))
    assert [one.name for one in found] == ["party \U0001f389 \ufffd \U0001f389 a&b"]


def test_tabs_choices_and_values_are_told_as_phones_tell_them() -> None:
    found = read(
        node("[0,0][500,100]", class_="androidx.appcompat.app.ActionBar.Tab", content_desc="Alarms", clickable="true")
        + node("[500,0][1000,100]", class_="android.app.ActionBar$Tab", text="Timer", clickable="true")
        + node("[0,100][1000,200]", class_="android.widget.CheckedTextView", text="Work", checkable="true")
        + node("[0,200][1000,300]", class_="android.widget.Spinner", content_desc="Order", text="Newest")
        + node(
            "[0,300][1000,400]",
            node("[0,300][500,400]", class_="android.widget.TextView", text="Oldest"),
            class_="android.widget.Spinner",
            content_desc="Order",
        )
        + node("[0,400][1000,500]", class_="android.widget.SeekBar", content_desc="Volume", text="7 of 10")
    )
    assert [(one.role, one.name, one.value) for one in found if one.role != "text"] == [
        ("tab", "Alarms", ""),
        ("tab", "Timer", ""),
        ("option", "Work", ""),
        ("combobox", "Order", "Newest"),
        ("combobox", "Order", "Oldest"),
        ("slider", "Volume", "7 of 10"),
    ]


def test_a_row_with_a_name_of_its_own_has_the_other_words_in_it_as_value() -> None:
    row = node(
        "[0,0][1000,100]",
        node("[0,0][500,50]", class_="android.widget.TextView", text="Wi-Fi")
        + node("[0,50][500,100]", class_="android.widget.TextView", text="Northwind"),
        class_="android.widget.LinearLayout",
        content_desc="Wi-Fi",
        clickable="true",
    )
    # A view that would scroll if it held more is a list, too.
    found = list(read(node("[0,0][1000,2000]", row, class_="android.widget.ScrollView")))
    assert (found[0].role, found[0].name, found[0].value) == ("listitem", "Wi-Fi", "Northwind")


def test_notifications_mail_and_pages_are_told_apart() -> None:
    def row(package: str, resource: str = "", class_: str = "android.widget.TextView", text: str = "Hello") -> str:
        inner = f'<node bounds="[0,0][90,90]" package="{package}" class="android.widget.TextView" text="{text}"/>'
        return (
            f'<node bounds="[0,0][99,99]" package="{package}" resource-id="{resource}" class="{class_}">{inner}</node>'
        )

    found = read(
        row("com.android.systemui", "com.android.systemui:id/expandableNotificationRow", text="Banner")
        + row("com.android.systemui", "com.android.systemui:id/clock", text="12:30")
        + row("com.google.android.gm", class_="android.webkit.WebView", text="A mail")
        + row("com.example.shop", class_="android.webkit.WebView", text="A page")
        + row("com.example.shop", text="Nobody knows")
    )
    told = {one.name: one.origin for one in found if one.name}
    assert told == {"Banner": "notification", "12:30": "", "A mail": "mail", "A page": "web", "Nobody knows": ""}
