// @ts-check
import { h, svg } from "./dom.js";

/**
 * Charts of lines, and sliders that move along their points.
 *
 * @typedef {[number, number]} Point
 * @typedef {{ label: string, percent?: boolean }} Axis
 * @typedef {{ name: string, points: Point[], dots?: boolean }} Series
 * @typedef {{ title: string, x: Axis, y: Axis, diagonal?: boolean, series: Series[], marks?: Point[] }} Chart
 * @typedef {{ axis: Axis, low: number, high: number, from: number, to: number, ticks: number[] }} Scale
 */

const COLOURS = 6;
const DASHES = ["", "7 4", "2 3", "10 3 2 3", "5 2", "1 4"];
const WIDEST = 560;
const NARROWEST = 260;

/**
 * Round numbers that hold all values.
 * @param {number[]} values
 * @param {number} most how many fit
 */
export function ticksOf(values, most) {
  const low = values.reduce((one, other) => Math.min(one, other), Infinity), high = values.reduce((one, other) => Math.max(one, other), -Infinity);
  const span = high - low || Math.abs(high) || 1, rough = span / most, power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((each) => each * power).find((each) => each >= rough * (1 - 1e-9)) ?? rough;
  const first = Math.floor(low / step + 1e-9), last = Math.max(Math.ceil(high / step - 1e-9), first + 1);
  return Array.from({ length: last - first + 1 }, (_, at) => Number(((first + at) * step).toPrecision(12)));
}

/** @param {number} value @param {Axis} axis */
const written = (value, { percent }) => (percent ? `${Number((value * 100).toPrecision(4))} %` : value.toLocaleString("en", { maximumSignificantDigits: 4 }));

/** @param {Axis} axis @param {number[]} values @param {number} from @param {number} to @param {number} most @returns {Scale} */
function scaleOf(axis, values, from, to, most) {
  const ticks = ticksOf(values, most);
  return { axis, ticks, low: ticks[0], high: ticks[ticks.length - 1], from, to };
}

/** Where a value stands. @param {Scale} scale @param {number} value */
const at = ({ low, high, from, to }, value) => Math.round((from + ((value - low) / (high - low)) * (to - from)) * 10) / 10;

/**
 * A chart as SVG.
 * @param {Chart} chart
 * @param {number} width
 * @param {number} [marked] the mark that is shown
 */
export function chartOf(chart, width, marked) {
  const height = Math.round(Math.min(width * 0.62, 330)), all = [...chart.series.flatMap(({ points }) => points), ...(chart.marks ?? [])].filter((point) => point.every(Number.isFinite));
  if (!all.length) return svg("svg", { viewBox: "0 0 1 1", role: "img", "aria-label": `${chart.title}: no points` });
  const y = scaleOf(chart.y, all.map((point) => point[1]), height - 40, 28, 5), margin = 12 + 7 * Math.max(...y.ticks.map((tick) => written(tick, chart.y).length));
  const x = scaleOf(chart.x, all.map((point) => point[0]), margin, width - 24, width < 400 ? 4 : 6), mark = marked === undefined ? undefined : chart.marks?.[marked];
  return svg("svg", { viewBox: `0 0 ${width} ${height}`, width, height, role: "img", "aria-label": `${chart.title}: ${chart.y.label} by ${chart.x.label}` },
    y.ticks.map((tick) => [svg("path", { class: "grid", d: `M${x.from} ${at(y, tick)}H${x.to}` }), svg("text", { x: x.from - 6, y: at(y, tick), dy: "0.35em", "text-anchor": "end" }, written(tick, chart.y))]),
    x.ticks.map((tick) => [svg("path", { class: "grid", d: `M${at(x, tick)} ${y.from}v4` }), svg("text", { x: at(x, tick), y: y.from + 17, "text-anchor": "middle" }, written(tick, chart.x))]),
    svg("text", { class: "axis", x: (x.from + x.to) / 2, y: height - 4, "text-anchor": "middle" }, chart.x.label),
    svg("text", { class: "axis", x: 0, y: 12 }, chart.y.label),
    chart.diagonal && diagonalOf(x, y),
    chart.series.map(({ points, dots }, number) => lineOfSeries(points.filter((point) => point.every(Number.isFinite)), Boolean(dots), number, x, y)),
    mark && svg("g", { class: "docie-mark" }, svg("path", { d: `M${at(x, mark[0])} ${y.to}V${y.from}` }), svg("circle", { cx: at(x, mark[0]), cy: at(y, mark[1]), r: 5 })));
}

