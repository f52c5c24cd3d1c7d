"""Rules, formats and scorings as sentences, and the forms in which they are asked."""

from dataclasses import fields
from random import Random

import pytest
from django.http import QueryDict
from hypothesis import given
from hypothesis import strategies as st

from courtpiece.engine import Rules
from courtpiece.engine.rules import NAMED
from scoring.domain.results import TiebreakCode
from tournaments import sentences
from tournaments.domain.plans import OPTIONS, PLANS, FormatName, LengthKind, MatchLength, PlanFault
from tournaments.forms.forecast import MOST_WORK, ForecastForm, work_of
from tournaments.forms.plans import PlanForm
from tournaments.forms.regulations import NUMBERS, RulesForm, move
from tournaments.presets import PRESETS, Preset


def told(text: str) -> list[str]:
    return [f"{one.text} ({one.law})" for one in sentences.rules_sentences(Rules.parse(text))]


def test_court_piece_in_sentences() -> None:
    assert told("court-piece trump=announced bavney=13") == [
        "Each trick is taken by the side that wins it. (7.1)",
        "Trump is made in one of these ways: the caller names a suit (law 4.1). (4)",
        "A court is the first seven tricks in a row; it counts 1. (10.1)",
        "A bavney, all thirteen tricks, counts 13 courts. (10.3)",
        "A goon court, one made by the dealer's side, counts 1. (10.4)",
        "A revoke that is not corrected in time gives the other side 1 court, and the deal. (8.3)",
        "7 deals won running count 1 court. (11.1)",
        "When the deal that completes a run also makes a court, the court counts and the run does not. (11.3)",
    ]


def test_hidden_rung_in_sentences() -> None:
    assert told("hidden-rung goon=3 trump=blind") == [
        "Tricks pile up; a player gathers the pile on winning two tricks running. (7.2)",
        "Trump is made in one of these ways: a card is laid face down unseen (law 4.6). (4)",
        "In the trick in which trump is revealed, cards of its suit are trumps from the reveal on. (6.6)",
        "A pile can be gathered at the end of tricks 3 to 11; the last trick gathers all. (7.5)",
        "A court is all thirteen tricks gathered; it counts 1. (10.2)",
        "A goon court, one made by the dealer's side, counts 3 courts. (10.4)",
        "A revoke that is not corrected in time gives the other side 1 court, and the deal. (8.3)",
        "7 deals won running count 1 court. (11.1)",
        "When the deal that completes a run also makes a court, the court counts and the run does not. (11.3)",
    ]


def test_every_option_of_law_14_can_be_asked() -> None:
    options = {field.name.replace("_", "-") for field in fields(Rules)} - {"name"}

    assert set(sentences.RULE_OPTIONS) == options


def test_every_named_rule_every_format_and_every_option_has_a_sentence() -> None:
    assert set(sentences.RULES) == set(NAMED)
    assert set(sentences.FORMATS) == set(FormatName)
    assert {option.name for options in OPTIONS.values() for option in options} <= set(sentences.PLAN_OPTIONS)


def form_of(rules: Rules, *, name: str = "") -> RulesForm:
    """Return the form as it is sent when the page shows the rules and another name is chosen."""
    sent = QueryDict(mutable=True)
    for field, value in RulesForm.initial_of(str(rules)).items():
        sent.setlist(field, [str(one) for one in value] if isinstance(value, list) else [str(value)])
    if name:
        sent["rules_name"] = name
    return RulesForm(sent)


def some_rules(seed: int) -> Rules:
    """Return rules with some options, such as law 14 allows."""
    rng = Random(seed)
    words = [rng.choice(list(NAMED))]
    for option, (least, most) in NUMBERS.items():
        if rng.random() < 0.3 and not option.endswith("claim"):
            words.append(f"{option}={rng.randint(least, most)}")
    words += [
        f"{option}={rng.choice(list(sentences.CHOICES[option]))}"
        for option in ("gather", "reveal-from", "streak-and-court")
        if rng.random() < 0.3
    ]
    if rng.random() < 0.3:
        words.append(f"first-claim={rng.randint(1, 6)}")
    return Rules.parse(" ".join(words))


