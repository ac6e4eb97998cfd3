// @ts-check
import { fold, h, leadTo, revealed, unfold } from "./dom.js";
import { counted, grouped, named, valueOf, alone } from "./text.js";
import { fieldOf, placesOf, tally, valueIn } from "./data.js";
import { hashOf } from "./filters.js";
import { absenceOf, flag, lookOf, partsOf, sideBySide } from "./values.js";
import { answerCell, answersView, isRightInAll, toCorrect } from "./answers.js";
import { isWrong, problemOf } from "./explanation.js";
import { pagesView } from "./boxes.js";

/**
 * The documents that are found, and the values: as many as are looked at.
 *
 * @import { Doc, Head, Place } from "./data.js"
 * @import { Found } from "./filters.js"
 */

/** Documents or values that are drawn together. */
const STEP = 100;

/** What is to correct in a document, in words. @param {Doc} document @param {Head} head */
export function costOf({ groups }, { systems }) {
  if (systems.length > 1) return `to correct: ${systems.map((name, system) => `${name} ${grouped(toCorrect(groups, system))}`).join(", ")}`;
  const { correct, none, ...wrong } = tally(groups.flatMap((group) => group[4]));
  const said = Object.entries(wrong).filter(([, number]) => number).map(([verdict, number]) => `${grouped(number)} ${verdict}`);
  const number = wrong.incorrect + wrong.missing + wrong.spurious;
  return number ? `${grouped(number)} to correct: ${said.join(", ")}` : `all ${grouped(correct + none)} correct`;
}

/**
 * A document side by side, with its pages, problems and values.
 * @param {Found} found
 * @param {Head} head
 * @param {number} [target] a value that is shown, whatever it is
 * @param {number[] | null} [marked] the values that are marked: those that are wanted
 */
export function documentView({ document: { name, groups, more }, wanted }, head, target = -1, marked = wanted) {
  const sought = new Set(wanted), isMarked = new Set(marked), isSought = (/** @type {number} */ number) => isMarked.has(number) || number === target, isMany = head.systems.length > 1;
  const isNotRight = (/** @type {Place} */ place) => (isMany ? !isRightInAll(place.pair, head.systems) : isWrong(place));
  const shows = (/** @type {Place} */ place) => (wanted ? sought.has(place.number) : isNotRight(place)) || place.number === target;
  const options = { shows, isSought };
  const view = isMany ? answersView(groups, head.systems, options, `Answers to ${name}`) : sideBySide(groups, options);
  const problems = [more.problem, ...Object.entries(more.problems ?? {}).map(([system, problem]) => `${system}: ${problem}`)].filter((each) => each !== undefined);
  return [
    problems.length > 0 && h("div", { class: "docie-theme docie-aligned" }, problems.map(problemOf)),
    more.images?.length ? h("div", { class: "docie-scanned" }, h("div", null, pagesView(more.images, groups, head.systems.length)), view) : view,
  ];
}

/** @param {Found} found @param {Head} head @param {number} [target] */
function itemOf(found, head, target) {
  const { document, wanted } = found, meta = document.meta.filter(Boolean);
  const summary = [
    h("span", { class: "name" }, named(document.name)), " ",
    meta.length > 0 && [h("span", { class: "meta" }, named(meta.join(" · "))), " "],
    h("span", { class: "cost" }, wanted ? [h("b", null, counted(wanted.length, "value")), " · "] : null, named(costOf(document, head))),
    document.more.problem !== undefined && [" ", h("span", { class: "cost" }, "· unreadable")],
  ];
  return h("li", null, fold(null, summary, () => documentView(found, head, target)));
}

/** @param {Place} place @param {Doc} document @param {Head} head @param {boolean} hasConfidence */
function valueRow({ group, pair, number }, document, head, hasConfidence) {
  const values = head.systems.map((_, system) => valueIn(pair, system)), isMany = values.length > 1, [value] = values;
  const look = value && lookOf(value.verdict, value.kind), expected = isMany || !value ? alone(pair[1]) : partsOf(value)[0], link = hashOf([["document", document.name], ["value", String(number)]]);
  const confidence = values.flatMap((each, system) => (each?.more.c === undefined ? [] : [`${isMany ? `${head.systems[system]} ` : ""}${Number(each.more.c.toPrecision(3))}`])).join(", ");
  return h("tr", null,
    h("th", { scope: "row" }, h("a", { href: `#${link}` }, named(document.name))),
    h("td", null, group[0] && [h("span", { class: "docie-place-name" }, named(group[0])), " "], named(pair[0] || fieldOf(group, pair)), values.some((each) => each?.more.f) && [" ", flag()]),
    !isMany && h("td", { class: look?.tone ?? null }, look && [h("b", { "aria-hidden": "true" }, look.mark), " ", h("i", null, look.label)]),
    h("td", null, valueOf(expected, "not in the reference")),
    isMany ? values.map((_, system) => answerCell(pair, system)) : h("td", null, value && valueOf(partsOf(value)[1], absenceOf(value))),
    hasConfidence && h("td", { class: "number" }, confidence));
}

