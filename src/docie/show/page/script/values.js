// @ts-check
import { fold, foldedRows, h, runs } from "./dom.js";
import { counted, distance, grouped, named, sidesOf, valueOf } from "./text.js";
import { placesOf, tally, valueIn } from "./data.js";

/**
 * Values side by side.
 *
 * @import { Child } from "./dom.js"
 * @import { Group, Place, Value, Verdict } from "./data.js"
 * @typedef {{ tone: string, mark: string, label: string }} Look class names, a mark, and words
 * @typedef {{ shows: (place: Place) => boolean, isSought: (number: number) => boolean, noun?: string, marksScattered?: boolean }} Options
 *     what is shown and not folded, and what is marked as asked for
 */

/** @type {Record<Verdict, Look>} */
const VERDICTS = {
  correct: { tone: "correct", mark: "✓", label: "correct" },
  incorrect: { tone: "substitution", mark: "≠", label: "incorrect" },
  missing: { tone: "addition", mark: "+", label: "missing" },
  spurious: { tone: "deletion", mark: "−", label: "spurious" },
  none: { tone: "", mark: "", label: "" },
};
/** @type {Record<string, [string, string]>} the mark and the words of an error whose kind is known, as in `data.py` */
export const KINDS = {
  format: ["≈", "different format"], group: ["⇄", "wrong group"], type: ["⇅", "wrong type"], duplicate: ["×2", "duplicate"],
  value: ["≠", "incorrect value"], missing: ["+", "missing"], spurious: ["−", "spurious"], place: ["□", "wrong place"],
};
/** Errors whose value stands elsewhere in the document too. */
const ELSEWHERE = ["group", "type", "duplicate"];
/** @type {Record<string, string>} the problem of an error, by its kind or its verdict */
const TOLD = {
  group: "The value belongs to another row", type: "The value belongs under another name", duplicate: "The value stands here once too often",
  missing: "The prediction lacks it", spurious: "The reference has no such value",
};
/** Characters of a value in a sentence. */
const QUOTED = 60;
/** Groups with errors, and rows of one, that are drawn before more of them are asked for. */
const MOST_GROUPS = 30;
const MOST_ROWS = 300;

/** @param {Verdict} verdict @param {string} [kind] @returns {Look} */
export function lookOf(verdict, kind = "") {
  const { tone, mark, label } = VERDICTS[verdict], known = Object.hasOwn(KINDS, kind);
  const classes = [known ? kind : "", known && verdict === "correct" ? "" : tone].filter(Boolean).map((name) => `docie-${name}`).join(" ");
  return known ? { tone: classes, mark: KINDS[kind][0], label: KINDS[kind][1] } : { tone: classes, mark, label };
}

/** The parts of the reference and the prediction of a value. @param {Value} value @param {boolean} [marksScattered] */
export function partsOf({ predicted, expected, verdict }, marksScattered = false) {
  return sidesOf(predicted, expected, { isCorrect: verdict === "correct" || verdict === "none", marksScattered });
}

/** Why one side has no value. @param {Value} value */
export function absenceOf({ kind, expected }) {
  return ELSEWHERE.includes(kind) ? "not here" : expected === null ? "not in the reference" : "not predicted";
}

/** What is wrong with a value, and what would be correct; "" if nothing is. @param {Value} value @param {boolean} [counts] */
export function inWords({ predicted, expected, kind, verdict }, counts = true) {
  if (verdict === "correct" || verdict === "none" || predicted === expected) return "";
  const correct = expected === null ? "to leave it out" : `“${expected.slice(0, QUOTED)}${expected.length > QUOTED ? "…" : ""}”`;
  if (predicted === null || expected === null || ELSEWHERE.includes(kind)) return `${TOLD[kind] ?? TOLD[verdict]}; correct would be ${correct}.`;
  if (kind === "format") return `The same value in a different format; correct would be ${correct}.`;
  if (!counts) return `Correct would be ${correct}.`;
  const [number, compared] = distance(predicted, expected);
  return `${grouped(number)} of ${counted(compared, "character")} ${number === 1 ? "differs" : "differ"}; correct would be ${correct}.`;
}

