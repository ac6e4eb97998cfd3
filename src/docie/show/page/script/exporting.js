// @ts-check
import { h } from "./dom.js";
import { fieldOf, placesOf, valueIn } from "./data.js";

/**
 * What is filtered as a file.
 *
 * @import { Head } from "./data.js"
 * @import { Found } from "./filters.js"
 */

const OWN = ["document", "group", "field", "kind", "reference", "prediction", "confidence"];

/**
 * The names of the columns: of several systems each has its own.
 * @param {Head} head
 */
export function columnsOf({ columns, systems }) {
  const meta = columns.map((column) => (OWN.includes(column) ? `meta.${column}` : column)), answers = ["kind", "prediction", "confidence"];
  const many = systems.flatMap((system) => answers.map((name) => `${system} ${name}`));
  return ["document", ...meta, "group", "field", "reference", ...(systems.length > 1 ? many : answers)];
}

/**
 * A row for each value that is found, in the order of the columns. A kind is "correct" or that of an error.
 * @param {Found[]} found
 * @param {Head} head
 * @returns {Generator<(string | number | null)[]>}
 */
export function* rowsFor(found, { systems }) {
  for (const { document, wanted } of found) {
    const places = placesOf(document.groups);
    for (const { group, pair } of wanted ? wanted.map((number) => places[number]) : places) {
      const answers = systems.flatMap((_, system) => {
        const value = valueIn(pair, system);
        return [value && (value.kind || "correct"), value && value.predicted, value?.more.c ?? null];
      });
      yield [document.name, ...document.meta, group[0], fieldOf(group, pair), pair[1], ...answers];
    }
  }
}

/** @param {string | number | null} cell */
function csvCell(cell) {
  const text = String(cell ?? ""), isFormula = /^(\s*[=+\-@＝＋－＠]|[\t\r\n])/.test(text) && !/^[+-]?[\d.,]+%?$/.test(text);
  const safe = isFormula ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** @param {Found[]} found @param {Head} head @returns {string[]} parts of a file: RFC 4180, without formulas */
export function csvOf(found, head) {
  const lines = [columnsOf(head).map(csvCell).join(",") + "\r\n"];
  for (const row of rowsFor(found, head)) lines.push(row.map(csvCell).join(",") + "\r\n");
  return lines;
}

/** @param {Found[]} found @param {Head} head @returns {string[]} parts of a file: an object a line */
export function jsonLinesOf(found, head) {
  const names = columnsOf(head).map((name) => JSON.stringify(name)), lines = [];
  for (const row of rowsFor(found, head)) lines.push(`{${row.map((cell, place) => `${names[place]}: ${JSON.stringify(cell)}`).join(", ")}}\n`);
  return lines;
}

/** @param {string} name @param {string[]} parts @param {string} type */
export function download(name, parts, type) {
  const address = URL.createObjectURL(new Blob(parts, { type }));
  h("a", { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}
