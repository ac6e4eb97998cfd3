// @ts-check
import { h, leadTo } from "./dom.js";
import { counted, grouped, named } from "./text.js";
import { documentsOf, fieldOf } from "./data.js";
import { asksOfValues, filtersIn, finder, hashOf, isFiltered, keyOf, showsValues } from "./filters.js";
import { KINDS } from "./values.js";
import { csvOf, download, jsonLinesOf } from "./exporting.js";
import { List } from "./lists.js";
import { drawJudging, Judge, Judgements } from "./judging.js";
import { drawWhatAppears, light } from "./explanation.js";

/**
 * The page: its tools, its address and its keys.
 *
 * @import { Doc, Head } from "./data.js"
 * @import { Filters, Found } from "./filters.js"
 */

/** Values of a meta column that a list can hold. */
const MOST_OPTIONS = 50;
const KEYS = [["/", "find documents"], ["n", "next document or value"], ["p", "previous one"], ["j", "judge errors"], ["Escape", "clear the filters"], ["?", "show these keys"]];

/** What the documents that were read so far can be filtered by. */
class Choices {
  /** @param {Head} head */
  constructor(head) {
    /** @type {Set<string>} */
    this.fields = new Set();
    /** @type {Set<string>[]} */
    this.meta = head.columns.map(() => new Set());
    this.hasConfidence = false;
  }

  /** @param {Doc[]} documents */
  add(documents) {
    for (const { meta, groups } of documents) {
      meta.forEach((value, column) => value && this.meta[column].size <= MOST_OPTIONS && this.meta[column].add(value));
      for (const group of groups) for (const pair of group[4]) {
        this.fields.add(fieldOf(group, pair));
        this.hasConfidence ||= pair.slice(2).some((answer) => Array.isArray(answer) && answer[2]?.c !== undefined);
      }
    }
  }
}

class Page {
  /** @param {HTMLElement} place @param {Head} head */
  constructor(place, head) {
    this.head = head;
    /** @type {Doc[]} */
    this.documents = [];
    /** @type {Filters} */
    this.filters = filtersIn(location.hash, head);
    this.choices = new Choices(head);
    this.list = new List(head);
    this.found = { documents: 0, values: 0 };
    this.isLed = false;
    /** @type {(document: Doc) => Found | null} */
    this.find = finder(this.filters, head);
    this.status = h("p", { class: "docie-found", role: "status", tabindex: -1 });
    this.tools = h("form", { class: "docie-tools", role: "search", "aria-label": "Documents", onsubmit: (/** @type {Event} */ event) => event.preventDefault() });
    this.keys = h("dialog", { class: "docie-keys", "aria-label": "Keys" },
      h("dl", null, KEYS.map(([key, does]) => h("div", null, h("dt", null, h("kbd", null, key)), h("dd", null, does)))), h("form", { method: "dialog" }, h("button", null, "Close")));
    this.judge = new Judge(head, new Judgements(`${location.pathname} ${document.title}`));
    place.replaceChildren(this.tools, this.status, this.list.element, this.keys, this.judge.element);
    this.drawTools();
    this.show();
    this.isRead = this.read();
    this.listen();
  }

  /** Reads all blocks; what is found grows. */
  async read() {
    for await (const documents of documentsOf(this.head)) {
      this.documents.push(...documents);
      const before = JSON.stringify([this.choices.fields.size, this.choices.hasConfidence, this.choices.meta.map(({ size }) => size)]);
      this.choices.add(documents);
      if (JSON.stringify([this.choices.fields.size, this.choices.hasConfidence, this.choices.meta.map(({ size }) => size)]) !== before) this.drawTools();
      if (this.choices.hasConfidence !== this.list.hasConfidence && showsValues(this.filters)) this.show();
      else this.add(documents);
      this.lead();
    }
  }

  /** Shows what the filters ask for. */
  show() {
    this.find = finder(this.filters, this.head);
    this.found = { documents: 0, values: 0 };
    this.list.reset({ isOfValues: showsValues(this.filters), target: this.target ?? -1, hasConfidence: this.choices.hasConfidence });
    this.add(this.documents);
    const address = hashOf(this.filters);
    for (const link of document.querySelectorAll("a[href^='#'][href*='=']"))
      link.toggleAttribute("aria-current", address !== "" && hashOf(filtersIn(link.getAttribute("href") ?? "", this.head)) === address);
  }

