// @ts-check
import { h, runs } from "./dom.js";

/**
 * Texts of users: signs for what cannot be seen, and the characters in which two values differ.
 *
 * @typedef {"equal" | "delete" | "insert" | "omitted"} Operation
 * @typedef {[Operation, string]} Part of two values: equal in both, to delete from the prediction or to insert from the
 *     reference; the text of what is omitted is "…".
 */

/** Characters of what two values do not begin or end with alike; what is behind them counts as all different. */
const COMPARED = 1000;
/** UTF-16 units that are cut into characters; twenty times as many as are compared. */
const CUT = 20 * COMPARED;
/** Equal characters to show at each side of a difference. */
const CONTEXT = 40;
/** Parts to show: more of them cannot be read. */
const MOST_PARTS = 40;
/** Characters to show of a part that differs, or of a value alone. */
const LONGEST = 400;

const INVISIBLE = "\\u0000-\\u001f\\u007f-\\u009f\\u00ad\\u061c\\u180e\\u200b\\u200e\\u200f\\u2028-\\u202e\\u2060-\\u206f\\ufeff\\ufff9-\\ufffb\\ufffe\\uffff\\ud800-\\udfff";
const OTHER_SPACES = "\\u00a0\\u1680\\u2000-\\u200a\\u202f\\u205f\\u3000";
/** @type {Record<string, string>} */
const SIGNS = { "\n": "↵", "\t": "⇥" };
/** @type {Record<string, string>} */
const NAMES = {
  "\n": "line feed", "\r": "carriage return", "\t": "tab", "\u00a0": "no-break space", "\u00ad": "soft hyphen", "\u200b": "zero width space",
  "\u200e": "left-to-right mark", "\u200f": "right-to-left mark", "\u202d": "left-to-right override", "\u202e": "right-to-left override",
  "\u202f": "narrow no-break space", "\ufeff": "byte order mark",
};

/** @param {number} number */
export const grouped = (number) => number.toLocaleString("en");

/**
 * A number with its noun.
 * @param {number} number
 * @param {string} noun
 */
export function counted(number, noun) {
  const many = noun.endsWith("y") ? `${noun.slice(0, -1)}ies` : noun.endsWith("x") ? `${noun}es` : `${noun}s`;
  return `${grouped(number)} ${number === 1 ? noun : many}`;
}

/**
 * Nodes of a text, or of a part of one, with signs for control characters, those that turn the direction of writing,
 * lone surrogates, and spaces at the ends of the whole text. In what two texts differ in, spaces at its own ends have
 * signs too, and spaces that only look like one.
 * @param {string} text
 * @param {{ isFirst?: boolean, isLast?: boolean, isChanged?: boolean }} [place]
 * @returns {(string | HTMLElement)[]}
 */
export function pieces(text, { isFirst = true, isLast = true, isChanged = false } = {}) {
  const pattern = `${isFirst || isChanged ? "^ +|" : ""}${isLast || isChanged ? " +$|" : ""}[${INVISIBLE}${isChanged ? OTHER_SPACES : ""}]`;
  const found = [];
  let end = 0;
  for (const { 0: sign, index } of text.matchAll(new RegExp(pattern, "gu"))) {
    found.push(text.slice(end, index), signOf(sign), sign === "\n" ? "\n" : "");  // the line still ends here
    end = index + sign.length;
  }
  return [...found, text.slice(end)].filter((piece) => piece !== "");
}

/** @param {string} character or spaces */
function signOf(character) {
  const code = `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`;
  const isSpace = character[0] === " ";
  const title = isSpace ? "space" : `${code} ${NAMES[character] ?? ""}`.trim();
  return h("span", { class: "docie-sign", title }, isSpace ? "␣".repeat(character.length) : (SIGNS[character] ?? code));
}

/**
 * The characters of a text as a reader sees them: marks stay with their letters, emoji sequences stay whole.
 * @param {string} text
 * @returns {string[]}
 */
export function graphemes(text) {
  if (/^\p{ASCII}*$/u.test(text) && !text.includes("\r")) return text.split("");
  return Array.from(new Intl.Segmenter("en").segment(text), (each) => each.segment);
}

/** The code points of a text. @param {string} text */
const size = (text) => text.length - (text.match(/[\ud800-\udbff][\udc00-\udfff]/g)?.length ?? 0);

/**
 * The fewest characters to delete and to insert that turn the prediction into the reference. A replaced character is one
 * deleted and one inserted.
 * @param {string} prediction
 * @param {string} reference
 */
export const differences = (prediction, reference) => edited(prediction, reference, graphemes, 1);

/**
 * @param {string} prediction
 * @param {string} reference
 * @param {(text: string) => string[]} split
 * @param {number} replacing what replacing a character costs
 * @returns {Part[]}
 */
