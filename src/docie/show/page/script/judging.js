// @ts-check
import { h } from "./dom.js";
import { alone, counted, grouped, named, valueOf } from "./text.js";
import { documentOf, fieldOf, isRight, placesOf, valueIn } from "./data.js";
import { absenceOf, lookOf, partsOf } from "./values.js";
import { download } from "./exporting.js";
import { documentView } from "./lists.js";

/**
 * Judging errors one by one: is the label right, or the value? What is judged is a file, which `docie score` and
 * `docie compare` apply to the references.
 *
 * @import { Doc, Group, Head, Pair, Place, Remarks } from "./data.js"
 * @import { Found } from "./filters.js"
 * @typedef {"label" | "value" | "both"} Verdict
 * @typedef {{ name: string, head: Head, documents: [string, string[], Group[], Remarks?][] }} Judged what a page of somebody else has to
 *     judge, and the name under which the browser keeps what was judged
 * @typedef {{ id: string | number, path: string, verdict: Verdict, old: string | null, new: string | null, by?: string }} Judgement
 * @typedef {{ document: Doc, place: Place, answers: Answered[], key: string }} Case a value that a system has otherwise than its
 *     label, and what tells it from others
 * @typedef {{ text: string | null, systems: string[] }} Answered what systems say of it; null for nothing
 */

const FILE = "changes.jsonl";
/** Kinds of errors whose value stands nowhere else in the document. */
const ALONE = ["value", "spurious"];
/** @type {[Verdict, string, string][]} the key, and what it says */
const CHOICES = [["label", "1", "The label is right"], ["value", "2", "The label is wrong: take this value"], ["both", "3", "Both are right"]];
const JUDGING_KEYS = "1, 2, 3 judge; e edits the value; n and p go on and back; u takes the last one back; Escape closes";

/** Whether the reference lacks a group. @param {Group} group */
const isNew = ([, type, , isAlone, pairs]) => Boolean(type && isAlone && pairs.every(([, expected]) => expected === null));

/** The place of a value in the reference, as `--corrections` names it. @param {Group} group @param {Pair} pair */
export function pathOf(group, [field]) {
  const [name, type] = group;
  if (!type) return field;
  return `${isNew(group) ? name.replace(/\[(\d+)\]$/, "[+$1]") : name}.${field}`;
}

/**
 * The errors of what is found, those first whose labels are likeliest to be wrong: values that stand nowhere else, then
 * those in which most systems agree, then those of the highest confidence.
 * @param {Found[]} found
 * @param {Head} head
 * @returns {Case[]}
 */
export function casesIn(found, head) {
  /** @type {{ isAlone: boolean, agree: number, sure: number, each: Case }[]} */
  const cases = [];
  for (const { document, wanted } of found) {
    const sought = wanted && new Set(wanted), copies = new Map();
    for (const place of placesOf(document.groups)) {
      const answers = answersTo(place.pair, head);
      if (!answers.length) continue;
      const known = JSON.stringify([document.name, pathOf(place.group, place.pair), place.pair[1], answers[0].text]), copy = copies.get(known) ?? 0;
      copies.set(known, copy + 1);
      if (sought && !sought.has(place.number)) continue;
      const said = answers.filter(({ text }) => text !== null).map(({ systems }) => systems.length);
      const values = head.systems.map((_, system) => valueIn(place.pair, system)), isAlone = values.some((value) => ALONE.includes(value?.kind ?? ""));
      cases.push({ isAlone, agree: Math.max(0, ...said), sure: Math.max(...values.map((value) => value?.more.c ?? -1)), each: { document, place, answers, key: copy ? `${known} ${copy}` : known } });
    }
  }
  return cases.sort((one, other) => Number(other.isAlone) - Number(one.isAlone) || other.agree - one.agree || other.sure - one.sure).map(({ each }) => each);
}

/** What systems say that differs from the label, what most say first. @param {Pair} pair @param {Head} head @returns {Answered[]} */
function answersTo(pair, { systems }) {
  /** @type {Map<string | null, string[]>} */
  const found = new Map();
  systems.forEach((name, system) => {
    const answer = /** @type {import("./data.js").Answer | undefined} */ (pair[2 + system]);
    if (!answer || isRight(answer) || answer[1] === "none") return;
    found.set(answer[0], [...(found.get(answer[0]) ?? []), name]);
  });
  return [...found].map(([text, names]) => ({ text, systems: names })).sort((one, other) => other.systems.length - one.systems.length);
}

/** What was judged, by case. It stays until the tab is closed. */
export class Judgements {
  /** @param {string} name under which the browser keeps them */
  constructor(name) {
    this.name = `docie-judged:${name}`;
    /** @type {Map<string, Judgement>} */
    this.all = new Map();
    try {
      this.all = new Map(JSON.parse(sessionStorage.getItem(this.name) ?? "[]"));
    } catch { /* nothing is kept where the browser forbids it */ }
    this.isSaved = true;
  }

