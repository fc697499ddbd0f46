"""Forms as they are written today: fields of dates and colours, hidden boxes, parts out of use, names that clash."""

from __future__ import annotations

from collections.abc import Iterator
from urllib.parse import quote

import pytest

from omnipilot.envs import ActionRejected, Click, Element, Elements, Modality, Size, TypeText
from omnipilot.envs.web import BrowserEnv, Chromium

pytestmark = pytest.mark.web


@pytest.fixture(scope="module")
def env(chromium: Chromium) -> Iterator[BrowserEnv]:
    env = BrowserEnv(chromium, size=Size(500, 500))
    yield env
    env.close()


def show(env: BrowserEnv, body: str, style: str = "") -> list[Element]:
    """Open a page and list its elements."""
    html = f"<!doctype html><meta charset=utf-8><title>Page</title><style>{style}</style>{body}"
    env.open("data:text/html;charset=utf-8," + quote(html))
    return listed(env)


def listed(env: BrowserEnv) -> list[Element]:
    """The elements of the page."""
    found = env.observe({Modality.ELEMENTS}, 0.0).elements
    assert isinstance(found, Elements)
    return list(found)


def the(found: list[Element], role: str, name: str) -> Element:
    """The one element of a role and name."""
    (one,) = [element for element in found if (element.role, element.name) == (role, name)]
    return one


def value(env: BrowserEnv) -> str:
    """What the field with the id `x` holds."""
    return str(env.ask_page("() => document.querySelector('#x').value"))


@pytest.mark.parametrize(
    ("kind", "text", "wanted"),
    [
        ("date", "2024-03-05", "2024-03-05"),
        ("date", "03/05/2024", "2024-03-05"),
        ("date", "2024/3/5", "2024-03-05"),
        ("date", "March 5, 2024", "2024-03-05"),
        ("date", "5th March 2024", "2024-03-05"),
        ("date", "03052024", "2024-03-05"),
        ("date", "2024년 3월 5일", "2024-03-05"),
        ("date", "2024年3月5日", "2024-03-05"),
        ("month", "2024年3月", "2024-03"),
        ("time", "오후 2시 30분", "14:30"),
        ("time", "下午2:30", "14:30"),
        ("time", "午前12時", "00:00"),
        ("time", "14点30分", "14:30"),
        ("time", "1430", "14:30"),
        ("datetime-local", "2024-03-05T14:30", "2024-03-05T14:30"),
        ("datetime-local", "2024-03-05 14:30", "2024-03-05T14:30"),
        ("datetime-local", "03/05/2024, 02:30 PM", "2024-03-05T14:30"),
        ("month", "2024-03", "2024-03"),
        ("month", "March 2024", "2024-03"),
        ("week", "2024-W10", "2024-W10"),
        ("week", "Week 10, 2024", "2024-W10"),
        ("time", "14:30", "14:30"),
        ("time", "02:30 PM", "14:30"),
        ("time", "12 am", "00:00"),
        ("time", "14:30:15", "14:30:15"),
        ("color", "#ff0000", "#ff0000"),
        ("color", "#F00", "#ff0000"),
        ("color", "teal", "#008080"),
        ("range", "80", "80"),
        ("number", "12.5", "12.5"),
        ("text", "2024-03-05", "2024-03-05"),
    ],
)
@pytest.mark.parametrize("clear", [False, True])
def test_a_field_holds_what_was_typed(env: BrowserEnv, kind: str, text: str, wanted: str, clear: bool) -> None:
    found = show(env, f"<label>Field <input id=x type={kind} step=any></label>")
    field = next(one for one in found if one.name == "Field" and one.role != "label")
    env.act(TypeText(text, field.box.center, clear=clear))
    assert value(env) == wanted


