"""Instructions in words, and the clauses that the planner `rules` makes of them."""

from __future__ import annotations

import pytest

from omnipilot.planners.rules.reading.clauses import parse

TABLE = [
    ('Click on the "Ok" button.', [("click", 'the "Ok" button', "")]),
    ("Click on Tab #2.", [("click", "Tab #2", "")]),
    ("Tap Save, then tap Close.", [("click", "Save", ""), ("click", "Close", "")]),
    (
        'Enter "Ann" into the text field and press Submit.',
        [("type", "the text field", "Ann"), ("click", "Submit", "")],
    ),
    ("Focus into the 2nd input textbox.", [("focus", "the 2nd input textbox", "")]),
    ('Close the box by clicking the "x".', [("click", 'the "x"', "")]),
    (
        "Select red, green and blue and click Submit.",
        [("select", "red", ""), ("select", "green", ""), ("select", "blue", ""), ("click", "Submit", "")],
    ),
    ("Select nothing and click Submit.", [("click", "Submit", "")]),
    ("Choose 5 from the dropdown.", [("select", "5", "the dropdown")]),
    ("Select File>Save>As.", [("select", "File", ""), ("select", "Save", ""), ("select", "As", "")]),
    (
        'Enter the password "x y. and click" into both text fields and press submit.',
        [
            ("type", "first field", "x y. and click"),
            ("type", "second field", "x y. and click"),
            ("click", "submit", ""),
        ],
    ),
    (
        'Enter the username "bob" and the password "p;q" into the text fields and press login.',
        [("type", "username", "bob"), ("type", "password", "p;q"), ("click", "login", "")],
    ),
    (
        'Use the textbox to enter "Ann" and press "Go", then find and click the 3rd search result.',
        [("type", "", "Ann"), ("click", '"Go"', ""), ("click", "the 3rd search result", "")],
    ),
    (
        'Expand the sections below, to find and click on the link "X".',
        [("expand", "the sections below", ""), ("click", 'the link "X"', "")],
    ),
    ('Type "Hi" in all upper case letters in the text input.', [("type", "the text input", "HI")]),
    (
        'Type "Bye." at its end and press "Save".',
        [("focus", "text field", ""), ("press", "", "ctrl+end"), ("type", "", "Bye."), ("click", '"Save"', "")],
    ),
    ('Fill in the Name field with "Bo".', [("type", "the Name field", "Bo")]),
    ("Press Enter.", [("press", "", "Enter")]),
    ("Press ctrl+s and wait 3 seconds.", [("press", "", "ctrl+s"), ("wait", "", "3.0")]),
    (
        "Find the letter by Ann and click the trash icon to delete it.",
        [("find", "Ann", ""), ("click", "the trash icon", "")],
    ),
    ("Scroll to the bottom of the textarea.", [("scroll", "textarea", "bottom")]),
    ('Search for "red shoes".', [("search", "", "red shoes")]),
    ('Send "hi" to Ann.', [("open", "Ann", ""), ("type", "", "hi"), ("act", "send", "")]),
    ('Delete the note "Milk".', [("act", "delete", 'the note "Milk"'), ("confirm", "delete", "")]),
    (
        "Add an alarm for 07:30 and save it.",
        [("act", "add", "an alarm"), ("set", "time", "07:30"), ("act", "save", "")],
    ),
    ("When the alarm rings, press Stop.", [("hear", "the alarm rings", ""), ("click", "Stop", "")]),
    ("Press Stop when the alarm rings.", [("hear", "the alarm rings", ""), ("click", "Stop", "")]),
    ("After you hear the chime, click Done.", [("hear", "you hear the chime", ""), ("click", "Done", "")]),
    ("Wait until the wheel stops, then click Go.", [("still", "the wheel stops", ""), ("click", "Go", "")]),
    ("Once the lamp flashes, press Go.", [("motion", "the lamp flashes", ""), ("click", "Go", "")]),
    ('Wait until "Ready" appears and press Go.', [("shown", '"Ready"', ""), ("click", "Go", "")]),
    ("Play the tones and listen to their digits.", [("act", "play", "the tones"), ("listen", "to their digits", "")]),
    ("Contemplate the void.", [("unknown", "", "")]),
    ("", []),
]


@pytest.mark.parametrize(("instruction", "clauses"), TABLE, ids=[row[0] or "empty" for row in TABLE])
def test_clauses(instruction, clauses):
    assert [(clause.kind, clause.target, clause.text) for clause in parse(instruction)] == clauses


def test_text_that_is_not_in_the_instruction_has_a_source():
    copied, pasted = parse("Copy the text in the textarea below, paste it into the textbox.")
    assert (copied.kind, copied.source) == ("copy", "textarea below")
    assert (pasted.kind, pasted.source, pasted.target) == ("type", "it", "the textbox")
    (typed,) = parse("Type the door code from Ann Lee.")
    assert (typed.kind, typed.source, typed.text) == ("type", "door code from Ann Lee", "")
    (typed,) = parse('Type the place where it was, as in "Row X".')
    assert (typed.source, typed.text) == ('place where it was, as in "Row X"', "")


def test_what_is_named_beside_the_target_is_kept():
    assert parse('For the user @joe, click on the "Like" button.')[0].near == "user @joe"
    assert parse('Read the mail "Code" from Ann Lee.')[0].near == "Ann Lee"


def test_the_environment_is_the_one_named_last():
    clauses = parse(
        'On the phone, open Chat and press "Go". Then on the desktop, press Save. Type "x" on the computer.'
    )
    assert [clause.where for clause in clauses] == ["phone", "phone", "desktop", "desktop"]
    assert parse('Click "on the phone".')[0].where == ""


def test_every_clause_knows_its_own_words():
    assert [clause.said for clause in parse("Click A, then click B.")] == ["Click A", "click B"]
