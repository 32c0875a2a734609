"""Which columns of a file are the scores and decisions of which model."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

import numpy as np

from costcurves.names import quoted, some
from costcurves.predictions import words
from costcurves.predictions.asking import Choice, column
from costcurves.predictions.layouts import LONG, OF_CLASS
from costcurves.predictions.reading import NUMBER, Floats
from costcurves.predictions.sheet import Sheet, named
from costcurves.predictions.sources import RECIPE
from costcurves.predictions.words import called, plain
from costcurves.settings import several

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
    for each in models.values():
        beside = _beside(each.get("score", ""), names, decisions)
        if len(models) == 1:
            alone = [name for name in decisions if words.OWN_DECISIONS.fullmatch(name)]
            beside = [*filter(None, [columns.get("decision")]), *alone, *beside]
        if beside:
            each["decision"] = beside[0]
    score = models.get(model, {}).get("score", "")
    if sheet.layout.name == "pycaret" and score and sheet.keys.higher_is != "predicted":
        numbers = sheet.numbers(score)
        if numbers is not None and np.nanmin(numbers) >= 0.5:
            meaning = "1 - score is read where the decision is negative"
            why = "holds probabilities of the predicted class: say --higher-is predicted"
            choice = Choice({"higher_is": "predicted"}, meaning)
            raise sheet.asks(f"{named([score])} {why}", [choice])
    return models


def ask_missing(sheet: Sheet, name: str, codes: Sequence[str], what: str) -> None:
    """Ask whether texts mean that there is no value, if there are any."""
    if codes:
        typed = " ".join(f"--missing {code}" for code in codes)
        missing = (*(sheet.keys.missing or ()), *codes)
        choice = Choice({"missing": missing}, f"{some(codes)} means {what}")
        why = f"{named([name])} has {some(codes)}: if that means {what}, {typed}"
        raise sheet.asks(why, [choice])


def _decisions(sheet: Sheet, left: Sequence[str], classes: Sequence[str]) -> list[str]:
    """Return the columns that hold nothing but classes."""
    chosen = [name for name in several(sheet.columns.get("decision")) if name in sheet.names]
    if chosen:
        return chosen
    for name in left:
        values = sheet.values(name)
        rest = [text for text in values if text not in classes]
        if values and not rest:
            chosen.append(name)
        elif len(rest) < len(values) and called(name, words.DECIDED):
            coded = all(plain(text) in words.CODES | {"-1"} for text in rest)
            ask_missing(sheet, name, rest if coded else [], "no decision")
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
    if layout.roles.get("score") in left:
        return [layout.roles["score"]]
    ours = [name for name in ("score", *left) if name in left and plain(name) == "score"]
    if layout is LONG and ours:
        return ours[:1]
    fits = [name for name in left if layout.scores and re.fullmatch(layout.scores, name)]
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
        numbers, texts = sheet.numbers(name), sheet.values(name)
        if numbers is None:
            codes = [text for text in texts if plain(text) in words.CODES]
            numeric = sum(re.fullmatch(NUMBER, text) is not None for text in texts)
            if called(name, words.SCORED) and 2 * numeric > len(texts):
                ask_missing(sheet, name, codes, "no score")
                certain.append(name)
            continue
        distinct = np.unique(numbers[~np.isnan(numbers)])
        is_id = re.fullmatch(words.IDS, name) or plain(name) in words.REPEAT | words.FOLD
        if len(distinct) < 2 or words.AMOUNT.fullmatch(name) or is_id:
            continue
        outside = distinct[(distinct < 0) | (distinct > 1)]
        fractional = bool((distinct != np.round(distinct)).any())
        if len(outside) == 1 and fractional and not -1 < outside[0] < 2:
            ask_missing(sheet, name, [f"{outside[0]:g}"], "no score")
        if (fractional and not len(outside)) or (called(name, words.SCORED) and len(distinct) > 2):
            certain.append(name)
        elif fractional:
            others.append(name)
    vectors = [name for name in names if str(sheet.frame[name].iloc[0])[:1] in ("[", "{")]
    vectors = [name for name in vectors if called(name, words.SCORED) or not (certain or others)]
    if vectors:
        mend = RECIPE.format("Vectors of probabilities")
        why = "holds several numbers in a row, which are not read"
        typed = f"--column unused={vectors[0]}"
        raise sheet.asks(f"{named(vectors[:1])} {why}; {mend}, or say {typed}", [])
    if certain and others:
        every = tuple(name for name in names if name in (*certain, *others))
        choices = [
            column(f"{named(others)} hold no scores", score=_listed(certain)),
            column(f"{named(others)} hold scores, too", score=every),
        ]
        raise sheet.asks(f"{named(others)}: scores of models, or of no use?", choices)
    return certain or others


def _listed(names: Sequence[str]) -> str | tuple[str, ...]:
    """Return one name as such, several as they are."""
    return names[0] if len(names) == 1 else tuple(names)


def _deciding(
    sheet: Sheet, columns: Mapping[str, str], decisions: Sequence[str], model: str
) -> Models:
    """Return models that only decide."""
    if "decision" in columns:
        return {model: {"decision": columns["decision"]}}
    chosen = "decision" in sheet.columns
    likely = [
        name for name in decisions if chosen or called(re.sub(r"\d+$", "", name), words.DECIDED)
    ]
    if len(likely) == 1 and words.OWN_DECISIONS.fullmatch(likely[0]):
        return {model: {"decision": likely[0]}}
    if likely:
        return {name: {"decision": name} for name in likely}
    choices = []
    if decisions:
        meaning = f"decisions of models are in {named(decisions)}"
        choices = [column(meaning, decision=_listed(decisions))]
    mend = "--column score=NAME,NAME, or of decisions --column decision=NAME"
    why = f"no column is known as scores; name those of models ({mend})"
    raise sheet.asks(f"{why}; its columns are {some(sheet.names)}", choices)


def _beside(score: str, names: Sequence[str], decisions: Sequence[str]) -> list[str]:
    """Return the decisions beside scores: `rf_proba, rf_pred` or `p_rf, pred_rf`."""
    beside = []
    for name in decisions:
        match = words.BESIDE.fullmatch(name)
        if match and bool(match["first"]) != bool(match["last"]):
            start, end = match["first"], match["last"]
            if [each for each in names if each.startswith(start) and each.endswith(end)] == [score]:
                beside.append(name)
    return beside


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
    pattern = sheet.layout.scores or (f"{OF_CLASS}(.+)" if of_class else "$.")
    matches = [match for name in names if (match := re.fullmatch(pattern, name))]
    if len(matches) == len(names):
        return {model: {f"{OF_CLASS}{match[1]}": match[0] for match in matches}}
    numbers = {name: sheet.numbers(name) for name in names}
    scores = {name: values for name, values in numbers.items() if values is not None}
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
    names = [*scores]
    if len(names) > 2 and _sum_up([*scores.values()]):
        order = sorted(classes)
        roles = {f"{OF_CLASS}{text}": name for text, name in zip(order, names, strict=False)}
        choices = [column(f"they are of the classes {some(order)} in this order", **roles)]
        typed = " ".join(f"--column {role}={name}" for role, name in roles.items())
        why = f"{named(names)} sum to 1 in each row, as the scores of classes do; labels are"
        mend = f"say which column is of which ({typed}, or 'classes: {{LABEL: NAME, ...}}')"
        fits = len(order) == len(names)
        raise sheet.asks(f"{why} {some(classes)}: {mend}", choices if fits else [])
    for place, first in enumerate(names):
        for second in names[place + 1 :]:
            if (scores[first] == scores[second]).all():
                continue
            if _sum_up([scores[first], scores[second]]):
                rest = [name for name in names if name not in (first, second)]
                choices = [
                    column(f"{quoted(name)} is of the positive class", score=_listed([name, *rest]))
                    for name in (first, second)
                ]
                why = "sum to the same in each row, as scores of two classes do"
                mend = "name that of the positive one (--column score=NAME)"
                raise sheet.asks(f"{named([first, second])} {why}; {mend}", choices)