function edited(prediction, reference, split, replacing) {
  const [before, behind] = sharedEnds(prediction, reference);
  const [predicted, expected] = [prediction, reference].map((text) => text.slice(before, text.length - behind));
  const [deleted, inserted] = [predicted, expected].map((text) => split(text.slice(0, CUT)));
  const [first, last] = alikeEnds(deleted, inserted, predicted.length <= CUT && expected.length <= CUT);
  const middles = [deleted.slice(first, deleted.length - last), inserted.slice(first, inserted.length - last)];
  const rest = middles.map((middle, side) => middle.slice(COMPARED).join("") + [predicted, expected][side].slice(CUT));
  return joined([
    ["equal", prediction.slice(0, before) + deleted.slice(0, first).join("")],
    ...edits(middles[0].slice(0, COMPARED), middles[1].slice(0, COMPARED), replacing),
    ["delete", rest[0]],
    ["insert", rest[1]],
    ["equal", deleted.slice(deleted.length - last).join("") + prediction.slice(prediction.length - behind)],
  ]);
}

/**
 * How much of both ends of two texts is alike, in UTF-16 units, up to where characters certainly begin and end: this
 * spares cutting long texts into characters.
 * @param {string} one
 * @param {string} other
 * @returns {[number, number]}
 */
function sharedEnds(one, other) {
  const isEdge = (/** @type {string} */ text, /** @type {number} */ at) => at === 0 || at === text.length || /^[ -~]{2}$/.test(text.slice(at - 1, at + 1));
  let [before, behind] = alikeEnds(one, other);
  while (!isEdge(one, before) || !isEdge(other, before)) before -= 1;
  behind = Math.min(behind, one.length - before, other.length - before);
  while (!isEdge(one, one.length - behind) || !isEdge(other, other.length - behind)) behind -= 1;
  return [before, behind];
}

/**
 * How many items two sequences begin with alike, and how many of the others they end with alike.
 * @param {ArrayLike<string>} one
 * @param {ArrayLike<string>} other
 * @param {boolean} [ends] whether their ends are compared at all
 * @returns {[number, number]}
 */
function alikeEnds(one, other, ends = true) {
  const most = Math.min(one.length, other.length);
  let before = 0, behind = 0;
  while (before < most && one[before] === other[before]) before += 1;
  while (ends && behind < most - before && one[one.length - 1 - behind] === other[other.length - 1 - behind]) behind += 1;
  return [before, behind];
}

/**
 * The cheapest way from one sequence to another: of several, the one that deletes last.
 * @param {string[]} source
 * @param {string[]} target
 * @param {number} replacing
 * @returns {Part[]}
 */
function edits(source, target, replacing) {
  const [before, behind] = alikeEnds(source, target), from = source.length - behind, to = target.length - behind;
  const costs = costsOf(source.slice(before, from), target.slice(before, to), replacing), width = from - before + 1;
  /** @type {Part[]} */
  const parts = [["equal", source.slice(from).join("")]];
  let column = from - before, row = to - before;
  while (column || row) {
    const at = row * width + column;
    if (!row || (column && costs[at] === costs[at - 1] + 1)) parts.push(["delete", source[before + --column]]);
    else if (!column || costs[at - width] === costs[at - width - 1] - 1) parts.push(["insert", target[before + --row]]);
    else {
      const [deleted, inserted] = [source[before + --column], target[before + --row]];
      if (deleted === inserted) parts.push(["equal", deleted]);
      else parts.push(["insert", inserted], ["delete", deleted]);
    }
  }
  return [...parts, /** @type {Part} */ (["equal", source.slice(0, before).join("")])].reverse();
}

/**
 * What it costs to turn each beginning of one sequence into each of another, row by row.
 * @param {string[]} source
 * @param {string[]} target
 * @param {number} replacing
 */
function costsOf(source, target, replacing) {
  const width = source.length + 1, costs = new Uint16Array(width * (target.length + 1));
  for (let column = 1; column < width; column += 1) costs[column] = column;
  for (let row = 1; row <= target.length; row += 1) {
    costs[row * width] = row;
    for (let column = 1; column < width; column += 1) {
      const at = row * width + column;
      const replaced = costs[at - width - 1] + (source[column - 1] === target[row - 1] ? 0 : replacing);
      costs[at] = Math.min(replaced, costs[at - 1] + 1, costs[at - width] + 1);
    }
  }
  return costs;
}

/**
 * How many characters two texts differ in: those of their beginnings that are compared.
 * @param {string} prediction
 * @param {string} reference
 * @returns {[number, number]} and how many are compared
 */