@given(seed=st.integers(0, 2**32))
def test_what_the_form_shows_of_rules_is_what_it_gives_back(seed: int) -> None:
    rules = some_rules(seed)

    form = form_of(rules)

    assert form.is_valid(), form.errors
    assert Rules.parse(form.rules()) == rules


@given(seed=st.integers(0, 2**32))
def test_all_rules_can_be_told_in_sentences(seed: int) -> None:
    rules = some_rules(seed)

    lines = list(sentences.rules_sentences(rules))

    assert all(line.law and "%" not in str(line.text) for line in lines)


@pytest.mark.parametrize("shown", NAMED)
@pytest.mark.parametrize("chosen", NAMED)
def test_another_name_brings_its_own_options(shown: str, chosen: str) -> None:
    form = form_of(Rules.parse(shown), name=chosen)

    assert form.is_valid(), form.errors
    assert form.rules() == chosen


@pytest.mark.parametrize("preset", PRESETS.values(), ids=lambda preset: preset.code)
def test_what_the_form_shows_of_a_plan_is_what_it_gives_back(preset: Preset) -> None:
    plan = preset.plan
    sent = QueryDict(mutable=True)
    for field, value in PlanForm.initial_of(plan).items():
        if value is not False:
            sent[field] = "on" if value is True else str(value)

    form = PlanForm(sent)

    assert form.is_valid(), form.errors
    assert form.plan() == plan


@pytest.mark.parametrize("name", FormatName)
def test_every_plan_is_told_without_a_hole(name: FormatName) -> None:
    lines = [str(one.text) for one in sentences.plan_sentences(PLANS[name]())]

    assert lines[0] == str(sentences.FORMATS[name])
    assert not [line for line in lines if "%" in line]


@pytest.mark.parametrize(
    ("length", "text"),
    [
        (MatchLength(LengthKind.MINUTES, 1), "1 minute"),
        (MatchLength(LengthKind.DEALS, 16), "16 deals"),
        (MatchLength(LengthKind.COURTS, 2), "until a side has 2 courts"),
    ],
)
def test_the_length_of_a_match_in_words(length: MatchLength, text: str) -> None:
    assert sentences.length_text(length) == text


def test_moving_a_tie_break_keeps_the_others_in_their_order() -> None:
    codes = [code.value for code in TiebreakCode][:3]

    assert move(codes, codes[2], -1) == [codes[0], codes[2], codes[1]]
    assert move(codes, codes[0], -1) == codes
    assert move(codes, "luck", 1) == codes


@given(
    codes=st.lists(st.sampled_from([code.value for code in TiebreakCode]), unique=True),
    place=st.integers(0, 10),
    step=st.sampled_from([-1, 1]),
)
def test_moving_loses_nothing(codes: list[str], place: int, step: int) -> None:
    which = codes[place] if place < len(codes) else "luck"

    assert sorted(move(codes, which, step)) == sorted(codes)


@pytest.mark.parametrize("name", FormatName)
def test_a_forecast_of_every_usual_plan_is_made_within_bounds(name: FormatName) -> None:
    plan = PLANS[name]()
    form = ForecastForm({"entries": "2" if name is FormatName.SINGLE else "8"})
    assert form.is_valid()

    outlook = form.forecast(plan, PRESETS["evening"].scheme)

    assert outlook is not None
    assert outlook.asked in outlook.near
    assert work_of(plan, outlook.asked.entries) * outlook.asked.runs <= MOST_WORK


def test_every_fault_of_a_plan_has_words() -> None:
    known = {PlanFault.UNKNOWN_FORMAT, PlanFault.UNKNOWN_OPTION}

    said = {fault: sentences.fault_text(fault) for fault in set(PlanFault) - known}

    assert "That cannot be done." not in said.values()
