"""What programs are for, by the menu entries of the system."""

from __future__ import annotations

import pytest

from omnipilot.envs.desktop.program_kinds import origin_of_program, read_entry

CLAWS = """[Desktop Entry]
Name=Claws Mail
Exec=/usr/bin/claws-mail %u
StartupWMClass=Claws-mail
Categories=GTK;Network;Email;
[Desktop Action Compose]
Name=Compose
Exec=other
"""


@pytest.mark.parametrize(
    ("text", "names"),
    [
        (CLAWS, {"claws-mail": "mail", "claws mail": "mail"}),
        ("[Desktop Entry]\nName=Files\nExec=files\nCategories=System;FileManager;\n", {"files": "file"}),
        ("[Desktop Entry]\nName=Films\nExec=\"mo vies\" %f\nCategories=Video;\n", {"mo vies": "film", "films": "film"}),
        ("[Desktop Entry]\nName=Sums\nExec=sums\nCategories=Utility;\n", {}),
        ("[Desktop Entry]\nName=Torn\nExec=\"torn\nCategories=WebBrowser;\n", {"torn": "web"}),
        ("", {}),
    ],
)  # fmt: skip
def test_the_category_of_an_entry_tells_what_a_programs_words_are(text, names):
    assert dict(read_entry(text)) == names


def test_a_program_without_an_entry_is_unknown():
    assert origin_of_program("no-such-program") == origin_of_program("") == ""
