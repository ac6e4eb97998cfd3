// @ts-check
import { foldedRows, h, runs } from "./dom.js";
import { alone, grouped, named, valueOf } from "./text.js";
import { placesOf, tally, valueIn } from "./data.js";
import { flag, lookOf, partsOf } from "./values.js";

/**
 * The answers of several systems to a document, a column for each, in the order of the reference.
 *
 * @import { Group, Pair, Place } from "./data.js"
 * @import { Options } from "./values.js"
 */

/** Rows that are drawn before more of them are asked for. */
const MOST_LINES = 200;

/** How many values of a system are to be corrected. @param {Group[]} groups @param {number} system */
export function toCorrect(groups, system) {
  const { incorrect, missing, spurious } = tally(groups.flatMap((group) => group[4]), system);
  return incorrect + missing + spurious;
}

/** The answer of a system: a mark alone where it is what the reference says. @param {Pair} pair @param {number} system */
export function answerCell(pair, system) {
  const value = valueIn(pair, system);
  if (!value) return h("td", { class: "as-is" }, "✓ ", h("em", null, "no value"));
  if (value.verdict === "correct" && value.kind === "" && value.predicted === value.expected) return h("td", { class: "as-is" }, "✓");
  const look = lookOf(value.verdict, value.kind), predicted = partsOf(value)[1];
  return h("td", { class: look.tone }, h("b", { "aria-hidden": "true" }, look.mark), " ", h("i", null, look.label),
    predicted.length > 0 && [" ", valueOf(predicted)], value.more.n && [" ", h("small", null, named(value.more.n))]);
}

/** @param {Place} place @param {string[]} systems @param {Options} options */
function lineOf({ pair, number }, systems, { isSought }) {
  const isFlagged = systems.some((_, system) => valueIn(pair, system)?.more.f);
  return h("tr", { class: isSought(number) ? "docie-sought" : null, "data-docie-pair": number },
    h("th", { scope: "row" }, named(pair[0])),
    h("td", null, isFlagged && [flag(), " "], valueOf(alone(pair[1]), "not in the reference")),
    systems.map((_, system) => answerCell(pair, system)));
}

/**
 * Rows of all systems, with what is not shown folded, and the names of their groups above them.
 * @param {Place[]} places
 * @param {string[]} systems
 * @param {Options} options
 * @returns {HTMLElement[]}
 */
function linesOf(places, systems, options) {
  const columns = 2 + systems.length, rows = [];
  /** @type {Group | undefined} */
  let group;
  for (const [isShown, run] of runs(places.slice(0, MOST_LINES), options.shows)) {
    if (!isShown) {
      const areRight = run.every(({ pair }) => isRightInAll(pair, systems));
      const words = `${areRight ? "✓ " : ""}${grouped(run.length)} ${areRight ? "correct in all systems" : "other values"}`;
      rows.push(foldedRows(columns, words, () => run.map((place) => lineOf(place, systems, options))));
      continue;
    }
    for (const place of run) {
      if (place.group !== group) {
        group = place.group;
        const note = group[2] && [" ", h("span", { class: "docie-note" }, named(group[2]))];
        rows.push(h("tr", { class: "group" }, h("th", { colspan: columns, scope: "rowgroup" }, named(group[0] || "Values outside of groups"), note)));
      }
      rows.push(lineOf(place, systems, options));
    }
  }
  const rest = places.slice(MOST_LINES);
  return rest.length ? [...rows, foldedRows(columns, `${grouped(rest.length)} more values`, () => linesOf(rest, systems, options))] : rows;
}

/** @param {Pair} pair @param {string[]} systems */
export const isRightInAll = (pair, systems) => systems.every((_, system) => (valueIn(pair, system)?.verdict ?? "correct") === "correct");

/**
 * @param {Group[]} groups
 * @param {string[]} systems
 * @param {Options} options
 * @param {string} label what the table is about
 */
export function answersView(groups, systems, options, label) {
  const columns = systems.map((name, system) => h("th", { scope: "col" }, named(name), " ", h("small", null, `${grouped(toCorrect(groups, system))} to correct`)));
  const table = h("table", { style: `--columns:${2 + systems.length}` },
    h("thead", null, h("tr", null, h("th", { scope: "col" }, "Field"), h("th", { scope: "col" }, "Reference"), columns)),
    h("tbody", null, linesOf(placesOf(groups), systems, options)));
  return h("div", { class: "scroll docie-answers docie-view", role: "region", "aria-label": label, tabindex: 0 }, table);
}