/** What is said of the predicted value beside it. @param {Value} value */
function remarkOf({ predicted, expected, kind, verdict, more }) {
  const told = (/** @type {string} */ name, /** @type {unknown} */ place) => {
    const text = typeof place === "string" ? place : JSON.stringify(place).replaceAll(",", ", ");
    return `${name} ${text.slice(0, QUOTED)}${text.length > QUOTED ? "…" : ""}`;
  };
  return [
    verdict === "correct" && predicted !== expected && "counts as equal",
    more.c !== undefined && `confidence ${Number(more.c.toPrecision(3))}`,
    more.p !== undefined && more.p !== null && told("page", more.p),
    more.b !== undefined && more.b !== null && told("box", more.b),
    kind === "place" && `in the reference ${[more.P !== undefined && told("page", more.P), more.B !== undefined && told("box", more.B)].filter(Boolean).join(", ")}`,
  ].filter(Boolean).join(", ");
}

/**
 * How many of the values of a group are correct, and how many are not, in words.
 * @param {Group} group
 */
function headingOf([, , , , pairs, numbers]) {
  const { correct, ...wrong } = tally(pairs), expected = correct + wrong.incorrect + wrong.missing;
  const said = expected ? [`${grouped(correct)} of ${grouped(expected)} correct`] : [];
  for (const verdict of /** @type {const} */ (["incorrect", "missing", "spurious"])) if (wrong[verdict]) said.push(`${grouped(wrong[verdict])} ${verdict}`);
  return [said.join(", "), numbers].filter(Boolean).join(" · ") || "empty";
}

/** @param {Group} group @param {Child} [numbers] @returns {Child[]} */
function titleOf(group, numbers = headingOf(group)) {
  return [
    h("span", { class: "docie-name" }, named(group[0] || "Outside of groups")), " ",
    group[2] && h("span", { class: "docie-note" }, named(group[2])), " ",
    numbers && h("span", { class: "docie-numbers" }, numbers),
  ];
}

/** @param {Place} place @param {Options} options */
function rowOf({ pair, number }, { isSought, noun = "field", marksScattered = false }) {
  const value = valueIn(pair);
  if (!value) return h("tr");
  const look = lookOf(value.verdict, value.kind), [expected, predicted] = partsOf(value, marksScattered);
  const partner = ELSEWHERE.includes(value.kind) && (value.predicted || value.expected), absence = absenceOf(value);
  const words = inWords(value, !marksScattered), remark = remarkOf(value);
  return h("tr", { class: `${look.tone}${isSought(number) ? " docie-sought" : ""}`, "data-docie-pair": number, "data-docie-partner": partner || null, tabindex: partner ? 0 : null },
    h("th", { scope: "row" },
      h("b", { "aria-hidden": "true" }, look.mark), named(pair[0] || `(${noun})`), " ", look.label && h("i", null, look.label),
      value.more.f === 1 && [" ", flag()],
      value.more.n && [" ", h("small", null, named(value.more.n))],
      words && [" ", h("small", { class: "docie-words" }, named(words))]),
    h("td", null, valueOf(expected, absence)),
    h("td", null, valueOf(predicted, absence), remark && [" ", h("small", null, named(remark))]));
}

/** A suspected label. */
export const flag = () => h("b", { class: "docie-flag", title: "the label may be wrong", role: "img", "aria-label": "the label may be wrong" }, "⚑");

/** The rows of places, with those in between folded that are not shown. @param {Place[]} places @param {Options} options @returns {HTMLElement[]} */
function rowsOf(places, options) {
  const drawn = places.slice(0, MOST_ROWS), rest = places.slice(MOST_ROWS);
  const rows = runs(drawn, options.shows).flatMap(([isShown, run]) => {
    const draw = () => run.map((place) => rowOf(place, options));
    return isShown || (run.length === 1 && isRightPlace(run[0])) ? draw() : [foldedRows(3, summaryOf(run, options.noun), draw)];
  });
  return rest.length ? [...rows, foldedRows(3, `${grouped(rest.length)} more`, () => rowsOf(rest, options))] : rows;
}