@pytest.mark.parametrize(
    ("kind", "text", "form"),
    [
        ("date", "tomorrow", "a date such as 2024-03-31"),
        ("date", "2024-02-31", "a date such as 2024-03-31"),
        ("date", "31/31/2024", "a date such as 2024-03-31"),
        ("datetime-local", "2024-03-05", "date and time such as"),
        ("month", "13", "a month such as"),
        ("week", "10", "a week such as"),
        ("time", "25:00", "a time such as 14:30"),
        ("time", "half past two", "a time such as 14:30"),
        ("color", "reddish", "a colour such as #1e90ff"),
        ("range", "150", "a number from 0 to 100"),
        ("range", "loud", "a number from 0 to 100"),
        ("number", "many", "a number"),
    ],
)
def test_what_a_field_cannot_hold_is_refused_with_the_form_it_wants(
    env: BrowserEnv, kind: str, text: str, form: str
) -> None:
    show(env, f"<input id=x type={kind} autofocus>")
    before = value(env)
    with pytest.raises(ActionRejected, match=form):
        env.act(TypeText(text))
    assert value(env) == before


def test_a_page_is_told_of_what_was_filled_in(env: BrowserEnv) -> None:
    found = show(
        env,
        "<input id=x type=date aria-label=Day><p id=told></p><script>for (const kind of ['input', 'change'])"
        " x.addEventListener(kind, () => told.textContent += `${kind} ${x.value};`)</script>",
    )
    env.act(TypeText("2024-03-05", the(found, "textbox", "Day").box.center))
    assert any(one.name == "input 2024-03-05;change 2024-03-05;" for one in listed(env))


def test_a_field_of_a_frame_is_filled_too(env: BrowserEnv) -> None:
    found = show(env, "<iframe srcdoc='<input id=x type=date aria-label=Day>' width=400 height=200></iframe>")
    env.act(TypeText("2024-03-05", the(found, "textbox", "Day").box.center))
    assert the(listed(env), "textbox", "Day").value == "2024-03-05"


def test_a_field_out_of_use_is_refused(env: BrowserEnv) -> None:
    found = show(env, "<input id=x type=date aria-label=Day readonly>")
    with pytest.raises(ActionRejected, match="cannot be changed"):
        env.act(TypeText("2024-03-05", the(found, "textbox", "Day").box.center))
    assert value(env) == ""


HIDDEN = """
.far{position:absolute;left:0;z-index:-1;width:16px;height:16px;opacity:0}
.clip{position:absolute;width:1px;height:1px;margin:-1px;overflow:hidden;clip:rect(0,0,0,0);border:0}
.gone{display:none}
.over{opacity:0;position:absolute;inset:0;width:100%;height:100%;margin:0}
"""
BOXES = """
<div style="position:relative;padding-left:24px"><input type=checkbox class=far id=a checked>
<label for=a>Mail</label></div>
<p><label><input type=checkbox role=switch class=clip checked><span>Dark</span></label></p>
<p><input type=radio name=r class=clip id=d><label for=d>Standard</label>
<input type=radio name=r class=clip id=e checked><label for=e>Express</label></p>
<p><input type=checkbox class=gone id=f checked><label for=f>Gift</label></p>
<div class=gone><input type=checkbox id=g></div><p><label for=g>Far away</label></p>
<p><label><input type=checkbox id=h checked>Plain</label></p>
<div style="position:relative;width:40px;height:40px"><input type=checkbox class=over aria-label=Stay checked></div>
<p style="position:relative;height:40px"><select class=over aria-label=Country><option>Austria<option selected>Chile
</select><span>Chile</span></p>
"""


def test_boxes_that_a_style_sheet_replaces_are_listed_with_their_state(env: BrowserEnv) -> None:
    found = show(env, BOXES, HIDDEN)
    states = {
        (one.role, one.name): "checked" in one.states for one in found if one.role in ("checkbox", "switch", "radio")
    }
    assert states == {
        ("checkbox", "Mail"): True,
        ("switch", "Dark"): True,
        ("radio", "Standard"): False,
        ("radio", "Express"): True,
        ("checkbox", "Gift"): True,
        ("checkbox", "Far away"): False,
        ("checkbox", "Plain"): True,
        ("checkbox", "Stay"): True,
    }
    assert the(found, "combobox", "Country").value == "Chile"


@pytest.mark.parametrize(
    ("role", "name"), [("checkbox", "Mail"), ("switch", "Dark"), ("checkbox", "Far away"), ("checkbox", "Stay")]
)
def test_a_click_on_a_replaced_box_changes_its_state(env: BrowserEnv, role: str, name: str) -> None:
    before = the(show(env, BOXES, HIDDEN), role, name)
    env.act(Click(before.box.center))
    after = the(listed(env), role, name)
    assert ("checked" in after.states) != ("checked" in before.states)


