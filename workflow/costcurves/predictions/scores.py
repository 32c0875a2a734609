"""Which columns of a file are the scores and decisions of which model."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

import numpy as np

from costcurves.errors import InputError
from costcurves.names import quoted, some
from costcurves.predictions import words
from costcurves.predictions.asking import Choice
from costcurves.predictions.layouts import LONG, OF_CLASS
from costcurves.predictions.reading import NUMBER, Floats
from costcurves.predictions.sheet import Sheet, named
from costcurves.predictions.sources import RECIPE
from costcurves.predictions.words import called, plain
from costcurves.settings import several

NEARLY: Final = 0.001  # probabilities, after rounding
AROUND: Final = " _-.()[]"  # between what a model and what its class is called
Models = dict[str, dict[str, str]]  # the columns of each: score, score_<class>, decision
Scores = Mapping[str, Floats]


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
        return _deciding(sheet, columns, decisions, left, model)
    models = _by_class(sheet, columns, names, classes, model)
    beside = _beside(names, decisions)
    for own in models.values():
        decision = beside.get(own.get("score", ""))
        if len(models) == 1:
            alone = [name for name in decisions if words.OWN_DECISIONS.fullmatch(name)]
            decision = columns.get("decision") or next(iter([*alone, *beside.values()]), None)
        if decision is not None:
            own["decision"] = decision
    name = models.get(model, {}).get("score", "")
    if sheet.layout.name == "pycaret" and sheet.keys.higher_is != "predicted" and name:
        numbers = sheet.numbers(name)
        if numbers is not None and np.nanmin(numbers) >= 0.5:
            why = "holds probabilities of the predicted class: say --higher-is predicted"
            meaning = "1 - score is read where the decision is negative"
            raise sheet.asks(
                f"{named([name])} {why}", [Choice({"higher_is": "predicted"}, meaning)]
            )
    return models


def ask_missing(sheet: Sheet, name: str, codes: Sequence[str], what: str) -> None:
    """Ask whether texts mean that there is no value, if there are any."""
    if codes:
        typed = " ".join(f"--missing {code}" for code in codes)
        why = f"{named([name])} has {some(codes)}: if that means {what}, {typed}"
        raise sheet.asks(why, [Choice({"missing": tuple(codes)}, f"{some(codes)} means {what}")])


def _decisions(sheet: Sheet, left: Sequence[str], classes: Sequence[str]) -> list[str]:
    """Return the columns that hold nothing but classes."""
    chosen = [name for name in several(sheet.columns.get("decision")) if name in sheet.names]
    made = []
    for name in left if not chosen else ():
        values = sheet.values(name)
        rest = [text for text in values if text not in classes]
        if values and not rest:
            made.append(name)
        elif len(rest) < len(values) and called(name, words.DECIDED):
            coded = all(plain(text) in words.CODES | {"-1"} for text in rest)
            ask_missing(sheet, name, rest if coded else [], "no decision")
    return chosen or made


def _scores(
    sheet: Sheet, left: Sequence[str], classes: Sequence[str], decisions: Sequence[str]
) -> list[str]:
    """Return the columns that hold scores."""
    layout, roles = sheet.layout, sheet.columns
    chosen = [it for role, names in roles.items() if role == "score" for it in several(names)]
    chosen += [name for role, name in roles.items() if role.startswith(OF_CLASS)]
    if chosen or not isinstance(roles.get("decision", ""), str):
        return chosen
    if layout.roles.get("score") in left:
        return [layout.roles["score"]]
    fits = [name for name in left if layout.scores and re.fullmatch(layout.scores, name)]
    of_classes = [name for name in left if name.startswith(OF_CLASS)]
    scored = {name.removeprefix(OF_CLASS) for name in of_classes}
    some_classes = layout is LONG and "score" not in left and scored & {*classes}
    if not fits and scored and (scored >= {*classes} or some_classes):
        fits = of_classes
    if layout is LONG and "score" in left:
        fits = ["score"]
    exact = [name for name in left if name in classes]
    exact = exact or [name for name in left if name[:1] == "p" and name[1:] in classes]
    if not fits and len(classes) > 1 and len(exact) == len(classes):
        fits = exact
    return fits or _likely(sheet, [name for name in left if name not in decisions])


def _likely(sheet: Sheet, names: Sequence[str]) -> list[str]:
    """Return columns that look like scores: probabilities, or numbers that are called so.

    Whole numbers and amounts are attributes of cases. Where other fractions stand beside scores,
    they may be those of a model or an attribute.
    """
    certain, others = list[str](), list[str]()
    for name in names:
        numbers = sheet.numbers(name)
        if numbers is None:
            certain += [name] if _is_broken(sheet, name) else []
            continue
        given = numbers[~np.isnan(numbers)]
        distinct = np.unique(given)
        is_id = re.fullmatch(words.IDS, name) or plain(name) in words.REPEAT | words.FOLD
        if len(distinct) < 2 or words.AMOUNT.fullmatch(name) or is_id:
            continue
        outside = distinct[(distinct < 0) | (distinct > 1)]
        fractional = bool((distinct != np.round(distinct)).any())
        if len(outside) == 1 and fractional and not -1 < outside[0] < 2:
            ask_missing(sheet, name, [f"{outside[0]:g}"], "no score")
        if (fractional and not len(outside)) or (called(name, words.SCORED) and len(distinct) > 2):
            certain.append(name)
        else:
            others += [name] if fractional else []
    if certain and others:
        every = [name for name in names if name in (*certain, *others)]
        choices = [
            Choice({"columns": {"score": listed(certain)}}, f"{named(others)} hold no scores"),
            Choice({"columns": {"score": listed(every)}}, f"{named(others)} hold scores, too"),
        ]
        raise sheet.asks(f"{named(others)}: scores of models, or of no use?", choices)
    return certain or others


def listed(names: Sequence[str]) -> str | tuple[str, ...]:
    """Return one name as such, several as they are."""
    return names[0] if len(names) == 1 else tuple(names)


def _is_broken(sheet: Sheet, name: str) -> bool:
    """Return whether a column is one of scores with some text among them, which is asked about."""
    texts = sheet.values(name)
    if not called(name, words.SCORED) or not texts:
        return False
    if texts[0][0] in "[{":
        raise sheet.asks(_of_vectors(name), [])
    codes = [text for text in texts if plain(text) in words.CODES]
    ask_missing(sheet, name, codes if len(texts) > 2 * len(codes) else [], "no score")
    numeric = sum(re.fullmatch(NUMBER, text) is not None for text in texts)
    return 2 * numeric > len(texts)


def _of_vectors(name: str) -> str:
    mend = f"{RECIPE.format('Vectors of probabilities')}, or say --column unused={name}"
    return f"{named([name])} holds several numbers in a row, which are not read; {mend}"


def _deciding(
    sheet: Sheet,
    columns: Mapping[str, str],
    decisions: Sequence[str],
    left: Sequence[str],
    model: str,
) -> Models:
    """Return models that only decide."""
    for name in left:
        if str(sheet.frame[name].iloc[0])[:1] in ("[", "{"):
            raise sheet.asks(_of_vectors(name), [])
    if "decision" in columns:
        return {model: {"decision": columns["decision"]}}
    chosen = "decision" in sheet.columns
    likely = [it for it in decisions if chosen or called(re.sub(r"\d+$", "", it), words.DECIDED)]
    if len(likely) == 1 and words.OWN_DECISIONS.fullmatch(likely[0]):
        return {model: {"decision": likely[0]}}
    if likely:
        return {name: {"decision": name} for name in likely}
    choices = []
    if decisions:
        each = {"columns": {"decision": listed(decisions)}}
        choices = [Choice(each, f"decisions of models are in {named(decisions)}")]
    mend = "--column score=NAME,NAME, or of decisions --column decision=NAME"
    has = f"its columns are {some(sheet.names)}"
    raise sheet.asks(f"no column is known as scores; name those of models ({mend}); {has}", choices)


def _beside(names: Sequence[str], decisions: Sequence[str]) -> dict[str, str]:
    """Return the decisions of models beside scores: `rf_proba, rf_pred` or `p_rf, pred_rf`."""
    pairs = dict[str, str]()
    for name in decisions:
        match = words.BESIDE.fullmatch(name)
        if match and bool(match["first"]) != bool(match["last"]):
            ends = match["first"], match["last"]
            others = [it for it in names if it.startswith(ends[0]) and it.endswith(ends[1])]
            if len(others) == 1:
                pairs[others[0]] = name
    return pairs


def _by_class(
    sheet: Sheet,
    columns: Mapping[str, str],
    names: Sequence[str],
    classes: Sequence[str],
    model: str,
) -> Models:
    """Give columns of scores to models: one each, or one for each class."""
    chosen = {name: role for role, name in sheet.columns.items() if role.startswith(OF_CLASS)}
    if chosen:
        return {model: {role: name for name, role in chosen.items()}}
    in_rows = "model" in columns
    in_classes = in_rows and any(name.removeprefix(OF_CLASS) in classes for name in names)
    of_class = f"{OF_CLASS}(.+)" if in_classes else "$."
    fits = [re.fullmatch(sheet.layout.scores or of_class, name) for name in names]
    if all(fits):
        return {model: {f"{OF_CLASS}{match[1]}": match[0] for match in fits if match}}
    scores = {name: sheet.numbers(name) for name in names}
    numbers = {name: np.empty(0) if it is None else it for name, it in scores.items()}
    parts = dict(_of_classes(numbers, classes))
    if parts and len(parts) < len(names):
        other = named([name for name in names if name not in parts])
        why = "some models have a column for each class, others have one: read them one by one"
        raise InputError([f"{sheet.source.path}: {why}; {other}"])
    if not parts:
        _ask_classes(sheet, numbers, classes, columns["label"])
    models: Models = {}
    for name in names:
        own, role = parts.get(name, (name, ""))
        models.setdefault(own, {})[f"{OF_CLASS}{role}" if role else "score"] = name
    only = next(iter(models))
    if in_rows and len(models) > 1:
        choices = [
            Choice({"columns": {"score": name}}, f"scores are in {named([name])}") for name in names
        ]
        raise sheet.asks(f"scores could be in each of {named(names)}; say in which", choices)
    if in_rows or (len(models) == 1 and words.ONE.fullmatch(only.partition("[")[0])):
        return {model: models[only]}
    return models


def _of_classes(scores: Scores, classes: Sequence[str]) -> Iterator[tuple[str, tuple[str, str]]]:
    """Return columns that are called after a model and a class, and sum to 1 over its classes.

    What is called as a class and nothing else need not sum; logits of two classes sum to 0.
    """
    each: dict[tuple[str, str], dict[str, str]] = {}
    for name in scores if 1 < len(classes) <= len(scores) else ():
        for text in classes:
            for at in re.finditer(re.escape(text), name):
                each.setdefault((name[: at.start()], name[at.end() :]), {})[text] = name
    for around, own in each.items():
        plainly = around in (("", ""), (OF_CLASS, ""))
        whole = len(own) == len(classes)
        if whole and (plainly or _sum_up([scores[name] for name in own.values()])):
            for text, name in own.items():
                yield name, ("".join(around).strip(AROUND), text)


def _sum_up(values: Sequence[Floats]) -> bool:
    """Return whether rows sum to 1, as far as rounded ones can, or two mirrored ones to 0."""
    sums = np.sum(values, axis=0)
    sums, near = sums[~np.isnan(sums)], len(values) * NEARLY
    mirrored = len(values) == 2 and (np.abs(sums) <= near).all() and values[0].any()
    return bool(mirrored or (np.abs(sums - 1) <= near).all())


def _ask_classes(sheet: Sheet, scores: Scores, classes: Sequence[str], label: str) -> None:
    """Ask of which classes columns are that sum to the same in each row: they are no models."""
    names = [*scores]
    if len(names) > 2 and _sum_up([*scores.values()]):
        order = _order(sheet, scores, classes, label)
        roles = {f"{OF_CLASS}{it}": name for it, name in zip(order, names, strict=False)}
        fits = [Choice({"columns": roles}, "these are the scores of the classes")]
        typed = " ".join(f"--column {role}={name}" for role, name in roles.items())
        why = f"{named(names)} sum to 1 in each row, as the scores of classes do; labels are"
        mend = f"say which column is of which ({typed}, or 'classes: {{LABEL: NAME, ...}}')"
        raise sheet.asks(f"{why} {some(classes)}: {mend}", fits if len(order) == len(names) else [])
    for place, first in enumerate(names):
        for second in names[place + 1 :]:
            one, other = scores[first], scores[second]
            if (one == other).all() or not _sum_up([one, other]):
                continue
            rest = [name for name in names if name not in (first, second)]
            choices = [
                Choice(
                    {"columns": {"score": listed([name, *rest])}},
                    f"{quoted(name)} is of the positive class",
                )
                for name in (first, second)
            ]
            why = "sum to the same in each row, as scores of two classes do"
            mend = "name that of the positive one (--column score=NAME)"
            raise sheet.asks(f"{named([first, second])} {why}; {mend}", choices)


def _order(sheet: Sheet, scores: Scores, classes: Sequence[str], label: str) -> list[str]:
    """Return classes in the order of columns: as decisions show it, else sorted."""
    highest = np.argmax([*scores.values()], axis=0)
    for name in (it for it in sheet.names if it not in scores and it != label):
        if sorted(sheet.values(name)) == sorted(classes):
            texts = np.asarray(sheet.texts(name).astype("str"))
            order = [str(texts[highest == it][0]) for it in np.unique(highest)]
            if sorted(order) == sorted(classes):
                return order
    return sorted(classes)