  /** @param {Case} each */
  of(each) {
    return this.all.get(each.key);
  }

  /** @param {Case} each @param {Judgement | null} judgement null for none */
  set(each, judgement) {
    this.all.delete(each.key);  // a later one stands at the end
    if (judgement) this.all.set(each.key, judgement);
    this.isSaved = false;
    try {
      sessionStorage.setItem(this.name, JSON.stringify([...this.all]));
    } catch { /* as above */ }
  }

  /** An object a line. */
  get lines() {
    return [...this.all.values()].map((each) => `${JSON.stringify(each)}\n`);
  }
}

/** The dialog. */
export class Judge {
  /**
   * @param {Head} head
   * @param {Judgements} judgements
   * @param {() => void} [closed] is called when the dialog was closed
   */
  constructor(head, judgements, closed = () => {}) {
    this.head = head;
    this.judgements = judgements;
    /** @type {Case[]} */
    this.cases = [];
    this.at = 0;
    /** @type {Case[]} those judged since it opened, the last one at the end */
    this.done = [];
    this.status = h("p", { class: "docie-at", role: "status" });
    this.content = h("div");
    this.value = h("input", { type: "text", name: "value", autocomplete: "off", spellcheck: "false" });
    /** @type {{ text: string | null, shown: string }} */
    this.offered = { text: null, shown: "" };
    this.by = h("input", { type: "text", name: "by", autocomplete: "name", size: 12 });
    const button = (/** @type {string} */ words, /** @type {() => void} */ press, /** @type {string} */ key = "") => h("button", { type: "button", onclick: press }, key && [h("kbd", null, key), " "], words);
    this.verdicts = CHOICES.map(([verdict, key, words]) => button(words, () => this.judge(verdict), key));
    this.element = h("dialog", { class: "docie-judge docie-theme", tabindex: -1, "aria-labelledby": "docie-judge-title", onclose: closed, onkeydown: (/** @type {KeyboardEvent} */ event) => this.press(event) },
      h("header", null, h("h2", { id: "docie-judge-title" }, "System or label: which is wrong?"),
        button("Back", () => this.go(-1), "p"), button("Next", () => this.go(1), "n"), button("Undo", () => this.undo(), "u"), button(`Download ${FILE}`, () => this.save()), button("Close", () => this.element.close())),
      this.status, this.content,
      h("div", { class: "docie-verdicts" }, this.verdicts[0], this.verdicts[1], h("label", null, h("span", { class: "docie-hidden" }, "The value to take"), this.value), this.verdicts[2]),
      h("footer", null,
        h("label", null, "Judged by ", this.by),
        h("p", { class: "docie-note" }, `Keys: ${JUDGING_KEYS}. The file is applied to the references as they are read, by `, h("code", null, `docie score … --corrections ${FILE}`),
          ". To judge the errors of one system alone favours it: judge those of all before you compare.")));
  }

  /** @param {Found[]} found */
  open(found) {
    this.cases = casesIn(found, this.head);
    this.done = [];
    this.at = Math.max(0, this.cases.findIndex((each) => !this.judgements.of(each)));
    this.show();
    this.element.showModal();
    this.element.focus();
  }

  show() {
    const { cases, at, judgements } = this, each = cases[at], judged = cases.filter((one) => judgements.of(one)).length;
    this.status.textContent = each ? `Error ${grouped(at + 1)} of ${grouped(cases.length)} · ${grouped(judged)} judged` : "There is no error among these values.";
    for (const [place, button] of this.verdicts.entries()) {
      button.disabled = !each || (CHOICES[place][0] === "both" && each.place.pair[1] === null);
      button.title = each && button.disabled ? "There is no label" : "";
      button.setAttribute("aria-pressed", String(each ? judgements.of(each)?.verdict === CHOICES[place][0] : false));
    }
    this.value.disabled = !each;
    this.offer(each ? (judgements.of(each)?.new ?? each.answers[0].text) : null);
    this.value.placeholder = "no value";
    this.content.replaceChildren(...(each ? this.draw(each) : []));
    this.element.scrollTop = 0;
    this.element.focus();  // what had the focus may be gone, and keys are letters in a field
  }

  /** A value to take, as it is unless somebody changes it: the field shows no line ends. @param {string | null} text */
  offer(text) {
    this.value.value = text ?? "";
    this.offered = { text, shown: this.value.value };
  }

  /** The value to take. */
  get taken() {
    const { text, shown } = this.offered;
    return this.value.value === shown ? text : this.value.value.trim() || null;
  }