/** Where both axes say the same. @param {Scale} x @param {Scale} y */
function diagonalOf(x, y) {
  const low = Math.max(x.low, y.low), high = Math.min(x.high, y.high);
  return svg("path", { class: "diagonal", d: `M${at(x, low)} ${at(y, low)}L${at(x, high)} ${at(y, high)}` });
}

/** @param {Point[]} points @param {boolean} hasDots @param {number} number @param {Scale} x @param {Scale} y */
function lineOfSeries(points, hasDots, number, x, y) {
  const places = points.map(([one, other]) => [at(x, one), at(y, other)]);
  const path = svg("path", { class: "line", "stroke-dasharray": DASHES[number % DASHES.length] || null, d: `M${places.map((place) => place.join(" ")).join("L")}` });
  return svg("g", { class: "series", style: `--docie-tone: ${colourOf(number)}` }, path, (hasDots || places.length === 1) && places.map(([cx, cy]) => svg("circle", { cx, cy, r: 3.5 })));
}

/** @param {number} number */
const colourOf = (number) => `var(--docie-series-${(number % COLOURS) + 1})`;

/** What the lines are; nothing for one without a name. @param {Series[]} series */
function legendOf(series) {
  const key = (/** @type {Series} */ { dots }, /** @type {number} */ number) => svg("svg", { viewBox: "0 0 30 10", class: "series", "aria-hidden": "true", style: `--docie-tone: ${colourOf(number)}` },
    svg("path", { class: "line", d: "M0 5h30", "stroke-dasharray": DASHES[number % DASHES.length] || null }), dots && svg("circle", { cx: 15, cy: 5, r: 3.5 }));
  return series.some(({ name }) => name) && h("ul", { class: "docie-legend" }, series.map((each, number) => h("li", null, key(each, number), " ", h("bdi", null, each.name))));
}

/**
 * Draws the chart in a figure, as wide as there is room, and again when this changes or the slider moves.
 * @param {HTMLElement} figure
 * @param {Chart} chart
 */
export function drawChart(figure, chart) {
  let drawn = svg("svg"), width = WIDEST;
  const draw = () => {
    const next = chartOf(chart, width, figure.dataset.row === undefined ? undefined : Number(figure.dataset.row));
    drawn.replaceWith(next);
    drawn = next;
  };
  const drawing = h("div", null, drawn, legendOf(chart.series));
  figure.append(drawing);
  draw();
  figure.addEventListener("docie-row", draw);
  new ResizeObserver(([{ contentRect }]) => {
    const room = Math.max(NARROWEST, Math.min(WIDEST, Math.floor(contentRect.width)));
    if (!contentRect.width || room === width) return;
    width = room;
    draw();
  }).observe(figure);
  return drawing;
}

/**
 * A slider over the rows of the table beside it, which moves the row, its numbers and the marks of charts together.
 * @param {HTMLElement} slider
 * @param {{ start?: number }} settings
 */
export function drawSlider(slider, { start = 0 }) {
  const table = slider.querySelector("table"), rows = [...(table?.tBodies[0]?.rows ?? [])];
  if (!table || !rows.length) return slider;
  const [first, ...others] = [...(table.tHead?.rows[0]?.cells ?? [])].map((cell) => cell.textContent?.trim() ?? "");
  const output = h("output"), numbers = others.map(() => h("dd"));
  const range = h("input", { type: "range", min: 0, max: rows.length - 1, step: 1, value: Math.min(start, rows.length - 1), "aria-label": first });
  const show = () => {
    const number = Number(range.value), [said, ...cells] = [...rows[number].cells].map((cell) => cell.textContent?.trim() ?? "");
    output.value = said;
    range.setAttribute("aria-valuetext", said);
    numbers.forEach((shown, place) => (shown.textContent = cells[place] ?? ""));
    rows.forEach((row, place) => row.classList.toggle("docie-now", place === number));
    for (const figure of /** @type {NodeListOf<HTMLElement>} */ (slider.querySelectorAll("figure.docie-chart"))) {
      figure.dataset.row = String(number);
      figure.dispatchEvent(new Event("docie-row"));
    }
  };
  range.addEventListener("input", show);
  slider.querySelector(".docie-slide")?.append(h("p", null, h("b", null, first), " ", output), range,
    h("dl", { "aria-live": "polite" }, others.map((name, place) => h("div", null, h("dt", null, name), numbers[place]))));
  show();
  return range;
}