export function distance(prediction, reference) {
  const [source, target] = [prediction, reference].map((text) => [...text.slice(0, 2 * COMPARED)].slice(0, COMPARED));
  return [costsOf(source, target, 1).at(-1) ?? 0, Math.max(source.length, target.length)];
}

/**
 * The parts without empty ones; of those between two equal parts, all that is deleted comes first.
 * @param {Part[]} parts
 * @returns {Part[]}
 */
function joined(parts) {
  const texts = (/** @type {Part[]} */ run, /** @type {Operation} */ operation) => run.filter(([is]) => is === operation).map(([, text]) => text).join("");
  return runs(parts.filter(([, text]) => text), ([operation]) => operation === "equal")
    .flatMap(([isEqual, run]) => /** @type {Operation[]} */ (isEqual ? ["equal"] : ["delete", "insert"]).map((operation) => /** @type {Part} */ ([operation, texts(run, operation)])))
    .filter(([, text]) => text);
}

/**
 * The parts, or fewer and larger ones: what differs in nearly everything is marked as a whole.
 * @param {Part[]} parts
 * @returns {Part[]}
 */
export function readable(parts) {
  const [alike, deleted, inserted] = ["equal", "delete", "insert"].map((name) => parts.reduce((sum, [operation, text]) => sum + (operation === name ? size(text) : 0), 0));
  if (alike < Math.max(deleted, inserted)) return asAWhole(parts);
  if (parts.length <= MOST_PARTS) return parts;
  const start = Number(parts[0][0] === "equal"), end = parts.length - Number(parts[parts.length - 1][0] === "equal");
  return [...parts.slice(0, start), ...asAWhole(parts.slice(start, end)), ...parts.slice(end)];
}

/** @param {Part[]} parts @returns {Part[]} */
function asAWhole(parts) {
  const changes = /** @type {Operation[]} */ (["delete", "insert"]);
  return changes
    .map((name) => /** @type {Part} */ ([name, parts.map(([operation, text]) => (operation === name || operation === "equal" ? text : "")).join("")]))
    .filter(([, text]) => text);
}

/**
 * The parts, with "…" for the middle of long ones: of equal ones what is far from all differences.
 * @param {Part[]} parts
 * @returns {Part[]}
 */
export const shortened = (parts) => parts.flatMap((part) => shortenedPart(part, parts.length === 1));

/** @param {Part} part @param {boolean} isAlone @returns {Part[]} */
function shortenedPart([operation, text], isAlone) {
  const length = operation === "equal" && !isAlone ? CONTEXT : LONGEST / 2;
  if (text.length <= 3 * length || (text.length <= 6 * length && size(text) <= 3 * length)) return [[operation, text]];
  const head = [...text.slice(0, 16 * length)].slice(0, 8 * length).join(""), tail = [...text.slice(-16 * length)].slice(-8 * length).join("");
  return [[operation, graphemes(head).slice(0, length).join("")], ["omitted", "…"], [operation, graphemes(tail).slice(-length).join("")]];
}

/**
 * The parts of the reference and of the prediction: what differs is marked unless it is correct.
 * @param {string | null} prediction
 * @param {string | null} reference
 * @param {{ isCorrect: boolean, marksScattered?: boolean }} options with `marksScattered`, all that both share counts
 *     as equal, however scattered it is
 * @returns {[Part[], Part[]]}
 */
export function sidesOf(prediction, reference, { isCorrect, marksScattered = false }) {
  if (isCorrect || prediction === null || reference === null) return [alone(reference), alone(prediction)];
  const parts = marksScattered ? edited(prediction, reference, Array.from, 2) : readable(differences(prediction, reference));
  const without = (/** @type {Operation} */ other) => parts.flatMap((part) => (part[0] === other ? [] : shortenedPart(part, parts.length === 1)));
  return [without("delete"), without("insert")];
}

/** A text without differences. @param {string | null} text @returns {Part[]} */
export const alone = (text) => (text === null ? [] : shortened([["equal", text]]));

/**
 * A value; what is said where there is none.
 * @param {Part[]} parts
 * @param {string} absent
 */
export function valueOf(parts, absent = "") {
  if (!parts.length) return h("em", null, absent);
  const shown = parts.map(([operation, text], place) => {
    if (operation === "omitted") return h("span", { class: "docie-sign", title: "not shown in full" }, text);
    if (operation === "equal") return pieces(text, { isFirst: place === 0, isLast: place === parts.length - 1 });
    return h(operation === "delete" ? "del" : "ins", null, pieces(text, { isChanged: true }));
  });
  return h("bdi", null, shown);
}

/** A name, or any text without differences. @param {string} text */
export const named = (text) => valueOf(text ? alone(text) : [["equal", ""]]);
