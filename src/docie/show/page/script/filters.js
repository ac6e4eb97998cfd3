// @ts-check
import { isRight } from "./data.js";

/**
 * What is asked for: by the names and in the words of the address. Nothing here touches the page.
 *
 * @import { Answer, Doc, Head, Pair } from "./data.js"
 * @typedef {Map<string, string>} Filters
 * @typedef {{ document: Doc, wanted: number[] | null }} Found a document, and the numbers of its values that are asked
 *     for; null for all, where nothing is asked of values
 */

const OF_VALUES = ["field", "kind", "pattern", "below", "above"];
const KNOWN = ["text", ...OF_VALUES, "system", "failed", "document", "value", "view"];

/** How the address names a meta column. @param {string} column */
export const keyOf = (column) => (KNOWN.includes(column) ? `meta.${column}` : column);

/**
 * The filters that an address has behind "#", without what is no filter.
 * @param {string} hash
 * @param {Head} head
 * @returns {Filters}
 */
export function filtersIn(hash, head) {
  const known = new Set([...KNOWN, ...head.columns.map(keyOf)]), given = new URLSearchParams(hash.replace(/^#/, ""));
  return new Map([...given].filter(([key, value]) => known.has(key) && value !== ""));
}

/** The address of filters, behind "#". @param {Iterable<[string, string]>} filters */
export const hashOf = (filters) => new URLSearchParams([...filters].filter(([, value]) => value !== "")).toString();

/** Whether anything is asked of values, and not of documents alone. @param {Filters} filters */
export const asksOfValues = (filters) => OF_VALUES.some((key) => filters.has(key));

/** Whether rows of values are shown, and not documents. @param {Filters} filters */
export const showsValues = (filters) => (filters.get("view") ?? (asksOfValues(filters) && !filters.has("document") ? "values" : "documents")) === "values";

/** Whether anything is asked at all: a view shows the same in another way. @param {Filters} filters */
export const isFiltered = (filters) => [...filters.keys()].some((key) => !["view", "system", "value"].includes(key));

/**
 * What finds a document: null where it is not asked for. All filters must hold.
 * @param {Filters} filters
 * @param {Head} head
 * @returns {(document: Doc) => Found | null}
 */
export function finder(filters, head) {
  const pattern = filters.has("pattern") ? new Set(head.patterns[Number(filters.get("pattern"))]?.keys) : null;
  const name = filters.get("document"), text = (filters.get("text") ?? "").toLowerCase(), failed = filters.get("failed");
  const meta = head.columns.flatMap((column, place) => (filters.has(keyOf(column)) ? [{ place, value: filters.get(keyOf(column)) }] : []));
  const systems = systemsOf(filters, head), isAsked = pairTest(filters, head), inField = fieldTest(filters.get("field")), asks = asksOfValues(filters);
  return (document) => {
    if (name !== undefined && document.name !== name) return null;
    if (meta.some(({ place, value }) => document.meta[place] !== value)) return null;
    if (failed && !systems.some((system) => hasFailed(document, failed, system, head.systems[system]))) return null;
    if (text && !document.text.includes(text)) return null;
    const sought = document.heading.includes(text) ? "" : text;
    if (!asks && !sought) return { document, wanted: null };
    const wanted = valuesIn(document, inField, (pair, number) => isAsked(pair) && (!pattern || pattern.has(document.keys.get(number) ?? -1)) && (!sought || says(pair, sought)));
    return wanted.length ? { document, wanted } : null;
  };
}

/**
 * @param {Doc} document
 * @param {(type: string) => string | null | undefined} inField
 * @param {(pair: Pair, number: number) => boolean} isAsked
 */
function valuesIn(document, inField, isAsked) {
  const found = [];
  let number = 0;
  for (const group of document.groups) {
    const field = inField(group[1]);
    for (const pair of group[4]) {
      if ((field === undefined || pair[0] === field) && isAsked(pair, number)) found.push(number);
      number += 1;
    }
  }
  return found;
}

/**
 * From the type of a group to the name that the field has in it: undefined for any, null where it cannot be.
 * @param {string | undefined} field
 * @returns {(type: string) => string | null | undefined}
 */
function fieldTest(field) {
  return (type) => {
    if (field === undefined || !type) return field;
    return field.startsWith(`${type}.`) ? field.slice(type.length + 1) : null;
  };
}

/** The numbers of the systems that are asked about. @param {Filters} filters @param {Head} head */
function systemsOf(filters, head) {
  const named = head.systems.indexOf(filters.get("system") ?? "");
  return named < 0 ? [...head.systems.keys()] : [named];
}

/**
 * @param {Filters} filters
 * @param {Head} head
 * @returns {(pair: Pair) => boolean}
 */
function pairTest(filters, head) {
  const kind = filters.get("kind") ?? "", systems = systemsOf(filters, head);
  const below = Number(filters.get("below") ?? Infinity), above = Number(filters.get("above") ?? -Infinity);
  const ofConfidence = filters.has("below") || filters.has("above");
  const isKind = (/** @type {string} */ is) =>
    !kind || is === kind || (kind === "correct" ? is === "" : kind === "error" && is !== "");
  const hasConfidence = (/** @type {number | undefined} */ is) => !ofConfidence || (is !== undefined && is < below && is >= above);
  const holds = (/** @type {string | null} */ expected, /** @type {Answer | undefined} */ answer) => {
    if (kind === "equal") return answer !== undefined && answer !== 0 && answer[1] === "" && answer[0] !== expected && hasConfidence(answer[2]?.c);
    if (!answer) return expected !== null && isKind("") && !ofConfidence;
    return isKind(answer[1]) && hasConfidence(answer[2]?.c);
  };
  if (systems.length === 1 && kind !== "worse" && kind !== "better") return (pair) => holds(pair[1], answerIn(pair, systems[0]));
  if (kind !== "worse" && kind !== "better") return (pair) => systems.some((system) => holds(pair[1], answerIn(pair, system)));
  const others = systems.filter((system) => system > 0), isWorse = kind === "worse";
  return (pair) => others.some((system) => {
    const [right, wrong] = isWorse ? [0, system] : [system, 0], answer = answerIn(pair, system);
    return isRight(answerIn(pair, right)) && !isRight(answerIn(pair, wrong)) && hasConfidence(answer ? answer[2]?.c : undefined);
  });
}

/** @param {Pair} pair @param {number} system @returns {Answer | undefined} */
const answerIn = (pair, system) => /** @type {Answer | undefined} */ (pair[2 + system]);

/** Whether a pair has a text on any side. @param {Pair} pair @param {string} text */
function says(pair, text) {
  for (let place = 1; place < pair.length; place += 1) {  // without new lists: it runs for each value of all documents
    const answer = answerIn(pair, place - 2), said = place === 1 ? pair[1] : answer && answer[0];
    if (said && said.toLowerCase().includes(text)) return true;
  }
  return false;
}

/**
 * Whether the answer of a system is unreadable, or empty where values are expected.
 * @param {Doc} document
 * @param {string} failed
 * @param {number} system
 * @param {string} name
 */
function hasFailed({ groups, more }, failed, system, name) {
  const isUnreadable = Boolean(more.problem || (more.problems && Object.hasOwn(more.problems, name)));
  if (failed === "unreadable" || isUnreadable) return isUnreadable && failed === "unreadable";
  const pairs = groups.flatMap((group) => group[4]);
  return pairs.some((pair) => pair[1] !== null) && pairs.every((pair) => {
    const answer = answerIn(pair, system);
    return answer ? answer[0] === null : pair[1] === null;
  });
}
