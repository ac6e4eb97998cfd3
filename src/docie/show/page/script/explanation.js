// @ts-check
import { h } from "./dom.js";
import { named } from "./text.js";
import { sideBySide } from "./values.js";
import { boxesView, pagesView } from "./boxes.js";
import { tagsView } from "./tags.js";
import { treeView } from "./tree.js";
import { drawChart, drawSlider } from "./charts.js";

/**
 * What is drawn wherever it appears: explanations, charts and sliders, from the JSON in them.
 *
 * @import { Group, Picture, Place } from "./data.js"
 * @import { Boxes } from "./boxes.js"
 * @import { Tags } from "./tags.js"
 * @import { Tree } from "./tree.js"
 * @typedef {{ type: "fields", title: string, lead: string, noun: string, scattered: boolean, groups: Group[] }} Fields
 * @typedef {{ sentence: string, problem: string, images: Picture[], open: boolean, drawings: (Fields | Tree | Tags | Boxes)[] }} Explanation
 */

const VIEW = { class: "docie-theme docie-aligned docie-view" };

/** @param {string} problem */
export const problemOf = (problem) => h("p", { class: "docie-problem" }, h("b", { "aria-hidden": "true" }, "!"), named(problem));

/** Whether the values of a pair need a look. @param {Place} place */
export const isWrong = ({ pair: [, , ...answers] }) => answers.some((answer) => answer && answer[1] !== "");

/**
 * The drawings of an explanation. The first has its title from the page around it.
 * @param {Explanation} explanation
 */
export function explanationView({ sentence = "", problem = "", images = [], open = false, drawings }) {
  const fields = drawings.find((drawing) => drawing.type === "fields"), hasBoxes = drawings.some((drawing) => drawing.type === "boxes");
  const pairs = fields ? fields.groups.reduce((sum, group) => sum + group[4].length, 0) : 0;
  const content = (/** @type {Explanation["drawings"][number]} */ drawing) => {
    if (drawing.type === "tree") return h("div", VIEW, treeView(drawing));
    if (drawing.type === "tags") return h("div", VIEW, tagsView(drawing));
    if (drawing.type === "boxes") return h("div", VIEW, boxesView(drawing, images, drawing.found.length === pairs));
    const view = sideBySide(drawing.groups, { shows: open ? () => true : isWrong, isSought: () => false, noun: drawing.noun, marksScattered: drawing.scattered });
    return images.length && !hasBoxes ? h("div", { class: "docie-scanned" }, h("div", null, pagesView(images, drawing.groups)), view) : view;
  };
  return [
    (problem || sentence) && h("div", { class: "docie-theme docie-aligned" }, problem && problemOf(problem), sentence && h("p", { class: "docie-sentence" }, named(sentence))),
    drawings.map((drawing, place) => h("section", { "aria-label": drawing.title || null },
      h("div", { class: "docie-theme docie-aligned" }, place > 0 && drawing.title && h("h3", null, drawing.title), drawing.lead && h("p", null, drawing.lead)),
      content(drawing))),
  ];
}

/** @typedef {(element: HTMLElement, content: any) => Node} Draw draws from JSON in place of it, and gives a node of the drawing */
/** @type {Record<string, Draw>} from selectors */
const DRAWERS = { "figure.docie-chart": drawChart, ".docie-slider": drawSlider, ".docie-drawn": drawExplanation };
/** @type {WeakMap<Element, [string, Node]>} from what was drawn to its data, and a node of the drawing */
const known = new WeakMap();

/** @param {Element} element @param {Draw} draw */
function drawFrom(element, draw) {
  const data = [...element.children].find((child) => child.matches("script[type='application/json']"));
  if (!(element instanceof HTMLElement) || !data || !element.isConnected) return;
  const text = data.textContent ?? "", [before, drawing] = known.get(element) ?? [];
  if (drawing && before === text && element.contains(drawing)) return;
  // Gradio makes its new HTML of the old nodes, and takes drawings away with all else that is not in it
  if (drawing) element.replaceWith(element.cloneNode(true));
  else known.set(element, [text, draw(element, JSON.parse(text))]);
}

/** @type {Draw} */
function drawExplanation(element, content) {
  const drawing = h("div", null, explanationView(content));
  element.replaceChildren(.../** @type {NodeListOf<Element>} */ (element.querySelectorAll(":scope > script")), drawing);
  return drawing;
}

/** Draws what is there, and what appears later or changes. @param {HTMLElement} root @param {Record<string, Draw>} more */
export function drawWhatAppears(root, more) {
  const drawers = Object.entries({ ...DRAWERS, ...more });
  const drawAll = () => drawers.forEach(([selector, draw]) => root.querySelectorAll(selector).forEach((element) => drawFrom(element, draw)));
  drawAll();
  new MutationObserver(drawAll).observe(root, { childList: true, characterData: true, subtree: true });
}

/** What belongs together lights up: a value and its boxes, and the two places of a value. @param {Event} event */
export function light({ target }) {
  for (const lit of document.querySelectorAll(".docie-lit")) lit.classList.remove("docie-lit");
  for (const [name, scope] of [["data-docie-pair", ".docie-scanned, .docie-drawn"], ["data-docie-partner", ".docie-view"]]) {
    const source = target instanceof Element ? target.closest(`[${name}]`) : null, value = source?.getAttribute(name) ?? "";
    const isLit = (/** @type {Element} */ each) => each.getAttribute(name) === value || each.matches(`:not([open])[data-docie-pairs~="${CSS.escape(value)}"]`);
    for (const each of source?.closest(scope)?.querySelectorAll(`[${name}], details[data-docie-pairs]`) ?? []) if (isLit(each)) each.classList.add("docie-lit");
  }
}