  /** @param {Doc[]} documents */
  add(documents) {
    const found = documents.map(this.find).filter((each) => each !== null);
    this.found.documents += found.length;
    for (const { wanted } of found) this.found.values += wanted?.length ?? 0;
    this.list.add(found);
    this.say();
  }

  say() {
    const { documents, values } = this.found, all = this.head.documents, isOfValues = asksOfValues(this.filters) || values > 0;
    const number = isOfValues ? `${counted(values, "value")} in ${counted(documents, "document")}` : isFiltered(this.filters) ? `${grouped(documents)} of ${counted(all, "document")}` : counted(all, "document");
    if (!documents && this.documents.length === all) return void (this.status.textContent = "Nothing is found.");
    this.status.textContent = number + (this.documents.length < all ? ` · ${grouped(this.documents.length)} of ${grouped(all)} read` : "");
    if (values && !showsValues(this.filters)) this.status.append(" · ", h("a", { href: `#${hashOf(new Map([...this.filters, ["view", "values"]]))}` }, "show the values"));
  }

  /** The value that the address leads to. */
  get target() {
    const number = this.filters.get("value");
    return number !== undefined && /^\d+$/.test(number) ? Number(number) : null;
  }

  /** Leads to the document that the address names, once it is read. */
  lead() {
    if (this.isLed || !this.filters.has("document")) return;
    this.isLed = this.list.reveal(this.target);
  }

  /**
   * Goes to other filters: a step of the browser's history, or in place of the last one.
   * @param {Filters} filters
   * @param {{ replaces?: boolean }} [options]
   */
  go(filters, { replaces = false } = {}) {
    const address = `#${hashOf(filters) || "documents"}`;
    if (replaces) history.replaceState(null, "", address);
    else if (address !== location.hash) history.pushState(null, "", address);
    this.turn();
  }

  /** Shows what the address asks for. */
  turn() {
    this.filters = filtersIn(location.hash, this.head);
    this.isLed = false;
    this.show();
    this.fillTools();
    this.lead();
  }

  /** The tools with the choices that are known. */
  drawTools() {
    const { head, choices, filters } = this, focused = document.activeElement instanceof HTMLElement && this.tools.contains(document.activeElement) ? document.activeElement.getAttribute("name") : null;
    const text = this.tools.elements.namedItem("text");
    const select = (/** @type {string} */ name, /** @type {string} */ label, /** @type {[string, string][]} */ options, /** @type {string} */ any = "any") =>
      h("label", null, named(label), h("select", { name }, h("option", { value: "" }, any), options.map(([value, words]) => h("option", { value }, words))));
    const input = (/** @type {string} */ name, /** @type {string} */ label, /** @type {Record<string, string | number>} */ attributes) => h("label", null, label, h("input", { name, ...attributes }));
    const same = (/** @type {Iterable<string>} */ values) => /** @type {[string, string][]} */ ([...values].sort().map((value) => [value, value]));
    const others = head.systems.length > 1 ? /** @type {[string, string][]} */ ([["worse", `worse than ${head.systems[0]}`], ["better", `better than ${head.systems[0]}`]]) : [];
    const kinds = /** @type {[string, string][]} */ ([["error", "any error"], ...Object.entries(KINDS).map(([kind, words]) => [kind, words.join(" ")]), ["correct", "✓ correct"], ["equal", "✓ correct, written differently"], ...others]);
    const button = (/** @type {string} */ words, /** @type {(button: HTMLButtonElement) => void} */ press) => h("button", { type: "button", onclick: (/** @type {Event} */ { currentTarget }) => press(/** @type {HTMLButtonElement} */ (currentTarget)) }, words);
    this.tools.replaceChildren(
      text instanceof HTMLInputElement ? /** @type {Node} */ (text.parentElement) : input("text", "Find documents and values", { type: "search", autocomplete: "off", spellcheck: "false" }),
      select("field", "Field", same(choices.fields)), select("kind", "Kind", kinds),
      ...(head.systems.length > 1 ? [select("system", "System", same(head.systems))] : []),
      ...head.columns.flatMap((column, place) => (choices.meta[place].size && choices.meta[place].size <= MOST_OPTIONS ? [select(keyOf(column), column, same(choices.meta[place]))] : [])),
      ...(head.patterns.length ? [select("pattern", "Pattern", head.patterns.map(({ text: words }, place) => [String(place), words]))] : []),
      ...(choices.hasConfidence ? ["below", "above"].map((name) => input(name, name === "below" ? "Confidence below" : "Confidence at least", { type: "number", min: 0, max: 1, step: "any", inputmode: "decimal" })) : []),
      select("view", "View", [["documents", "documents"], ["values", "values"]], "automatic"),
      h("span", { class: "docie-buttons" },
        button("Clear", () => this.clear()),
        button("CSV", (pressed) => this.save(pressed, "values.csv", csvOf, "text/csv")),
        button("JSON Lines", (pressed) => this.save(pressed, "values.jsonl", jsonLinesOf, "application/jsonl")),
        button("Copy link", (pressed) => this.copy(pressed)), button("Judge errors", (pressed) => this.judgeFound(pressed)), button("Keys", () => this.keys.showModal())));
    this.filters = filters;
    this.fillTools();
    const again = focused === null ? null : this.tools.elements.namedItem(focused);
    if (again instanceof HTMLElement) again.focus();
  }

