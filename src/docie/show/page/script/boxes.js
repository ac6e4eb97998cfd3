// @ts-check
import { h, svg } from "./dom.js";
import { counted } from "./text.js";
import { placesOf, valueIn } from "./data.js";
import { lookOf } from "./values.js";

/**
 * Boxes on pages.
 *
 * @import { Group, Picture, Value } from "./data.js"
 * @typedef {[number, number, number, number]} Corners left, top, right, bottom
 * @typedef {{ value: Value, field: string, number: number, side: "reference" | "prediction", place: Corners }} Boxed
 * @typedef {{ type: "boxes", title: string, lead: string, predicted: [string, Corners][], expected: [string, Corners][], found: [string, Corners | null, Corners | null][] }} Boxes
 */

/** The longer side of a drawing, in its own units; what is around it; and its least side, for a line of text alone. */
const SIDE = 1000;
const MARGIN = 40;
const LEAST_SIDE = SIDE / 8;
const MOST_BOXES = 400;
const MOST_NUMBERS = 100;

/**
 * The smallest upright box around two or four points; null if it has no area, and for what is no box.
 * @param {unknown} box
 * @returns {Corners | null}
 */
export function cornersOf(box) {
  if (!Array.isArray(box)) return null;
  const numbers = box.flat().map((each) => (typeof each === "boolean" || each === null || each === "" ? NaN : Number(each)));
  if (![4, 8].includes(numbers.length) || !numbers.every(Number.isFinite)) return null;
  const [xs, ys] = [0, 1].map((axis) => numbers.filter((_, place) => place % 2 === axis));
  const [left, top, right, bottom] = [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)];
  return left < right && top < bottom ? [left, top, right, bottom] : null;
}

/**
 * The boxes of a value on a page: it may have several, on one page or on a page for each. Without a page, it is the first.
 * @param {unknown} box
 * @param {unknown} on
 * @param {number} page
 * @returns {Corners[]}
 */
export function cornersOn(box, on, page) {
  const boxes = Array.isArray(box) && box.length > 0 && box.every((each) => Array.isArray(each) && each.length !== 2) ? box : [box];
  const isOn = (/** @type {number} */ at) => Number((Array.isArray(on) ? on[at] : on) ?? 1) === page;
  return boxes.flatMap((each, at) => { const place = isOn(at) && cornersOf(each); return place ? [place] : []; });
}

/** @param {number} number */
const tenth = (number) => Math.round(number * 10) / 10;

/**
 * Boxes in pixels of a picture. Coordinates up to 1 are shares of the page, others are pixels.
 * @param {Corners[]} places
 * @param {Picture} picture
 * @returns {Corners[]}
 */
export function onPage(places, [, width, height]) {
  const [x, y] = places.every((each) => Math.max(...each) <= 1) ? [width, height] : [1, 1];
  return places.map(([x0, y0, x1, y1]) => [tenth(x0 * x), tenth(y0 * y), tenth(x1 * x), tenth(y1 * y)]);
}

/** @param {Corners} place */
const areaOf = ([x, y, right, bottom]) => ({ x, y, width: tenth(right - x), height: tenth(bottom - y) });

/**
 * The boxes of values on a page: of each that of the reference, then those of predictions.
 * @param {Group[]} groups
 * @param {number} systems
 * @param {Picture} picture
 * @param {number} page
 */
function boxesOn(groups, systems, picture, page) {
  /** @type {Boxed[]} */
  const drawn = [];
  for (const side of /** @type {const} */ (["reference", "prediction"])) {  // one may have shares of the page, the other pixels
    /** @type {Boxed[]} */
    const found = [];
    for (const { pair, number } of placesOf(groups)) {
      for (let system = 0; system < systems; system += 1) {
        const value = valueIn(pair, system);
        if (!value) continue;
        const [box, on] = side === "reference" ? [value.more.B, value.more.P] : [value.more.b, value.more.p];
        found.push(...cornersOn(box, on, page).map((place) => ({ value, field: pair[0], number, side, place })));
        if (box && side === "reference") break;
      }
    }
    const places = onPage(found.map((each) => each.place), picture);
    drawn.push(...found.map((each, at) => ({ ...each, place: places[at] })));
  }
  return drawn.sort((one, other) => one.number - other.number);
}

