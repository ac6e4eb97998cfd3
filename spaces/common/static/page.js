// Everything can be read without this: it sorts tables, copies lines, makes pictures larger, keeps open what was opened,
// brings back what an example replaced, and indents JSON.
const own = {};
// What a button of examples fills in: its contents, else the visitor's own ones, in turn if there are several.
window.docieFilled = (first, now, contents) => {
  const texts = (values) => JSON.stringify(values.slice(0, 2));
  const known = (own[texts(first)] ??= { filled: texts(first), kept: [] });
  const current = JSON.stringify(now);
  if (texts(now) !== known.filled && texts(now).length > 9 && !known.kept.includes(current)) known.kept.push(current);
  const before = known.kept.at(known.kept.indexOf(current) < 0 ? -1 : known.kept.indexOf(current) - 1);
  const result = contents ?? (before ? JSON.parse(before) : first.map((each, place) => (place < 2 ? "" : each)));
  known.filled = contents ? texts(contents) : known.filled;
  return result.length > 1 ? result : result[0];
};
// JSON that stands on one line, over several lines; of documents a line each, a list. Only space between parts changes:
// numbers and repeated keys stay as they are written. What would be read otherwise, or no longer, stays as it is.
window.docieIndented = (text) => {
  const lines = text.split("\n").filter((line) => /[^ \t\r\v\f]/.test(line));
  try {
    const rows = lines.map((line) => JSON.parse(line));
    const areDocuments = rows.every((row) => row && typeof row === "object" && !Array.isArray(row));
    const isOneList = ["box", "quad", "category"].some((key) => Object.hasOwn(rows[0], key));
    if (rows.length > 1 && (!areDocuments || isOneList)) return text;
  } catch {
    return text;
  }
  const joined = lines.length > 1 ? `[${lines.join(",")}]` : lines[0];
  const parts = joined.match(/"(?:[^"\\]+|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/g);
  const result = [];
  let depth = 0, length = 0;
  for (const [place, part] of parts.entries()) {
    const before = place ? parts[place - 1] : ":";
    if ("}]".includes(part)) depth -= 1;
    const starts = "}]".includes(part) ? !"{[".includes(before) : "{[,".includes(before);
    result.push(starts ? `\n${"  ".repeat(depth)}` : "", part, part === ":" ? " " : "");
    if ("{[".includes(part)) depth += 1;
    length += part.length + 1 + (starts ? 1 + 2 * depth : 0);
    if (length > 1e6) return text; // no page reads more
  }
  return result.join("");
};
const offerIndents = () => {
  const isJson = document.querySelector("#form input")?.value === "JSON";
  for (const button of document.querySelectorAll(".dx-indent")) {
    const field = button.id.replace("-indent", "");
    const lines = [...document.querySelectorAll(`#${field} .cm-line`)].map((line) => line.textContent).filter(Boolean);
    const stands = lines.length > 0 && lines.every((line) => /^[{[]\s*[^\s}\]]/.test(line));
    button.toggleAttribute("data-offered", stands && (isJson || field !== "predictions"));
  }
};
const opened = new Set();
const nameOf = (details) => details.id || details.querySelector("summary").textContent;
document.addEventListener("toggle", (event) => {
  if (!event.target.closest?.(".dx")) return;
  event.target.open ? opened.add(nameOf(event.target)) : opened.delete(nameOf(event.target));
}, true);
const keepOpen = () => {
  for (const details of document.querySelectorAll(".dx details:not([open], [data-seen])")) {
    details.dataset.seen = "";
    details.open = opened.has(nameOf(details));
  }
};
const sortBy = (button) => {
  const heading = button.closest("th");
  const table = heading.closest("table");
  const column = heading.cellIndex;
  const isDescending = heading.getAttribute("aria-sort") === "ascending";
  for (const other of table.querySelectorAll("th[aria-sort]")) other.removeAttribute("aria-sort");
  heading.setAttribute("aria-sort", isDescending ? "descending" : "ascending");
  const text = (row) => row.cells[column].textContent;
  const rows = [...table.tBodies[0].rows];
  rows.sort((one, other) => {
    const difference = Number(text(one)) - Number(text(other));
    return Number.isNaN(difference) ? text(one).localeCompare(text(other)) : difference;
  });
  table.tBodies[0].append(...(isDescending ? rows.reverse() : rows));
};
// Pictures stay large when a result comes, whose button is a new one.
const showPressed = () => {
  const isLarge = document.documentElement.classList.contains("dx-large");
  for (const button of document.querySelectorAll(".dx-larger")) button.setAttribute("aria-pressed", isLarge);
};
document.addEventListener("click", async (event) => {
  const target = document.getElementById(event.target.closest?.(".dx-bar a")?.hash.slice(1));
  for (const details of target?.querySelectorAll(":scope > details") ?? []) details.open = true;
  const button = event.target.closest?.("button");
  if (button?.closest(".dx-sortable thead")) sortBy(button);
  if (button?.matches(".dx-larger")) {
    document.documentElement.classList.toggle("dx-large");
    showPressed();
  }
  if (button?.matches(".dx-copy")) {
    await navigator.clipboard.writeText(button.parentElement.querySelector("code").textContent);
    button.textContent = "Copied";
    setTimeout(() => { button.textContent = "Copy"; }, 2000);
  }
});
// Long texts in editors scroll; the keyboard reaches them, and says what they are. Escape, then Tab leaves them.
new MutationObserver(() => {
  showPressed();
  keepOpen();
  offerIndents();
  for (const text of document.querySelectorAll(".cm-content:not([tabindex])")) {
    text.tabIndex = 0;
    text.setAttribute("aria-label", `${text.closest("[id]").querySelector("label")?.textContent.trim() ?? "text"}. Escape, then Tab leaves it.`);
  }
}).observe(document.documentElement, { childList: true, subtree: true });
