from __future__ import annotations

from office_documents import PAGE

from omnipilot.bench.suites.crab.live.encyclopedia import country_facts


def test_a_country_is_read_from_the_first_box_of_facts() -> None:
    assert country_facts(PAGE) == ("Thimphu", "777486")
    assert country_facts("<p>Capital of nothing</p>") == ("", "")
