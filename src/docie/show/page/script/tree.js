// @ts-check
import { fold, h } from "./dom.js";
import { counted, named, readable, shortened, differences, alone, sidesOf, valueOf } from "./text.js";
import { lookOf } from "./values.js";

/**
 * Trees: one for both sides, or one for each.
 *
 * @import { Verdict } from "./data.js"
 * @import { Part } from "./text.js"
 * @typedef {{ name: string, verdict?: Verdict, label?: string, predicted?: string | null, expected?: string | null, numbers?: string, note?: string, children?: TreeNode[] }} TreeNode
 * @typedef {"both" | "prediction" | "reference"} Side
 * @typedef {{ type: "tree", title: string, lead: string, roots: [string, Side, TreeNode][] }} Tree
 */

/** Nodes, children of a node, and levels that are open at first; the others open one by one. */
const MOST_NODES = 300;
const MOST_CHILDREN = 200;
const DEEPEST = 40;
/** Levels that are indented: letters need room. */
const INDENTED = 12;

/** @param {Tree} tree */
export function treeView({ roots }) {
  return h("div", { class: "docie-columns docie-trees" }, roots.map(([title, side, root]) => {
    const state = { left: MOST_NODES, side, hasPartners: roots.length > 1, differing: new Set() };
    findDiffering(root, state.differing);
    return h("section", { "aria-label": title || null }, title && h("h3", null, title), branchOf([root], state, 0));
  }));
}

/** @param {TreeNode} node @param {Set<TreeNode>} differing @returns {boolean} */
function findDiffering(node, differing) {
  const isBelow = (node.children ?? []).map((child) => findDiffering(child, differing)).some(Boolean);
  const differs = isBelow || !isEqual(node);
  if (differs) differing.add(node);
  return differs;
}

/** @param {TreeNode} node */
const isEqual = ({ verdict = "none" }) => verdict === "correct" || verdict === "none";

/**
 * @typedef {{ left: number, side: Side, hasPartners: boolean, differing: Set<TreeNode> }} State
 * @param {TreeNode[]} nodes
 * @param {State} state
 * @param {number} level
 * @returns {HTMLElement}
 */
function branchOf(nodes, state, level) {
  const rest = nodes.slice(MOST_CHILDREN);
  return h("ul", { class: level > INDENTED ? "docie-deep" : null }, nodes.slice(0, MOST_CHILDREN).map((node) => nodeOf(node, state, level)),
    rest.length > 0 && h("li", null, fold(null, `${counted(rest.length, "node")} more`, () => branchOf(rest, state, level))));
}

/** @param {TreeNode} node @param {State} state @param {number} level */
function nodeOf(node, state, level) {
  state.left -= 1;
  const { tone } = lookOf(node.verdict ?? "none"), children = node.children ?? [];
  const partner = state.hasPartners && (node.expected || node.predicted) ? [node.name, node.expected, node.predicted].filter(Boolean).join(" ") : null;
  if (!children.length) return h("li", { class: tone || null }, h("div", { "data-docie-partner": partner }, lineOfNode(node, state.side)));
  const isOpen = state.differing.has(node) && state.left > 0 && level % DEEPEST < DEEPEST - 1;
  const details = fold(null, lineOfNode(node, state.side), () => branchOf(children, state, level + 1), isOpen);
  if (partner) details.firstElementChild?.setAttribute("data-docie-partner", partner);
  return h("li", { class: tone || null }, details);
}

/** @param {TreeNode} node @param {Side} side */
function lineOfNode(node, side) {
  const { tone, mark, label } = lookOf(node.verdict ?? "none"), parts = partsOfNode(node, side), words = node.label || (isEqual(node) ? "" : label);
  return [
    mark && [h("b", { "aria-hidden": "true" }, mark), " "],
    node.name && [h("span", { class: "docie-name" }, named(node.name)), " "],
    parts.length > 0 && [h("span", { class: "docie-text" }, valueOf(parts)), " "],
    words && [h("i", { class: tone || null }, words), " "],
    node.note && [h("small", null, named(node.note)), " "],
    node.numbers && h("span", { class: "docie-count" }, node.numbers),
  ];
}

/** The text of a node with differences: of one side, or of both. @param {TreeNode} node @param {Side} side @returns {Part[]} */
function partsOfNode(node, side) {
  const predicted = node.predicted ?? null, expected = node.expected ?? null;
  if (side !== "both") return sidesOf(predicted, expected, { isCorrect: isEqual(node) })[side === "reference" ? 0 : 1];
  if (node.verdict === "incorrect" && predicted !== null && expected !== null) return shortened(readable(differences(predicted, expected)));
  const text = predicted === null ? expected : predicted, operation = node.verdict === "missing" ? "insert" : node.verdict === "spurious" ? "delete" : "equal";
  return alone(text).map(([is, each]) => [is === "equal" ? operation : is, each]);
}
