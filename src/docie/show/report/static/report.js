// Without this, all but the documents behind the first hundred can be read: it finds and opens documents by a value, a
// field or a kind of error, which the fragment of the address keeps.
{
  const by = (id) => document.getElementById(id);
  const STEP = 100;
  const WANTED = ["value", "field", "kind"];

  const unpack = async (id) => {
    const bytes = Uint8Array.from(atob(by(id).textContent), (character) => character.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
    return JSON.parse(await new Response(stream).text());
  };

  async function listDocuments(list) {
    const [errors, kinds, entries] = await unpack("index");
    const rows = [...list.children];
    const bodies = new Map();
    const tools = { value: by("sought"), field: by("field"), kind: by("kind") };
    let most = STEP, only = -1;

    const rowOf = (place) => {
      if (rows[place]) return rows[place];
      const row = (rows[place] = document.createElement("li"));
      row.innerHTML = `<details><summary>${entries[place][0]}</summary></details>`;  // the page's own, escaped
      const details = row.firstChild, block = Math.floor(place / STEP);
      details.addEventListener("toggle", async () => {
        if (!bodies.has(block)) bodies.set(block, unpack(`bodies-${block}`));
        details.insertAdjacentHTML("beforeend", (await bodies.get(block))[place % STEP]);
        mark(details);
        reach();
      }, { once: true });
      return row;
    };
    const fieldOf = (row) => {  // with the type of its group: other groups have fields of this name too
      if (row.dataset.field) return row.dataset.field;
      const group = row.closest("table").caption?.querySelector(".docie-name")?.textContent.trim().match(/^(.*)\[\d+\]$/);
      return (group ? `${group[1]}.` : "") + row.querySelector("th bdi")?.textContent.trim();
    };
    const mark = (shown) => {  // the errors that are asked for, and the headings of their groups
      const field = tools.field.value, kind = tools.kind.value;
      let heading;
      for (const row of shown.querySelectorAll("tr")) {
        if (row.matches(".group")) heading = row;
        const isSought = (field || kind) && (!kind || row.matches(`.docie-${kind}, :has(> td.docie-${kind})`)) && !row.matches(".docie-right, thead *");
        const isNamed = row.id && `#${row.id}` === location.hash;
        row.classList.toggle("docie-sought", Boolean(isNamed || (isSought && (!field || field === fieldOf(row)))));
        if (heading) heading.hidden = Boolean(field || kind) && (row === heading || heading.hidden) && !row.matches(".docie-sought");
      }
    };
    const reach = () => {  // the row that the address names
      const row = by(location.hash.slice(1))?.closest("tr");
      for (let fold = row?.closest("details"); fold; fold = fold.parentElement.closest("details")) fold.open = true;
      if (row) row.tabIndex = -1, row.scrollIntoView({ block: "center" }), row.focus({ preventScroll: true });
    };
    const show = () => {
      const value = tools.value.value.trim().toLowerCase(), field = tools.field.value, kind = tools.kind.value;
      const wanted = new Set(errors.flatMap(([of, is], place) => ((!field || of === field) && (!kind || is === kind) ? [place] : [])));
      const found = only in entries ? [only] : entries.flatMap(([, has, text], place) =>
        (!(field || kind) || has.some((each) => wanted.has(each))) && (!value || text.includes(value)) ? [place] : []);
      list.replaceChildren(...found.slice(0, most).map(rowOf));
      mark(list);
      by("more").hidden = found.length <= most;
      list.classList.toggle("is-filtered", Boolean(field || kind));
      by("found").textContent = [
        found.length < entries.length ? `${found.length.toLocaleString("en")} of ${entries.length.toLocaleString("en")} documents` : "",
        (field || kind) && list.querySelector(".docie-block") ? "they show the groups with these errors only" : "",
        (field || kind) && list.querySelector(".docie-answers") ? "they show these values only" : "",
      ].filter(Boolean).join("; ");
      by("open-all").textContent = "Open all";
      for (const link of document.querySelectorAll("a[href*='=']")) link.toggleAttribute("aria-current", link.hash === location.hash);
    };
    const read = () => {  // the filter that the address names
      if (!location.hash.includes("=")) return false;
      const wanted = new URLSearchParams(location.hash.slice(1));
      for (const name of WANTED) tools[name].value = wanted.get(name) ?? "";
      [most, only] = [STEP, Number(wanted.get("document") ?? -1)];
      show();
      if (list.children.length === 1) for (const each of list.querySelectorAll(":scope > li > details, details.more")) each.open = true;
      by("documents").scrollIntoView();
      by("found").focus({ preventScroll: true });
      reach();
      return true;
    };
    const note = () => {
      const wanted = new URLSearchParams(WANTED.flatMap((name) => (tools[name].value ? [[name, tools[name].value]] : [])));
      history.replaceState(null, "", `#${wanted.size ? wanted : "documents"}`);
      [most, only] = [STEP, -1];
      show();
    };

    const options = (values, words) => [...new Set(values)].sort().map((value) => new Option(words?.[value] ?? value, value));
    tools.field.append(...options(errors.map(([field]) => field)));
    tools.kind.append(...options(errors.map(([, kind]) => kind), kinds));
    by("tools").hidden = entries.length < 2;
    by("tools").addEventListener("input", note);
    by("clear").addEventListener("click", () => {
      for (const name of WANTED) tools[name].value = "";
      note();
    });
    by("more").addEventListener("click", () => { most += STEP; show(); });
    by("open-all").addEventListener("click", ({ target }) => {
      const isOpening = target.textContent === "Open all";
      for (const row of list.children) row.firstElementChild.open = isOpening;
      target.textContent = isOpening ? "Close all" : "Open all";
    });
    addEventListener("hashchange", read);
    if (!read()) show();
  }

  if (by("list")) listDocuments(by("list"));
}
