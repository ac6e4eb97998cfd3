// @ts-check
import { fold, h } from "./dom.js";
import { counted, named } from "./text.js";
import { lookOf } from "./values.js";

/**
 * The texts of both sides with their entities.
 *
 * @import { Verdict } from "./data.js"
 * @typedef {[string, string, number, Verdict]} Piece a text; the type of its entity, or ""; its number; its verdict
 * @typedef {{ type: "tags", title: string, lead: string, sides: [string, Piece[]][] }} Tags
 */

/** Pieces that are drawn before more of them are asked for. */
const MOST_PIECES = 1000;

/** @param {Tags} tags */
export function tagsView({ sides }) {
  return sides.map(([title, pieces]) => [title && h("h3", null, title), taggedOf(pieces)]);
}

/** @param {Piece[]} all @returns {HTMLElement[]} */
function taggedOf(all) {
  const rest = all.slice(MOST_PIECES);
  const shown = h("p", { class: "docie-tagged" }, all.length ? all.slice(0, MOST_PIECES).map((piece) => [pieceOf(piece), " "]) : h("em", null, "no words"));
  return rest.length ? [shown, fold({ class: "more" }, `${counted(rest.length, "piece")} more`, () => taggedOf(rest))] : [shown];
}

/** @param {Piece} piece */
function pieceOf([text, type, number, verdict]) {
  if (!type) return named(text);
  const look = lookOf(verdict ?? "none");
  return h("mark", { class: look.tone || null, tabindex: 0, "data-docie-partner": `${type} ${text}` }, named(text), " ",
    h("small", null, h("b", { "aria-hidden": "true" }, look.mark), ` ${number} `, named(type), look.label && h("span", { class: "docie-hidden" }, `, ${look.label}`)));
}