  /** @param {Case} each */
  draw({ document, place, answers }) {
    const { group, pair, number } = place, many = this.head.systems.length > 1;
    const [value] = this.head.systems.flatMap((_, system) => valueIn(pair, system)?.kind ? [valueIn(pair, system)] : []);
    const sure = this.head.systems.map((_, system) => valueIn(pair, system)?.more.c).filter((each) => each !== undefined), meta = document.meta.filter(Boolean);
    const take = (/** @type {string | null} */ text) => h("button", { type: "button", onclick: () => (this.offer(text), this.value.focus()) }, "edit");
    return [
      h("p", { class: "docie-case" }, h("b", null, named(document.name)), " ", meta.length > 0 && [h("span", { class: "docie-note" }, named(meta.join(" · "))), " "], named(group[0] ? `${group[0]}.${pair[0]}` : fieldOf(group, pair)), isNew(group) && [" ", h("span", { class: "docie-note" }, `(to take it makes a new ${group[1]})`)],
        value && [" · ", h("i", null, lookOf(value.verdict, value.kind).label)], sure.length > 0 && ` · confidence ${sure.map((each) => Number(each.toPrecision(3))).join(", ")}`),
      h("dl", null,
        h("dt", null, "Label"), h("dd", null, valueOf(value && !many ? partsOf(value)[0] : alone(pair[1]), "not in the reference")),
        answers.map(({ text, systems }) => [h("dt", null, named(many ? systems.join(", ") : "Prediction")),
          h("dd", null, valueOf(value && !many ? partsOf(value)[1] : alone(text), value ? absenceOf(value) : "not predicted"), answers.length > 1 && [" ", take(text)])])),
      h("details", { open: true }, h("summary", null, "The document"), documentView({ document, wanted: placesOf(document.groups).filter((each) => each.group === group).map((each) => each.number) }, this.head, number, [number]).filter((child) => child !== false)),
    ];
  }

  /** @param {Verdict} verdict */
  judge(verdict) {
    const each = this.cases[this.at], by = this.by.value.trim();
    if (!each || this.verdicts[CHOICES.findIndex(([name]) => name === verdict)].disabled) return;
    const { document, place: { group, pair } } = each, text = this.taken;
    if (verdict === "both" && text === null) return this.value.focus();
    const id = document.more.number ?? document.name;
    this.judgements.set(each, { id, path: pathOf(group, pair), verdict, old: pair[1], new: verdict === "label" ? null : text, ...(by && { by }) });
    this.done.push(each);
    const next = this.cases.findIndex((one, number) => number > this.at && !this.judgements.of(one));
    this.at = next >= 0 ? next : Math.min(this.at + 1, this.cases.length - 1);
    this.show();
    if (this.cases.every((one) => this.judgements.of(one))) this.status.textContent = `All ${counted(this.cases.length, "error")} are judged.`;
  }

  /** @param {1 | -1} step */
  go(step) {
    this.at = Math.min(Math.max(this.at + step, 0), Math.max(this.cases.length - 1, 0));
    this.show();
  }

  undo() {
    const last = this.done.pop();
    if (!last) return;
    this.judgements.set(last, null);
    this.at = this.cases.indexOf(last);
    this.show();
  }

  save() {
    download(FILE, this.judgements.lines, "application/jsonl");
    this.judgements.isSaved = true;
  }

  /** @param {KeyboardEvent} event */
  press(event) {
    const { key, target } = event;
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (target === this.value && key === "Enter") this.judge("value");
    else if (target === this.value && key === "Escape") this.show();  // as it was offered
    else if (target instanceof HTMLInputElement) return;
    else if (key === "n" || key === "ArrowRight") this.go(1);
    else if (key === "p" || key === "ArrowLeft") this.go(-1);
    else if (key === "u") this.undo();
    else if (key === "e") this.value.select();
    else if (CHOICES.some(([, of]) => of === key)) this.judge(/** @type {[Verdict, string, string]} */ (CHOICES.find(([, of]) => of === key))[0]);
    else return;
    event.preventDefault();
  }
}

/**
 * The button of a page of somebody else, which hears of what was judged by the event "docie-judged".
 * @param {HTMLElement} element
 * @param {Judged} judged
 */
export function drawJudging(element, { name, head, documents }) {
  const judgements = new Judgements(name), found = documents.map((each) => ({ document: documentOf(each), wanted: null }));
  let told = judgements.lines.join("");
  const judge = new Judge(head, judgements, () => {
    const detail = judgements.lines.join("");
    judge.element.remove();
    if (detail !== told) element.dispatchEvent(new CustomEvent("docie-judged", { bubbles: true, detail }));
    told = detail;
  });
  const button = h("button", { type: "button", onclick: () => {
    document.body.append(judge.element);  // what it stands in may be replaced while it is open
    judge.open(found);
  } }, "Judge errors");
  element.append(button);
  return button;
}
