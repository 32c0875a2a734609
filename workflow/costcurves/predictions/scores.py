"""Which columns of a file are the scores and decisions of which model."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

import numpy as np

from costcurves.names import some
from costcurves.predictions import words
from costcurves.predictions.asking import Choice, column
from costcurves.predictions.layouts import LONG, OF_CLASS
from costcurves.predictions.sheet import Sheet, named
from costcurves.predictions.sources import RECIPE
from costcurves.predictions.words import called, plain
from costcurves.settings import several
from costcurves.tables.codes import Floats

NEARLY: Final = 0.001  # probabilities, after rounding
AROUND: Final = " _-.()[]"  # between what a model and what its class is called
Models = dict[str, dict[str, str]]  # the columns of each: score, score_<class>, decision


def models_of(
    sheet: Sheet,
    columns: Mapping[str, str],
    left: Sequence[str],
    classes: Sequence[str],
    model: str,
) -> Models:
    """Return the models of a file, with the columns of each; an only one is called `model`."""
    decisions = _decisions(sheet, left, classes)
    names = _scores(sheet, left, classes, decisions)
    if not names:
        return _deciding(sheet, columns, decisions, model)
    models = _by_class(sheet, columns, names, classes, model)
    beside = [name for name in decisions if words.OWN_DECISIONS.fullmatch(name)]
    if "decision" in columns:
        beside = [columns["decision"]]
    if beside and len(models) == 1:
        for each in models.values():
            each["decision"] = beside[0]
    return models


def ask_missing(sheet: Sheet, name: str, codes: Sequence[str], what: str) -> None:
    """Ask whether texts mean that there is no value, if there are any."""
    if codes:
        missing = (*(sheet.keys.missing or ()), *codes)
        choice = Choice({"missing": missing}, f"{some(codes)} means {what}")
        raise sheet.asks(f"{named([name])} has {some(codes)}: does that mean {what}?", [choice])


def _decisions(sheet: Sheet, left: Sequence[str], classes: Sequence[str]) -> list[str]:
    """Return the columns that hold nothing but classes."""
    chosen = [name for name in several(sheet.columns.get("decision")) if name in sheet.names]
    if chosen:
        return chosen
    for name in left:
        values = sheet.values(name)
        others = [text for text in values if text not in classes]
        if values and not others:
            chosen.append(name)
        elif len(others) < len(values) and called(name, words.DECIDED):
            coded = all(plain(text) in words.CODES | {"-1"} for text in others)
            ask_missing(sheet, name, others if coded else [], "no decision")
    return chosen


def _scores(
    sheet: Sheet, left: Sequence[str], classes: Sequence[str], decisions: Sequence[str]
) -> list[str]:
    """Return the columns that hold scores."""
    layout, roles = sheet.layout, sheet.columns
    chosen = [*several(roles.get("score"))]
    chosen += [name for role, name in roles.items() if role.startswith(OF_CLASS)]
    if chosen or not isinstance(roles.get("decision", ""), str):
        return chosen
    pattern = layout.roles.get("score", "$.")
    called_so = [name for name in left if re.fullmatch(pattern, name)]
    if called_so:
        return ["score" if "score" in called_so else called_so[0]]
    fits = [name for name in left if re.fullmatch(layout.scores, name)]
    scored = [name for name in left if name.startswith(OF_CLASS)]
    of_classes = {name.removeprefix(OF_CLASS) for name in scored}
    if scored and (of_classes >= {*classes} or (layout is LONG and of_classes & {*classes})):
        fits = fits or scored
    exact = [name for name in left if name in classes]
    exact = exact or [name for name in left if name[:1] == "p" and name[1:] in classes]
    if len(exact) == len(classes) > 1:
        fits = fits or exact
    return fits or _likely(sheet, [name for name in left if name not in decisions])


def _likely(sheet: Sheet, names: Sequence[str]) -> list[str]:
    """Return columns that look like scores: probabilities, or numbers that are called so.

    Whole numbers and amounts are attributes of cases. Where other fractions stand beside scores,
    they may be those of a model or an attribute.
    """
    certain, others = list[str](), list[str]()
    for name in names:
        scored, numbers = called(name, words.SCORED), sheet.numbers(name)
        if numbers is None:
            wrong = sheet.wrong(name)
            if scored and 2 * len(wrong) < sheet.size(name):
                codes = [text for text in wrong if plain(text) in words.CODES]
                ask_missing(sheet, name, codes, "no score")
                certain.append(name)
            elif scored and wrong[:1] and wrong[0][:1] in ("[", "{"):
                mend = f"{RECIPE.format('Vectors of probabilities')}, or say --column unused={name}"
                why = "holds several numbers in a row, which are not read"
                raise sheet.asks(f"{named([name])} {why}; {mend}", [])
            continue
        distinct = np.unique(numbers[~np.isnan(numbers)])
        is_id = words.IDS.fullmatch(name) or plain(name) in words.REPEAT | words.FOLD
        if len(distinct) < 2 or words.AMOUNT.fullmatch(name) or is_id:
            continue
        outside = distinct[(distinct < 0) | (distinct > 1)]
        fractional = bool((distinct != np.round(distinct)).any())
        if len(outside) == 1 and fractional and not -1 < outside[0] < 2:
            ask_missing(sheet, name, [f"{outside[0]:g}"], "no score")
        if (fractional and not len(outside)) or (scored and len(distinct) > 2):
            certain.append(name)
        elif fractional:
            others.append(name)
    if certain and others:
        every = tuple(name for name in names if name in (*certain, *others))
        hold = "holds" if len(others) == 1 else "hold"
        choices = [
            column(f"{named(others)} {hold} no scores", score=tuple(certain)),
            column(f"{named(others)} {hold} scores, too", score=every),
        ]
        raise sheet.asks(f"{named(others)}: scores of models, or of no use?", choices)
    return certain or others


def _deciding(
    sheet: Sheet, columns: Mapping[str, str], decisions: Sequence[str], model: str
) -> Models:
    """Return models that only decide."""
    if "decision" in columns:
        return {model: {"decision": columns["decision"]}}
    likely = decisions
    if "decision" not in sheet.columns:
        likely = [name for name in decisions if called(name.rstrip("0123456789"), words.DECIDED)]
    if len(likely) == 1 and words.OWN_DECISIONS.fullmatch(likely[0]):
        return {model: {"decision": likely[0]}}
    if likely:
        return {name: {"decision": name} for name in likely}
    chosen = column(f"decisions of models are in {named(decisions)}", decision=tuple(decisions))
    mend = "--column score=NAME,NAME, or of decisions --column decision=NAME"
    why = f"no column is known as scores; name those of models ({mend})"
    raise sheet.asks(f"{why}; its columns are {some(sheet.names)}", [chosen] if decisions else [])


def _by_class(
    sheet: Sheet,
    columns: Mapping[str, str],
    names: Sequence[str],
    classes: Sequence[str],
    model: str,
) -> Models:
    """Give columns of scores to models: one each, or one for each class."""
    chosen = {role: name for role, name in sheet.columns.items() if role.startswith(OF_CLASS)}
    if chosen:
        return {model: chosen}
    in_rows = "model" in columns
    of_class = in_rows and any(name.removeprefix(OF_CLASS) in classes for name in names)
    pattern = f"{OF_CLASS}(.+)" if of_class else sheet.layout.scores
    matches = [match for name in names if (match := re.fullmatch(pattern, name))]
    if len(matches) == len(names):
        return {model: {f"{OF_CLASS}{match[1]}": match[0] for match in matches}}
    scores = {name: values for name in names if (values := sheet.numbers(name)) is not None}
    parts = dict(_of_classes(scores, classes))
    if not parts:
        _ask_classes(sheet, scores, classes)
    models: Models = {}
    for name in names:
        called_so, role = parts.get(name, (name, "score"))
        models.setdefault(called_so, {})[role] = name
    if in_rows and len(models) > 1:
        choices = [column(f"scores are in {named([name])}", score=name) for name in names]
        raise sheet.asks(f"scores could be in each of {named(names)}; say in which", choices)
    only = next(iter(models))
    if in_rows or (len(models) == 1 and words.ONE.fullmatch(only.partition("[")[0])):
        return {model: models[only]}
    return models


def _of_classes(
    scores: Mapping[str, Floats], classes: Sequence[str]
) -> Iterator[tuple[str, tuple[str, str]]]:
    """Return columns that are called after a model and a class, and sum to 1 over its classes.

    What is called as a class and nothing else need not sum; logits of two classes sum to 0.
    """
    each: dict[tuple[str, str], dict[str, str]] = {}
    for name in scores if 1 < len(classes) <= len(scores) else ():
        for text in classes:
            for at in re.finditer(re.escape(text), name):
                each.setdefault((name[: at.start()], name[at.end() :]), {})[text] = name
    for around, names in each.items():
        if len(names) == len(classes):
            plainly = around in (("", ""), (OF_CLASS, ""))
            if plainly or _sum_up([scores[name] for name in names.values()]):
                for text, name in names.items():
                    yield name, ("".join(around).strip(AROUND), f"{OF_CLASS}{text}")


def _sum_up(values: Sequence[Floats]) -> bool:
    """Return whether rows sum to 1, as far as rounded ones can, or two mirrored ones to 0."""
    sums = np.sum(values, axis=0)
    sums, near = sums[~np.isnan(sums)], len(values) * NEARLY
    mirrored = len(values) == 2 and (np.abs(sums) <= near).all() and values[0].any()
    return bool(mirrored or (np.abs(sums - 1) <= near).all())


def _ask_classes(sheet: Sheet, scores: Mapping[str, Floats], classes: Sequence[str]) -> None:
    """Ask of which classes columns are that sum to the same in each row: they are no models."""
    names, order = [*scores], sorted(classes)
    if len(names) < 2 or not _sum_up([*scores.values()]):
        return
    choices = []
    for each in [order, order[::-1]] if len(names) == len(order) else []:
        roles = {f"{OF_CLASS}{text}": name for text, name in zip(each, names, strict=True)}
        choices.append(column(f"they are of the classes {some(each)} in this order", **roles))
    why = f"{named(names)} sum to 1 in each row, as the scores of classes do; labels are"
    mend = "say which column is of which ('classes: {LABEL: NAME, ...}')"
    raise sheet.asks(f"{why} {some(classes)}: {mend}", choices)
