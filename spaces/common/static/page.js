// Everything can be read without this: it keeps what is entered until the tab is closed, makes it a link, brings back what
// an example or a button replaced, sorts tables, copies lines, makes pictures larger, and indents JSON.
// A desk is what the server says of the fields of a form, with `values`, what stands in them; `replaced`, those of the
// visitor that examples replaced; and `applied`, what a button has set, with the options `before` and `after` it.
const MOST_OF_LINK = 6000; // proxies cut longer addresses
const desks = {};
const isSame = (one, other) => JSON.stringify(one) === JSON.stringify(other);
const some = (names, values) => Object.fromEntries(names.map((name) => [name, values[name]]));
const through = (text, stream) => new Response(new Blob([text]).stream().pipeThrough(stream));
const packed = async (values) => {
  const bytes = new Uint8Array(await through(JSON.stringify(values), new CompressionStream("deflate")).arrayBuffer());
  if (bytes.length > MOST_OF_LINK) return "";
  const text = btoa(String.fromCharCode(...bytes)).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");
  return text.length > MOST_OF_LINK ? "" : text;
};
const unpacked = async (text) => {
  const bytes = Uint8Array.from(atob(text.replace(/-/g, "+").replace(/_/g, "/")), (each) => each.charCodeAt(0));
  return JSON.parse(await through(bytes, new DecompressionStream("deflate")).text());
};
// Whether fields can hold these values: those of a link may be anybody's.
const isFit = (desk, values) => Object.entries(values).every(([name, value]) => {
  const [now, choices] = [desk.values[name], desk.choices[name]];
  if (now === undefined) return false;
  if (now === null || value === null) return true;
  if (typeof value !== typeof now || Array.isArray(value) !== Array.isArray(now)) return false;
  return !choices || [value].flat().every((each) => choices.includes(each));
});
// What is too large for the browser's storage is left out of it.
const keep = (desk) => {
  for (const most of [Infinity, 100_000, 0]) {
    const short = (name, value) => (value?.length > most && typeof value === "string" ? "" : value);
    try {
      return sessionStorage.setItem(desk.key, JSON.stringify(some(["values", "replaced", "applied"], desk), short));
    } catch { /* shorter, or not at all */ }
  }
};
const read = (desk, now) => { desk.values = Object.fromEntries(desk.names.map((name, place) => [name, now[place]])); };
const lineOf = (desk) => (desk.applied ? `<div class="dx-field docie-theme">${desk.applied.line}</div>` : "");
const shown = (desk) => {
  const said = desk.problem || (desk.replaced.length ? "An example took the place of what you had entered." : "");
  const mark = desk.problem ? "dx-problem" : "dx-offer";
  const notice = said && `<div class="dx-field docie-theme" role="status"><p class="${mark}">${said}</p></div>`;
  keep(desk);
  return [...desk.names.map((name) => desk.values[name]), notice, lineOf(desk)];
};
const isOwn = (desk) => {
  const texts = some(desk.texts, desk.values);
  const isExample = Object.values(desk.examples).some((example) => isSame(some(desk.texts, example), texts));
  return !isExample && Object.values(texts).some((text) => text?.trim());
};
window.docie = {
  // When the page opens: what a link holds, or what stood there before it was loaded again.
  async opened(name, told, now) {
    const desk = desks[name] = { ...told, values: {}, replaced: [], applied: null };
    read(desk, now);
    const address = new URL(location.href);
    const link = address.searchParams.get(name);
    try {
      const kept = link === null ? JSON.parse(sessionStorage.getItem(desk.key)) : { values: await unpacked(link) };
      if (!isFit(desk, kept?.values ?? {})) throw new TypeError();
      Object.assign(desk, kept, { values: { ...desk.values, ...kept?.values } });
    } catch {
      desk.problem = link === null ? "" : "The link is damaged: it holds nothing that could be read.";
    }
    address.searchParams.delete(name); // what is entered from now on is not in it
    history.replaceState(history.state, "", address);
    return shown(desk);
  },
  // Whenever something changes: no more of a text that is too long is sent than shows that it is.
  sent(name, values, most) {
    read(desks[name], values);
    keep(desks[name]);
    return values.map((each) => (each?.length > most ? each.slice(0, most + 2) : each));
  },
  filled(name, example, now) {
    const desk = desks[name];
    read(desk, now);
    if (isOwn(desk)) desk.replaced.push({ values: desk.values, applied: desk.applied });
    Object.assign(desk, { values: { ...desk.values, ...desk.examples[example] }, applied: null, problem: "" });
    return shown(desk);
  },
  undone(name, now) {
    const desk = desks[name];
    read(desk, now);
    const before = desk.replaced.pop();
    if (isOwn(desk)) desk.replaced.unshift({ values: desk.values, applied: desk.applied });
    Object.assign(desk, before);
    return shown(desk);
  },
  applied(name, now) {
    const desk = desks[name];
    const offer = document.querySelector("#finding [data-options]");
    read(desk, now);
    if (!offer) return shown(desk);
    const after = JSON.parse(offer.dataset.options);
    const { line, before } = desk.applied ?? { line: "", before: some(Object.keys(after), desk.values) };
    desk.applied = { line: line + offer.querySelector("[hidden]").innerHTML, before, after };
    desk.values = { ...desk.values, ...after };
    return shown(desk);
  },
  takenBack(name, now) {
    const desk = desks[name];
    read(desk, now);
    Object.assign(desk, { values: { ...desk.values, ...desk.applied?.before }, applied: null });
    return shown(desk);
  },
  judged(name, now) {
    const desk = desks[name];
    read(desk, now);
    desk.values = { ...desk.values, corrections: judgedLines };
    return shown(desk);
  },
  // An option that is changed by hand: what a button has set is no longer what stands there.
  chosen(name, now) {
    const desk = desks[name];
    read(desk, now);
    if (desk.applied && !isSame(some(Object.keys(desk.applied.after), desk.values), desk.applied.after)) desk.applied = null;
    return lineOf(desk);
  },
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
const say = (button, text) => {
  const before = button.dataset.text ??= button.innerHTML;
  button.textContent = text;
  setTimeout(() => { button.innerHTML = before; }, 2000);
};
const copy = async (button, text) => {
  try {
    await navigator.clipboard.writeText(text);
    say(button, "Copied");
  } catch { // the browser refuses: it can be copied by hand
    const field = button.parentElement.querySelector("textarea") ?? document.createElement("textarea");
    Object.assign(field, { value: text, readOnly: true, className: "dx-by-hand", ariaLabel: "Copy this by hand" });
    button.after(field);
    field.select();
  }
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
  if (button?.matches(".dx-copy")) await copy(button, button.parentElement.querySelector("code").textContent);
  if (button?.matches(".dx-link")) {
    const text = await packed(desks[button.dataset.desk].values);
    const address = new URL(location.pathname, location.href);
    address.searchParams.set(button.dataset.desk, text);
    if (text) await copy(button, address.href);
    else say(button, "Too long for a link: save the files");
  }
});
// What was judged is an option; the button that takes it is never seen.
let judgedLines = "";
const judge = (lines) => {
  judgedLines = lines;
  document.querySelector("#judged")?.click();
};
document.addEventListener("docie-judged", ({ detail }) => judge(detail));
document.addEventListener("click", ({ target }) => target.closest?.(".dx-uncorrect") && judge(""));
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
