"""Entities in texts: what is found, under which type, label and normal form, and what is not."""

from __future__ import annotations

import timeit
from time import process_time

import pytest

from omnipilot.memory.episodic.anchors import entities_in
from omnipilot.memory.episodic.anchors.entities import _entities_in

FOUND = [
    ("Door code: 4711", "code", "4711", "4711", "Door code"),
    ("Your code is 739 415. Do not share it.", "code", "739 415", "739415", "code"),
    ("AB12CD is your booking code", "code", "AB12CD", "AB12CD", "booking code"),
    ("IBAN GB29 NWBK 6016 1331 9268 19", "code", "GB29 NWBK 6016 1331 9268 19", "GB29NWBK60161331926819", ""),
    ("Total $1,250.00", "price", "$1,250.00", "USD 1250", "Total"),
    ("Gesamt: 1.250,50 €", "price", "1.250,50 €", "EUR 1250.5", "Gesamt"),
    ("Fare: CHF 12.40", "price", "CHF 12.40", "CHF 12.4", "Fare"),
    ("on Saturday, 14 March 2026", "date", "Saturday, 14 March 2026", "2026-03-14", ""),
    ("Due 2026-03-14", "date", "2026-03-14", "2026-03-14", ""),
    ("Leaves at 5:45 pm", "time", "5:45 pm", "17:45", "Leaves"),
    ("takes 1 h 20 min", "duration", "1 h 20 min", "4800 s", ""),
    ("We meet at 22 Station Road.", "address", "22 Station Road", "22 station road", "meet"),
    (
        "Bahnhofstrasse 12, 8001 Zürich",
        "address",
        "Bahnhofstrasse 12, 8001 Zürich",
        "bahnhofstrasse 12 8001 zürich",
        "",
    ),
    ("write to jo.do@mail.example, soon", "mail", "jo.do@mail.example", "jo.do@mail.example", ""),
    ("call +44 20 9844 4947 now", "phone", "+44 20 9844 4947", "+442098444947", ""),
    ("see https://a.example/x?y=1.", "url", "https://a.example/x?y=1", "a.example/x?y=1", ""),
    ("saved as report-final.pdf", "file", "report-final.pdf", "report-final.pdf", ""),
    ("Quarterly report (final).pdf", "file", "Quarterly report (final).pdf", "Quarterly report (final).pdf", ""),
    ("20% off", "percent", "20%", "20", ""),
    ("Visitors: 58", "number", "58", "58", "Visitors"),
    ("We need 27 chairs for Friday", "number", "27", "27", "chairs"),
    ("From: Mark Olsen", "name", "Mark Olsen", "mark olsen", "From"),
]