  fillTools() {
    for (const tool of this.tools.elements) {
      if (!(tool instanceof HTMLSelectElement || tool instanceof HTMLInputElement) || tool.value === (this.filters.get(tool.name) ?? "")) continue;
      tool.value = this.filters.get(tool.name) ?? "";
    }
  }

  clear() {
    this.go(new Map());
  }

  /** @param {HTMLButtonElement} button @param {string} name @param {(found: Found[], head: Head) => string[]} write @param {string} type */
  async save(button, name, write, type) {
    button.disabled = true;
    await this.isRead;
    button.disabled = false;
    download(name, write(this.list.found, this.head), type);
  }

  /** Judges the errors of what is found. @param {HTMLButtonElement} [button] */
  async judgeFound(button) {
    if (button) button.disabled = true;
    await this.isRead;
    if (button) button.disabled = false;
    this.judge.open(this.list.found);
  }

  /** @param {HTMLButtonElement} button */
  async copy(button) {
    try {
      await navigator.clipboard.writeText(location.href);
      button.textContent = "Copied";
      setTimeout(() => (button.textContent = "Copy link"), 2000);
    } catch {
      this.status.textContent = location.href;  // to be copied by hand, where the browser allows nothing else
    }
  }

  /** What tools hold. @returns {Filters} */
  get wanted() {
    const wanted = new Map(this.filters);
    wanted.delete("value");
    for (const tool of this.tools.elements) if (tool instanceof HTMLSelectElement || tool instanceof HTMLInputElement) wanted.set(tool.name, tool.value);
    return wanted;
  }

  listen() {
    this.tools.addEventListener("input", ({ target }) => this.go(this.wanted, { replaces: target instanceof HTMLInputElement }));
    addEventListener("beforeunload", (event) => !this.judge.judgements.isSaved && event.preventDefault());
    // a section of the page leaves the filters as they are
    addEventListener("hashchange", () => (!location.hash || location.hash.includes("=") || location.hash === "#documents") && this.turn());
    document.addEventListener("click", (event) => this.follow(event));
    document.addEventListener("keydown", (event) => this.press(event));
    if (location.hash.includes("=")) this.arrive();
  }

  /** A link in the page to filters. @param {MouseEvent} event */
  follow(event) {
    const link = event.target instanceof Element ? event.target.closest("a[href^='#']") : null;
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
    const filters = filtersIn(link.getAttribute("href") ?? "", this.head);
    if (!filters.size) return;
    event.preventDefault();
    this.go(filters);
    this.arrive();
  }

  /** Where a link leads: to the value, to the document, or to the number of what is found. */
  arrive() {
    this.lead();
    if (this.isLed) return;
    leadTo(this.tools);
    this.status.focus({ preventScroll: true });
  }

  /** @param {KeyboardEvent} event */
  press(event) {
    const { target, key } = event;
    if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")) return;
    if (target instanceof Element && target.closest("input, select, textarea, [contenteditable]")) return;
    const text = this.tools.elements.namedItem("text");
    if (key === "/" && text instanceof HTMLElement) text.focus();
    else if (key === "n" || key === "p") this.list.move(key === "n" ? 1 : -1);
    else if (key === "Escape" && isFiltered(this.filters)) this.clear();
    else if (key === "j") this.judgeFound();
    else if (key === "?") this.keys.showModal();
    else return;
    event.preventDefault();
  }
}

function start() {
  drawWhatAppears(document.documentElement, { ".docie-judging": drawJudging });
  document.addEventListener("mouseover", light);
  document.addEventListener("focusin", light);
  const data = document.getElementById("docie-head"), place = document.getElementById("docie-documents");
  if (data && place) new Page(place, JSON.parse(data.textContent ?? ""));
}

start();
