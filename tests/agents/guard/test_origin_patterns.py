"""What policies say of where words come from: `origins = ["web:*.example.com", "mail", "notification"]`."""

from __future__ import annotations

import pytest

from omnipilot.agents.guard import parse_policy
from omnipilot.agents.guard.origin_patterns import check_origin, fits_origin
from omnipilot.agents.guard.policy import KnownSide, MoveFacts
from omnipilot.envs import ConfigError

MAIL = "mail:ann@x.example; app:Mail; device:phone; turn:3; memory; elsewhere"
PAGE = "web:news.shop.example; app:Browser; device:pc; turn:0"
HEARD = "speech; device:phone; turn:1"
FILM = "film:Harbour; speech; app:Player; device:pc"
NOBODY = "screen; app:Mail; device:pc"
PLAIN = "screen"


@pytest.mark.parametrize(
    ("pattern", "origin", "certain", "maybe"),
    [
        ("mail", MAIL, True, True),
        ("mail:ann@x.example", MAIL, True, True),
        ("mail:*@x.example", MAIL, True, True),
        ("mail:bob@x.example", MAIL, False, False),
        ("mail:bob@x.example", "mail; device:pc", False, True),
        ("mail:ann@x.example", "mail:аnn@x.example", False, True),
        ("web", PAGE, True, True),
        ("web:shop.example", PAGE, True, True),
        ("web:*.shop.example", PAGE, True, True),
        ("web:news.example", PAGE, False, False),
        ("web:shop.example", "web; device:pc", False, True),
        ("web", MAIL, False, False),
        ("screen", MAIL, True, True),
        ("screen", HEARD, False, False),
        ("screen", FILM, False, False),
        ("speech", HEARD, True, True),
        ("speech", FILM, True, True),
        ("film", FILM, True, True),
        ("film", HEARD, False, True),
        ("app:Mail", MAIL, True, True),
        ("app:mail", NOBODY, True, True),
        ("app:Bank", MAIL, False, False),
        ("app:Bank", PLAIN, False, True),
        ("app:Bank", "user", False, False),
        ("app", "app:Mail; device:pc", True, True),
        ("device:phone", MAIL, True, True),
        ("device:ph*", MAIL, True, True),
        ("device:pc", MAIL, False, False),
        ("memory", MAIL, True, True),
        ("memory", PAGE, False, False),
        ("elsewhere", MAIL, True, True),
        ("elsewhere", PAGE, False, False),
        ("user", "user", True, True),
        ("user", PLAIN, False, False),
        # What no world told apart may be any of these, and is none for certain.
        *((kind, NOBODY, False, True) for kind in ("app", "web", "mail", "file", "notification", "film")),
        *((kind, NOBODY, False, False) for kind in ("clipboard", "speech", "note", "user")),
        ("*", "clipboard", True, True),
    ],
)
def test_an_origin_is_what_a_pattern_says_for_certain_or_perhaps(pattern, origin, certain, maybe):
    assert fits_origin(check_origin(pattern), origin, True) is certain
    assert fits_origin(check_origin(pattern), origin, False) is maybe


@pytest.mark.parametrize(
    ("pattern", "told"),
    [
        ("email", "did you mean 'mail'"),
        ("notifcation", "did you mean 'notification'"),
        ("subtitle", "did you mean 'film'"),
        ("page:shop.example", "did you mean 'web'"),
        ("shop.example", "did you mean 'web:shop.example'"),
        ("*@shop.example", r"did you mean 'mail:\*@shop.example'"),
        ("mars", "there are screen, app, web"),
        ("speech:ann", "write 'speech' alone"),
        ("web:", "lacks a name"),
        ("device", "write 'device:phone'"),
        ("web:https://shop.example/", "is no host"),
    ],
)
def test_a_wrong_pattern_is_told_the_right_one(pattern, told):
    with pytest.raises(ConfigError, match=told):
        parse_policy(f'default = "allow"\n[[rule]]\ndo = "ask"\norigins = ["{pattern}"]', "mine")


def said(do: str, *patterns: str, origins: KnownSide) -> str:
    default = "deny" if do == "allow" else "allow"
    names = ", ".join(f'"{one}"' for one in patterns)
    policy = parse_policy(f'default = "{default}"\n[[rule]]\ndo = "{do}"\norigins = [{names}]', "mine")
    typed = KnownSide(("swordfish",))
    return policy.judge(MoveFacts(KnownSide(("type",)), typed=typed, origins=origins)).do


def test_a_rule_that_allows_wants_every_origin_and_one_that_asks_any():
    both = KnownSide((MAIL, PAGE))
    assert said("ask", "mail", origins=both) == "ask"
    assert said("ask", "film", origins=both) == "allow"
    assert said("allow", "mail", origins=both) == "deny"
    assert said("allow", "mail", "web:shop.example", origins=both) == "allow"
    assert said("allow", "mail", "web:shop.example", origins=KnownSide((MAIL,), False)) == "deny"
    assert said("allow", "mail", origins=KnownSide()) == "deny"


def test_what_the_user_said_may_be_allowed_wherever_else_it_stands_and_is_still_asked_about():
    both = KnownSide(("user", PAGE))
    assert said("allow", "user", origins=both) == "allow"
    assert said("ask", "web", origins=both) == "ask"