/** @param {Boxed} boxed @param {number} height */
function boxOf({ value, field, number, side, place }, height) {
  const look = lookOf(value.verdict, value.kind), area = areaOf(place), isRight = value.verdict === "correct";
  const isMarked = side === "prediction" || value.more.b === undefined || value.more.b === null;
  return svg("g", { class: `docie-of-${side} ${look.tone}`, "data-docie-pair": number },
    svg("title", null, `${field}: ${look.label} (${side})`),
    !isRight && svg("foreignObject", area, h("div", { class: "docie-hatched" })),
    svg("rect", area),
    isMarked && svg("text", { x: area.x, y: area.y, "font-size": Math.floor(height / 40) }, look.mark));
}

/**
 * The pages of a document with the boxes of its values.
 * @param {Picture[]} pictures
 * @param {Group[]} groups
 * @param {number} [systems]
 */
export function pagesView(pictures, groups, systems = 1) {
  const keys = ["a solid line: reference", "a dashed line: prediction", "hatched: to correct"];
  return pictures.map((picture, at) => {
    const [url, width, height] = picture, boxes = boxesOn(groups, systems, picture, at + 1);
    return h("figure", { class: "docie-theme docie-page docie-scan" },
      boxes.length > 0 && h("figcaption", null, keys.map((key) => [h("span", { class: "docie-key" }, key), " "])),
      svg("svg", { viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": `Page ${at + 1} with ${counted(boxes.length, "box")}`, preserveAspectRatio: "xMidYMin meet" },
        imageOf(url, [0, 0, width, height]), boxes.map((each) => boxOf(each, height))));
  });
}

/** @param {string} url @param {Corners} place */
const imageOf = (url, place) => (/^data:image\/|^(https?|blob):/.test(url) ? svg("image", { href: url, ...areaOf(place) }) : null);

/**
 * Boxes of both sides on one page, over its picture if there is one.
 * @param {Boxes} boxes
 * @param {Picture[]} pictures
 * @param {boolean} isLinked whether the numbers of what was found are those of rows beside it
 */
export function boxesView({ predicted, expected, found }, pictures, isLinked) {
  if (!predicted.length && !expected.length) return null;
  const paper = pictures.slice(0, 1).map(([, width, height]) => /** @type {Corners} */ ([0, 0, width, height]));
  const sides = /** @type {const} */ ([["reference", numbered(expected, found.map(([label, , box]) => [label, box]))], ["prediction", numbered(predicted, found.map(([label, box]) => [label, box]))]]);
  const keys = new Map(sides.flatMap(([, side]) => side.map(({ corners }) => [String(corners), corners])));
  const onPaper = pictures.length ? onPage([...keys.values()], pictures[0]) : [...keys.values()];
  const frame = frameOf([...onPaper, ...paper]), drawn = new Map([...keys.keys()].map((key, at) => [key, frame.drawn(onPaper[at])]));
  const hasHulls = sides.some(([, side]) => side.some(({ isHull }) => isHull));
  const left = Math.max(0, predicted.length - MOST_BOXES) + Math.max(0, expected.length - MOST_BOXES);
  const boxOfSide = (/** @type {Numbered} */ { label, corners, number, isHull }, /** @type {string} */ side) =>
    svg("rect", { class: isHull ? "docie-hull" : null, "data-docie-pair": isLinked ? number : null, ...areaOf(drawn.get(String(corners)) ?? corners) },
      svg("title", null, `${label}, ${side}${isHull ? ", around a group" : ""}`));
  return h("figure", { class: "docie-page" },
    h("figcaption", null, keyOfSide("reference", "a solid line"), " ", keyOfSide("prediction", "a dashed line"), hasHulls && [" ", h("span", { class: "docie-key" }, "dotted: around a group")]),
    svg("svg", { viewBox: `0 0 ${frame.width} ${frame.height}`, role: "img", "aria-label": `${counted(expected.length, "box")} of the reference and ${expected.length ? predicted.length : counted(predicted.length, "box")} predicted`, preserveAspectRatio: "xMidYMid meet" },
      paper.map((place) => imageOf(pictures[0][0], frame.drawn(place))),
      sides.map(([side, all]) => svg("g", { class: `docie-${side}` }, all.map((each) => boxOfSide(each, side)))),
      svg("g", { class: "docie-numbers-on-page", "aria-hidden": "true" }, found.slice(0, MOST_NUMBERS).map((item, at) => numberOf(item, at + 1, drawn)))),
    left > 0 && h("p", { class: "docie-omitted" }, `Not drawn: ${counted(left, "box")}.`));
}

/** @param {string} side @param {string} line */
function keyOfSide(side, line) {
  return h("span", { class: `docie-key docie-${side}` }, svg("svg", { viewBox: "0 0 30 12", "aria-hidden": "true" }, svg("path", { d: "M1 6h28" })), ` ${side}, ${line}`);
}

/** @param {[string, Corners | null, Corners | null]} item @param {number} number @param {Map<string, Corners>} drawn */
function numberOf([, predicted, expected], number, drawn) {
  const place = drawn.get(String(expected ?? predicted));
  if (!place) return null;
  const x = expected ? place[0] + 6 : place[2] - 6;
  return svg("text", { x, y: tenth(place[1] - 8), "text-anchor": expected ? null : "end" }, number);
}

/**
 * @typedef {{ label: string, corners: Corners, number: number | null, isHull: boolean }} Numbered
 *
 * The boxes of a side, behind those around its groups: items that are no box. Boxes in groups have no number.
 * @param {[string, Corners][]} boxes
 * @param {[string, Corners | null][]} items
 * @returns {Numbered[]}
 */
function numbered(boxes, items) {
  /** @type {Map<string, number[]>} */
  const numbers = new Map();
  items.forEach((item, number) => {
    if (item[1]) numbers.set(JSON.stringify(item), [...(numbers.get(JSON.stringify(item)) ?? []), number]);
  });
  const own = boxes.map((box) => ({ label: box[0], corners: box[1], number: numbers.get(JSON.stringify(box))?.shift() ?? null, isHull: false }));
  const hulls = [...numbers].flatMap(([item, left]) => left.map((number) => ({ label: JSON.parse(item)[0], corners: JSON.parse(item)[1], number, isHull: true })));
  return [...hulls.slice(0, MOST_BOXES), ...own.slice(0, MOST_BOXES)];
}

/**
 * A drawing of what some boxes take, with a margin; its longer side has 1,000 units without it.
 * @param {Corners[]} around
 */
export function frameOf(around) {
  const edges = [0, 1, 2, 3].map((at) => around.map((each) => each[at]));
  const [left, top] = [least(edges[0]), least(edges[1])], extents = [-least(edges[2].map((x) => -x)) - left, -least(edges[3].map((y) => -y)) - top];
  const scale = SIDE / Math.max(...extents);
  const [width, height] = extents.map((extent) => tenth(Math.max(extent * scale, LEAST_SIDE) + 2 * MARGIN));
  const drawn = (/** @type {Corners} */ box) => /** @type {Corners} */ (box.map((value, at) => tenth((value - (at % 2 ? top : left)) * scale + MARGIN)));
  return { width, height, drawn };
}

/** @param {number[]} numbers */
const least = (numbers) => numbers.reduce((one, other) => Math.min(one, other));