/** The list of what is found; it grows while blocks are read, and as it is looked at. */
export class List {
  /** @param {Head} head */
  constructor(head) {
    this.head = head;
    /** @type {Found[]} */
    this.found = [];
    this.isOfValues = this.hasConfidence = false;
    this.target = this.drawn = this.inDocument = 0;
    this.rows = /** @type {HTMLElement} */ (h("ul"));
    this.content = h("div");
    this.more = h("button", { type: "button", class: "docie-more", onclick: () => this.draw() }, `Show ${STEP} more`);
    this.element = h("div", { class: "docie-list" }, this.content, this.more);
    this.watch = new IntersectionObserver((changes) => changes.at(-1)?.isIntersecting && this.draw(), { rootMargin: "600px" });
  }

  /**
   * Shows something else, from its beginning.
   * @param {{ isOfValues: boolean, target: number, hasConfidence: boolean }} settings
   */
  reset({ isOfValues, target, hasConfidence }) {
    Object.assign(this, { isOfValues, target, hasConfidence, found: [], drawn: 0, inDocument: 0 });
    this.rows = isOfValues ? h("tbody") : h("ul", { class: "documents" });
    this.content.replaceChildren(isOfValues ? this.table() : this.rows);
  }

  table() {
    const { systems } = this.head, names = ["Document", "Place", ...(systems.length > 1 ? ["Reference", ...systems] : ["Kind", "Reference", "Prediction"])];
    const heads = names.map((name) => h("th", { scope: "col" }, named(name))), last = this.hasConfidence && h("th", { scope: "col", class: "number" }, "Confidence");
    return h("div", { class: "scroll docie-values", role: "region", "aria-label": "Values", tabindex: 0 },
      h("table", { style: `--columns:${names.length}` }, h("thead", null, h("tr", null, heads, last)), this.rows));
  }

  /** @param {Found[]} found */
  add(found) {
    for (const each of found) this.found.push(each);
    if (this.rows.childElementCount < STEP) this.draw();
    else this.more.hidden = this.drawn >= this.found.length;
  }

  /** Draws the next ones. */
  draw() {
    const rows = this.isOfValues ? this.nextValues() : this.found.slice(this.drawn, (this.drawn += STEP)).map((each) => itemOf(each, this.head, this.target));
    this.drawn = Math.min(this.drawn, this.found.length);
    this.rows.append(...rows);
    this.more.hidden = this.drawn >= this.found.length;
    this.watch.disconnect();
    this.watch.observe(this.more);  // which says at once whether it is still in sight
  }

  nextValues() {
    const rows = [];
    for (; this.drawn < this.found.length; this.drawn += 1, this.inDocument = 0) {
      const { document, wanted } = this.found[this.drawn], places = placesOf(document.groups), left = (wanted ?? places.map(({ number }) => number)).slice(this.inDocument);
      for (const number of left) {
        if (rows.length === STEP) return rows;
        rows.push(valueRow(places[number], document, this.head, this.hasConfidence));
        this.inDocument += 1;
      }
    }
    return rows;
  }

  /** The folds of documents that are drawn. @returns {HTMLDetailsElement[]} */
  get items() {
    return this.isOfValues ? [] : [...this.rows.querySelectorAll(":scope > li > details")].map((each) => /** @type {HTMLDetailsElement} */ (each));
  }

  /** Opens the next document, or the one before, and closes the one that was open. @param {1 | -1} step */
  move(step) {
    if (this.isOfValues) return this.moveAlong(step);
    const focused = this.items.findIndex((each) => each.contains(document.activeElement)), open = this.items.findLastIndex((each) => each.open);
    const from = open >= 0 ? open : focused, next = from < 0 ? 0 : from + step;
    if (next >= this.items.length) this.draw();
    const item = this.items[next];
    if (!item) return;
    if (this.items[from]) this.items[from].open = false;
    unfold(item);
    item.querySelector("summary")?.focus({ preventScroll: true });
    item.scrollIntoView({ block: "start" });
  }

  /** Goes to the next value, or to the one before. @param {1 | -1} step */
  moveAlong(step) {
    const links = [...this.rows.querySelectorAll("th a")], from = links.findIndex((link) => link === document.activeElement);
    const next = links[from < 0 ? 0 : from + step];
    if (next instanceof HTMLElement) next.focus();
  }

  /** Opens the first document and leads to a value in it; false if it is not there yet. @param {number | null} number */
  reveal(number) {
    const [item] = this.items;
    if (!item) return false;
    unfold(item);
    const row = number === null ? null : revealed(item, `tr[data-docie-pair="${number}"]`), target = row ?? item;
    if (row) row.tabIndex = -1;
    leadTo(target, { block: row ? "center" : "start" });
    (row ?? item.querySelector("summary"))?.focus({ preventScroll: true });
    return true;
  }
}