def test_a_hidden_box_that_nothing_stands_for_is_not_listed(env: BrowserEnv) -> None:
    found = show(env, "<input type=checkbox class=gone><input type=checkbox class=clip><p>Text", HIDDEN)
    assert [one.role for one in found] == ["text"]


@pytest.mark.parametrize(
    "wrap",
    [
        "<div inert>{}</div>",
        "<div style='interactivity:inert'>{}</div>",
        "<div style='pointer-events:none'>{}</div>",
        "<div style='clip-path:inset(100%)'>{}</div>",
        "<div style='clip-path:polygon(0 0,0 0,0 0)'>{}</div>",
        "<div style='position:absolute;clip:rect(0,0,0,0)'>{}</div>",
        "<fieldset disabled>{}</fieldset>",
    ],
)
def test_what_cannot_be_used_is_not_listed_as_usable(env: BrowserEnv, wrap: str) -> None:
    content = "<button>Buy</button><input aria-label=Voucher>"
    found = show(env, wrap.format(content) + "<p style='margin-top:60px'><button>Close</button>")
    usable = {one.name for one in found if one.role in ("button", "textbox") and "disabled" not in one.states}
    assert usable == {"Close"}


def test_a_dialog_stays_usable_on_a_page_out_of_use(env: BrowserEnv) -> None:
    found = show(
        env,
        "<main inert><button>Buy</button><dialog id=x><button>Yes</button></dialog></main>"
        "<script>x.showModal()</script>",
    )
    assert "disabled" not in the(found, "button", "Yes").states


NAMES = (
    "getBoundingClientRect getClientRects checkVisibility nodeType localName tagName childNodes children parentNode "
    "ownerDocument getRootNode matches closest querySelector getAttribute hasAttribute textContent style id className "
    "title attributes firstChild firstElementChild shadowRoot assignedSlot namespaceURI isContentEditable labels value "
    "type elements length action method submit"
).split()


@pytest.mark.parametrize("name", NAMES)
def test_a_field_may_be_called_like_a_property(env: BrowserEnv, name: str) -> None:
    found = show(
        env, f"<form tabindex=0><input name={name} value=1 aria-label=Field><button>Send</button></form><p>After"
    )
    assert the(found, "textbox", "Field").value == "1"
    assert {"Send", "After"} <= {one.name for one in found}
    env.act(Click(the(found, "textbox", "Field").box.center))
    assert "focused" in the(listed(env), "textbox", "Field").states


@pytest.mark.parametrize("name", ["title", "documentElement", "body", "activeElement", "readyState", "getAnimations"])
def test_a_picture_may_be_called_like_a_property_of_the_document(env: BrowserEnv, name: str) -> None:
    found = show(env, f"<img name={name} alt=Logo width=20 height=20><button>Send</button>")
    assert the(found, "image", "Logo") and the(found, "button", "Send")
    seen = env.observe({Modality.CONTEXT}, 0.0).context
    assert seen.title == "Page"  # type: ignore[union-attr]


LISTS = """<label>Sort <select id=x><option>Assam<option>Sencha<option disabled>Oolong</select></label>
<p id=said></p><script>x.onchange = () => said.textContent = x.value</script>"""


@pytest.mark.parametrize("submit", [False, True])
def test_what_is_typed_into_a_list_is_chosen_from_it(env: BrowserEnv, submit: bool) -> None:
    at = the(show(env, LISTS), "combobox", "Sort").box.center
    env.act(TypeText("sencha", at, submit=submit))
    assert value(env) == "Sencha" and env.ask_page("() => said.textContent") == "Sencha"
    assert all("offscreen" in one.states for one in listed(env) if one.role == "option"), "the list is open"


@pytest.mark.parametrize(("text", "told"), [("Rooibos", "no such option"), ("Oolong", "the option is disabled")])
def test_what_a_list_does_not_have_is_refused_with_what_it_has(env: BrowserEnv, text: str, told: str) -> None:
    at = the(show(env, LISTS), "combobox", "Sort").box.center
    with pytest.raises(ActionRejected, match=f"{told}: '{text}'; .*'Assam', 'Sencha', 'Oolong'"):
        env.act(TypeText(text, at))
    assert value(env) == "Assam"