@pytest.mark.parametrize(("text", "type", "value", "key", "label"), FOUND, ids=[row[0] for row in FOUND])
def test_an_entity_is_found_with_its_label(text: str, type: str, value: str, key: str, label: str) -> None:
    found = [(one.type, one.value, one.key, one.label) for one in entities_in(text) if one.value != "10 minutes"]
    assert found == [(type, value, key, label)]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("현관문의 비밀번호는 7394입니다", [("code", "7394", "7394", "현관문의 비밀번호")]),
        ("비밀번호: 7394", [("code", "7394", "7394", "비밀번호")]),
        ("您的快递取件码是5821，请尽快领取", [("code", "5821", "5821", "快递取件码")]),
        ("取件码：５８２１", [("code", "５８２１", "5821", "取件码")]),
        ("玄関の暗証番号は4406です", [("code", "4406", "4406", "玄関の暗証番号")]),
        ("カード番号は1234 5678 9012 3456です", [("code", "1234 5678 9012 3456", "1234567890123456", "カード番号")]),
        ("예약번호 AB12CD", [("code", "AB12CD", "AB12CD", "예약번호")]),
        ("ABC-1234입니다", [("code", "ABC-1234", "ABC1234", "")]),
        ("PIN은 7394", [("code", "7394", "7394", "PIN")]),
        (
            "회의는 2024년 3월 5일 오후 3시 30분에",
            [("date", "2024년 3월 5일", "2024-03-05", "회의"), ("time", "오후 3시 30분", "15:30", "")],
        ),
        ("3月5日午後3時半から", [("date", "3月5日", "-----03-05", ""), ("time", "午後3時半", "15:30", "")]),
        (
            "2024年3月5日 下午3点30分",
            [("date", "2024年3月5日", "2024-03-05", ""), ("time", "下午3点30分", "15:30", "")],
        ),
        ("오후 3:30", [("time", "오후 3:30", "15:30", "")]),
        ("中午12点", [("time", "中午12点", "12:00", "")]),
        ("밤 12시", [("time", "밤 12시", "00:00", "")]),
        ("合計1,200円", [("price", "1,200円", "JPY 1200", "合計")]),
        ("￥1,200", [("price", "￥1,200", "JPY 1200", "")]),
        ("가격은 35.50元", [("price", "35.50元", "CNY 35.5", "가격")]),
        ("３만원", [("price", "３만원", "KRW 30000", "")]),
        ("2시간 30분 소요", [("duration", "2시간 30분", "9000 s", "")]),
        ("배터리 35%입니다", [("percent", "35%", "35", "")]),
        ("온도는 23°C입니다", [("quantity", "23°C", "23 °c", "온도")]),
        ("잔액은 350입니다", [("number", "350", "350", "잔액")]),
        ("参加者：12名", [("number", "12", "12", "参加者")]),
        ("전화번호는 010-1234-5678입니다", [("phone", "010-1234-5678", "01012345678", "전화번호")]),
        ("电话：13812345678", [("phone", "13812345678", "13812345678", "电话")]),
        ("문의는 kim@naver.example으로", [("mail", "kim@naver.example", "kim@naver.example", "문의")]),
        ("请访问https://a.example/b查看", [("url", "https://a.example/b", "a.example/b", "")]),
        ("https://a.example/한국", [("url", "https://a.example/한국", "a.example/한국", "")]),
        ("보고서.pdf를 열어", [("file", "보고서.pdf", "보고서.pdf", "")]),
    ],
)
def test_words_without_spaces_end_at_a_number(text: str, found: list[tuple[str, str, str, str]]) -> None:
    assert [(one.type, one.value, one.key, one.label) for one in entities_in(text)] == found


@pytest.mark.parametrize("text", ["验证码6位", "비밀번호 4자리를 입력", "得了5点", "나이 30", "새 메시지 3개", "第3章"])
def test_counts_in_other_scripts_are_no_entities(text: str) -> None:
    assert entities_in(text) == ()


@pytest.mark.parametrize(
    "text",
    ["Page 3 of 9", "5 of 5 stars", "Voicemail (8)", "3 items", "Did this help?", "Save", "24/7", "and/or", "v2", "12"],
)
def test_furniture_is_no_entity(text: str) -> None:
    assert entities_in(text) == ()


@pytest.mark.parametrize(
    ("said", "type", "value"),
    [
        ("The code is four seven double one.", "code", "4711"),
        ("the code is four, seven, oh, triple one", "code", "470111"),
        ("It is gate twenty-three.", "code", "23"),
        ("the total is one thousand two hundred and fifty dollars", "price", "1250 dollars"),
    ],
)
def test_spoken_digits_are_read_in_transcripts_alone(said: str, type: str, value: str) -> None:
    assert [(one.type, one.value) for one in entities_in(said, spoken=True)] == [(type, value)]
    assert entities_in(said) == ()


def test_two_ways_of_writing_are_one_value() -> None:
    for one, other in [
        ("Total $1,250.00", "Total: $1250"),
        ("14 March", "Mar 14"),
        ("+44 20 9844 4947", "0044 2098444947"),
    ]:
        (left,), (right,) = entities_in(one), entities_in(other)
        assert (left.type, left.key) == (right.type, right.key)


@pytest.mark.parametrize("piece", ["7 3 9 4 ", "$1 ", "1.", "(1", "12 Ab ", "번호는 1234 ", "码12", "가"])
def test_a_long_line_of_numbers_takes_time_by_its_length(piece: str) -> None:
    def seconds(length: int) -> float:
        text = (piece * length)[:length]
        # Of the processor, as other tests run beside this one.
        return min(timeit.repeat(lambda: _entities_in.__wrapped__(text, False), timer=process_time, number=1, repeat=5))

    # By the square of the length it would be 16 times.
    assert seconds(4_000) < 10 * seconds(1_000)
