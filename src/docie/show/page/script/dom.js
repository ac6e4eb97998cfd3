// @ts-check
/**
 * The only place that builds nodes. Texts become text nodes and attributes, never markup.
 *
 * @typedef {Node | string | number | null | undefined | false | Child[]} Child
 * @typedef {Record<string, string | number | boolean | null | undefined | ((event: any) => void)>} Attributes
 */

/**
 * @template {Element} T
 * @param {T} node
 * @param {Attributes | null} attributes `on…` adds a listener; true stands for "", and nothing for what is left out.
 * @param {Child[]} children
 * @returns {T}
 */
function filled(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (typeof value === "function") node.addEventListener(name.slice(2), value);
    else if (value !== false && value !== null && value !== undefined) node.setAttribute(name, value === true ? "" : String(value));
  }
  for (const child of children) {
    if (Array.isArray(child)) filled(node, null, child);
    else if (child !== null && child !== undefined && child !== false) node.append(child instanceof Node ? child : String(child));
  }
  return node;
}

/**
 * An element of HTML.
 * @template {keyof HTMLElementTagNameMap} T
 * @param {T} tag
 * @param {Attributes | null} [attributes]
 * @param {...Child} children
 * @returns {HTMLElementTagNameMap[T]}
 */
export function h(tag, attributes = null, ...children) {
  return filled(document.createElement(tag), attributes, children);
}

/**
 * An element of SVG.
 * @param {string} tag
 * @param {Attributes | null} [attributes]
 * @param {...Child} children
 * @returns {SVGElement}
 */
export function svg(tag, attributes = null, ...children) {
  return filled(/** @type {SVGElement} */ (document.createElementNS("http://www.w3.org/2000/svg", tag)), attributes, children);
}

/**
 * What folds, and is drawn when it opens first.
 * @param {Attributes | null} attributes
 * @param {Child} summary
 * @param {() => Child} draw
 * @param {boolean} [isOpen]
 */
export function fold(attributes, summary, draw, isOpen = false) {
  const details = h("details", attributes, h("summary", null, summary));
  const drawn = () => {
    if (details.open && details.childElementCount === 1) filled(details, null, [draw()]);
  };
  details.addEventListener("toggle", drawn);
  details.open = isOpen;
  drawn();
  return details;
}

/**
 * A row that stands for others, which follow it when it is pressed, as reviews of code show what did not change.
 * @param {number} columns
 * @param {Child} words
 * @param {() => HTMLElement[]} draw
 */
export function foldedRows(columns, words, draw) {
  /** @type {HTMLElement[]} */
  let rows = [];
  const button = h("button", { type: "button", "aria-expanded": "false" }, words);
  const row = h("tr", { class: "docie-run" }, h("td", { colspan: columns }, button));
  button.addEventListener("click", () => {
    const isOpen = button.getAttribute("aria-expanded") === "true";
    if (!rows.length) rows = draw();
    if (isOpen) for (const each of rows) each.remove();
    else row.after(...rows);
    button.setAttribute("aria-expanded", String(!isOpen));
  });
  return row;
}

/**
 * The element in a view that a selector names, with all that hides it open; null if there is none.
 * @param {Element} view
 * @param {string} selector
 * @returns {HTMLElement | null}
 */
export function revealed(view, selector) {
  const isFolded = "details:not([open]), button[aria-expanded=false]";
  const find = () => /** @type {HTMLElement | null} */ (view.querySelector(selector));
  for (let folded = view.querySelector(isFolded); folded && !find(); folded = view.querySelector(isFolded)) unfold(folded);
  for (let each = find()?.closest("details"); each && view.contains(each); each = each.parentElement?.closest("details")) unfold(each);
  return find();
}

/**
 * Scrolls to an element, and stays there while what is above it is still being drawn, until somebody moves.
 * @param {Element} element
 * @param {ScrollIntoViewOptions} [options]
 */
export function leadTo(element, options) {
  const scroll = () => element.scrollIntoView(options), watch = new ResizeObserver(scroll), stop = () => watch.disconnect();
  scroll();
  watch.observe(document.body);
  for (const moved of ["wheel", "touchstart", "pointerdown", "keydown"]) addEventListener(moved, stop, { once: true, passive: true });
  setTimeout(stop, 1500);
}

/** @param {Element} folded */
export function unfold(folded) {
  if (!(folded instanceof HTMLDetailsElement)) return /** @type {HTMLElement} */ (folded).click();
  folded.open = true;
  folded.dispatchEvent(new Event("toggle"));  // the browser's own comes later
}

/**
 * Sequences of neighbours that are alike.
 * @template T
 * @param {Iterable<T>} items
 * @param {(item: T) => boolean} key
 * @returns {[boolean, T[]][]}
 */
export function runs(items, key) {
  /** @type {[boolean, T[]][]} */
  const found = [];
  for (const item of items) {
    const is = key(item), last = found.at(-1);
    if (last?.[0] === is) last[1].push(item);
    else found.push([is, [item]]);
  }
  return found;
}
