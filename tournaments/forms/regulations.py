"""Forms of what holds in a tournament: the rules, and how it is scored."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from django import forms
from django.forms import BoundField
from django.http import QueryDict
from django.utils.datastructures import MultiValueDict
from django.utils.translation import gettext_lazy as _

from courtpiece.engine import Rules
from courtpiece.engine.rules import NAMED, RulesError
from scoring.domain.objections import objection_to_tiebreaks
from scoring.domain.results import Scheme, TiebreakCode
from tournaments import sentences
from tournaments.domain.plans import FormatName
from tournaments.models import RankedBy
from tournaments.schemes import clean_scheme
from tournaments.sentences import Sentence

MOST_LOT_SEED: Final = 2**53
NUMBERS: Final[Mapping[str, tuple[int, int]]] = {
    "court": (1, 999),
    "goon": (1, 999),
    "bavney": (1, 999),
    "revoke": (1, 999),
    "streak": (2, 99),
    "streak-court": (1, 999),
    "first-claim": (1, 13),
    "last-claim": (1, 13),
}
"""The options of law 14 that are numbers, with the least and the greatest."""


@dataclass(frozen=True, slots=True)
class Line:
    """A sentence with the field that fills its hole."""

    sentence: Sentence
    field: BoundField


@dataclass(frozen=True, slots=True)
class Choice:
    """A tie-break, and the formats that it does not go with."""

    code: str
    misfits: tuple[str, ...]


class RulesForm(forms.Form):
    """A named rule and its options, as sentences (law 14).

    ``rules_base`` is the rule whose options the page shows: with another name chosen, the options that are as that
    rule has them follow the name, and those that were changed stay.
    """

    rules_name = forms.ChoiceField(
        label=_("The game"), choices=list(sentences.RULES.items()), widget=forms.RadioSelect
    )
    rules_base = forms.ChoiceField(
        choices=[(name, name) for name in NAMED], required=False, widget=forms.HiddenInput
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for option in sentences.RULE_OPTIONS:
            self.fields[f"rule-{option}"] = _rule_field(option)

    @staticmethod
    def initial_of(text: str) -> dict[str, object]:
        """Return what the form shows of rules."""
        rules = Rules.parse(text)
        options = {f"rule-{option}": _written(rules, option) for option in sentences.RULE_OPTIONS}
        return {"rules_name": rules.name, "rules_base": rules.name, **options}

    def lines(self) -> Iterator[Line]:
        """Yield the options as sentences to be filled in."""
        for option, sentence in sentences.RULE_OPTIONS.items():
            yield Line(sentence, self[f"rule-{option}"])

    def clean(self) -> dict[str, Any]:
        """Put the rules together."""
        data = super().clean() or self.cleaned_data
        name = data.get("rules_name")
        if name in NAMED and not self.errors:
            try:
                data["rules"] = str(Rules.parse(" ".join((name, *self._options(name, data)))))
            except RulesError as error:
                field = f"rule-{error.part.partition('=')[0]}"
                self.add_error(field if field in self.fields else "rules_name", str(error))
        return data

    def rules(self) -> str:
        """Return the canonical text."""
        return str(self.cleaned_data["rules"])

    def _options(self, name: str, data: Mapping[str, Any]) -> Iterator[str]:
        shown = NAMED[data.get("rules_base") or name]
        for option in sentences.RULE_OPTIONS:
            value = data.get(f"rule-{option}")
            written = ",".join(value) if isinstance(value, list) else str(value or "")
            follows = shown.name != name and written == _joined(_written(shown, option))
            if written and not follows:
                yield f"{option}={written}"


class ScoringForm(forms.Form):
    """How results become ranks."""

    ranking = forms.ChoiceField(
        label=_("Ranked by"), choices=list(sentences.RANKINGS.items()), widget=forms.RadioSelect
    )
    win = forms.IntegerField(label=_("A win"), min_value=0, max_value=999)
    draw = forms.IntegerField(label=_("A draw"), min_value=0, max_value=999)
    loss = forms.IntegerField(label=_("A loss"), min_value=0, max_value=999)
    bye = forms.IntegerField(label=_("A bye"), min_value=0, max_value=999)
    tiebreaks = forms.Field(label=_("Tie-breaks, in their order"), required=False)
    lot_seed = forms.IntegerField(
        label=_("Seed of the draw of lots"),
        help_text=_("One is drawn, and kept on record, where lots are drawn and none is given."),
        min_value=0,
        max_value=MOST_LOT_SEED,
        required=False,
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["tiebreaks"].widget = _InOrder()

    @staticmethod
    def initial_of(scheme: Scheme) -> dict[str, object]:
        """Return what the form shows of a scoring."""
        points = scheme.points
        return {
            "ranking": scheme.ranking.value,
            "tiebreaks": [code.value for code in scheme.tiebreaks],
            "win": points.win,
            "draw": points.draw,
            "loss": points.loss,
            "bye": points.bye,
            "lot_seed": scheme.lot_seed,
        }

    @property
    def worth(self) -> list[BoundField]:
        """What a match is worth."""
        return [self[name] for name in ("win", "draw", "loss", "bye")]

    @property
    def chosen(self) -> list[Choice]:
        """The tie-breaks that are chosen, in their order."""
        codes = dict.fromkeys(self["tiebreaks"].value() or ())
        return [_CHOICES[code] for code in codes if code in _CHOICES]

    @property
    def others(self) -> list[Choice]:
        """The tie-breaks that could be added."""
        chosen = self.chosen
        return [choice for choice in _CHOICES.values() if choice not in chosen]

    def scheme(self, *, lots: int | None = None) -> Scheme:
        """Return the scoring that the form describes; ``lots`` is the seed where they are drawn and none is given.

        :raises BadScoring: if a word for it is not known.
        """
        data = self.cleaned_data
        draws = TiebreakCode.DRAW_OF_LOTS.value in (data["tiebreaks"] or ()) and data["lot_seed"] is None
        return clean_scheme(
            ranking=data["ranking"],
            tiebreaks=data["tiebreaks"] or (),
            points={name: data[name] for name in ("win", "draw", "loss", "bye")},
            lot_seed=lots if draws else data["lot_seed"],
        )


class ChangedScoringForm(ScoringForm):
    """The same, with the reason that a change needs after the first deal."""

    reason = forms.CharField(
        label=_("Reason"),
        help_text=_("Needed after the first deal, and kept with what was changed."),
        required=False,
        max_length=500,
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        # Another form of the same page asks for a reason, too.
        super().__init__(*args, **{"auto_id": "id_scoring_%s", **kwargs})


_CHOICES: Final = {
    code.value: Choice(
        code.value,
        tuple(name.value for name in FormatName if objection_to_tiebreaks(name.value, [code]) is not None),
    )
    for code in TiebreakCode
}
assert set(sentences.RANKINGS) == set(RankedBy.values)


class _InOrder(forms.Widget):
    """Values in an order: one hidden field each, or words in one field."""

    def value_from_datadict(self, data: Mapping[str, Any], files: MultiValueDict[str, Any], name: str) -> Any:
        values = data.getlist(name) if isinstance(data, QueryDict | MultiValueDict) else data.get(name, [])
        listed = [values] if isinstance(values, str) else values
        return [code for value in listed for code in str(value).replace(",", " ").split()]


def move(codes: Iterable[str], code: str, step: int) -> list[str]:
    """Return the codes with one of them moved by ``step`` places, as far as there are any."""
    order = list(codes)
    if code not in order:
        return order
    place = order.index(code)
    order.pop(place)
    order.insert(max(place + step, 0), code)
    return order


def _rule_field(option: str) -> forms.Field:
    label = str(sentences.RULE_OPTIONS[option].text).replace(sentences.HOLE, "…")
    if option in NUMBERS:
        least, most = NUMBERS[option]
        return forms.IntegerField(label=label, min_value=least, max_value=most, required=False)
    choices = list(sentences.CHOICES[option].items())
    if option == "trump":
        return forms.MultipleChoiceField(
            label=label, choices=choices, required=False, widget=forms.CheckboxSelectMultiple
        )
    return forms.ChoiceField(label=label, choices=choices, required=False)


def _written(rules: Rules, option: str) -> object:
    value = getattr(rules, option.replace("-", "_"))
    if isinstance(value, tuple):
        return [method.value for method in value]
    return (value or "") if isinstance(value, int) else value.value


def _joined(value: object) -> str:
    return ",".join(value) if isinstance(value, list) else str(value)