/** @param {Place} place */
const isRightPlace = ({ pair }) => (valueIn(pair)?.verdict ?? "correct") === "correct";

/** What a run of folded rows has. @param {Place[]} run @param {string} [noun] @returns {Child[]} */
function summaryOf(run, noun = "field") {
  const areRight = run.every(isRightPlace), fields = [...new Set(run.slice(0, 50).map(({ pair }) => pair[0]))].join(", ");
  const words = areRight ? `${grouped(run.length)} correct` : counted(run.length, `other ${noun}`);
  return [areRight && h("b", { "aria-hidden": "true" }, "✓"), words, " ", h("span", { class: "docie-note" }, named(fields))];
}

/** @param {Group} group @param {Place[]} places @param {Options} options @param {boolean} isTitled */
function tableOf(group, places, options, isTitled) {
  const noun = options.noun ?? "field";
  return h("table", null,
    h("caption", { class: isTitled ? null : "docie-hidden" }, isTitled ? titleOf(group) : named(group[0])),
    places.length > 0 && h("thead", null, h("tr", null, [`${noun[0].toUpperCase()}${noun.slice(1)}`, "Reference", "Prediction"].map((name) => h("th", { scope: "col" }, name)))),
    h("tbody", null, rowsOf(places, options)));
}

/**
 * The values of one system side by side: groups as blocks, and what is not shown folded.
 * @param {Group[]} groups
 * @param {Options} options
 */
export function sideBySide(groups, options) {
  const places = placesOf(groups);
  let at = 0, seen = 0;
  const blocks = groups.map((group) => ({ group, places: places.slice(at, (at += group[4].length)) }));
  const isShown = (/** @type {{ group: Group, places: Place[] }} */ block) => block.places.some(options.shows) || (block.group[3] === 1 && !block.places.length);
  const numbersOf = (/** @type {typeof blocks} */ run) => run.flatMap((block) => block.places.map(({ number }) => number)).join(" ");
  const folded = (/** @type {typeof blocks} */ run) => run.map((each) => {
    const areRight = !each.group[3] && each.places.every(isRightPlace);
    return fold({ class: "docie-block", "data-docie-pairs": numbersOf([each]) }, [areRight && h("b", { "aria-hidden": "true" }, "✓"), titleOf(each.group)], () => tableOf(each.group, each.places, { ...options, shows: () => true }, false));
  });
  /** @param {typeof blocks} all @returns {HTMLElement[]} */
  const draw = (all) => runs(all, isShown).flatMap(/** @returns {HTMLElement[]} */ ([isOpen, run]) => {
    if (isOpen) return run.map((each) => h("div", { class: "docie-block" }, tableOf(each.group, each.places, options, true)));
    if (run.length < 3) return folded(run);
    const [first, last] = [run[0].group[0], run[run.length - 1].group[0]], areRight = run.every((each) => !each.group[3] && each.places.every(isRightPlace));
    const words = `${grouped(run.length)} ${areRight ? "groups, all correct" : "other groups"}`;
    return [fold({ class: "docie-block docie-run", "data-docie-pairs": numbersOf(run) }, [areRight && h("b", { "aria-hidden": "true" }, "✓"), h("span", { class: "docie-name" }, named(first), " – ", named(last)), " ", h("span", { class: "docie-numbers" }, words)], () => folded(run))];
  });
  const end = blocks.findIndex((block) => isShown(block) && (seen += 1) > MOST_GROUPS), [head, rest] = end < 0 ? [blocks, []] : [blocks.slice(0, end), blocks.slice(end)];
  return h("div", { class: "docie-theme docie-aligned docie-view" }, draw(head),
    rest.length > 0 && fold({ class: "docie-block docie-run" }, `${grouped(rest.length)} further groups`, () => draw(rest)));
}
