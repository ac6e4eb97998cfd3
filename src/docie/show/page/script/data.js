// @ts-check
/**
 * The documents of a page, and how they are packed.
 *
 * @typedef {{ c?: number, b?: unknown, p?: unknown, B?: unknown, P?: unknown, n?: string, f?: number }} More
 * @typedef {0 | [string | null, string, More?]} Answer 0: correct, and written as the reference has it
 * @typedef {[string, string | null, ...Answer[]]} Pair
 * @typedef {[string, string, string, number, Pair[], string?]} Group name, type, note, whether a side lacks it, pairs, numbers
 * @typedef {[string, number, number]} Picture
 * @typedef {{ problem?: string, problems?: Record<string, string>, images?: Picture[], keys?: number[], number?: number }} Remarks
 * @typedef {{ name: string, meta: string[], groups: Group[], more: Remarks, heading: string, text: string,
 *     keys: Map<number, number> }} Doc with its name and meta, and all of its texts, in small letters; from the numbers of values to
 *     what they have in common with others
 * @typedef {{ text: string, keys: number[] }} Pattern
 * @typedef {{ systems: string[], columns: string[], patterns: Pattern[], documents: number, blocks: number }} Head
 * @typedef {"correct" | "incorrect" | "missing" | "spurious" | "none"} Verdict
 * @typedef {{ expected: string | null, predicted: string | null, kind: string, verdict: Verdict, more: More }} Value
 * @typedef {{ group: Group, pair: Pair, number: number }} Place of a pair in its document
 */

/**
 * The JSON in an element, compressed.
 * @param {string} id
 * @returns {Promise<any>}
 */
async function unpacked(id) {
  const bytes = Uint8Array.from(atob(document.getElementById(id)?.textContent ?? ""), (character) => character.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return JSON.parse(await new Response(stream).text());
}

/**
 * The documents of all blocks: the first at once, the others one by one when the page has nothing else to do.
 * @param {Head} head
 * @returns {AsyncGenerator<Doc[]>}
 */
export async function* documentsOf(head) {
  for (let block = 0; block < head.blocks; block += 1) {
    if (block) await idle();
    yield (await unpacked(`docie-block-${block}`)).map(documentOf);
  }
}

/** @returns {Promise<unknown>} */
const idle = () => new Promise((done) => ("requestIdleCallback" in globalThis ? requestIdleCallback(done, { timeout: 200 }) : setTimeout(done, 20)));

/**
 * @param {[string, string[], Group[], Remarks?]} packed
 * @returns {Doc}
 */
export function documentOf([name, meta, groups, more = {}]) {
  const heading = [name, ...meta].join("\n").toLowerCase(), texts = [];
  for (const group of groups) {
    for (const [, expected, ...answers] of group[4]) {
      if (expected) texts.push(expected);
      for (const answer of answers) if (answer && answer[0]) texts.push(answer[0]);
    }
  }
  const given = more.keys ?? [], keys = new Map();
  for (let at = 0; at < given.length; at += 2) keys.set(given[at], given[at + 1]);
  return { name, meta, groups, more, keys, heading, text: `${heading}\n${texts.join("\n").toLowerCase()}` };
}

/**
 * The pairs of some groups with their numbers.
 * @param {Group[]} groups
 * @returns {Place[]}
 */
export function placesOf(groups) {
  let number = 0;
  return groups.flatMap((group) => group[4].map((pair) => ({ group, pair, number: number++ })));
}

/**
 * A value of a system; null where it has none, as the reference.
 * @param {Pair} pair
 * @param {number} [system]
 * @returns {Value | null}
 */
export function valueIn([, expected, ...answers], system = 0) {
  const answer = answers[system];
  if (!answer) return expected === null ? null : { expected, predicted: expected, kind: "", verdict: "correct", more: {} };
  const [predicted, kind, more = {}] = answer;
  const wrong = expected === null ? "spurious" : predicted === null ? "missing" : "incorrect";
  return { expected, predicted, kind, verdict: isRight(answer) ? "correct" : kind === "none" ? "none" : wrong, more };
}

/** Whether an answer needs no correction; it may be in the wrong place. @param {Answer | undefined} answer */
export const isRight = (answer) => !answer || answer[1] === "" || answer[1] === "place";

/** The field as filters name it. @param {Group} group @param {Pair} pair */
export const fieldOf = (group, pair) => (group[1] ? `${group[1]}.${pair[0]}` : pair[0]);

/**
 * How many values of a system are correct, incorrect, missing and spurious.
 * @param {Iterable<Pair>} pairs
 * @param {number} [system]
 */
export function tally(pairs, system = 0) {
  const found = { correct: 0, incorrect: 0, missing: 0, spurious: 0, none: 0 };
  for (const pair of pairs) {
    const value = valueIn(pair, system);
    if (value) found[value.verdict] += 1;
  }
  return found;
}
