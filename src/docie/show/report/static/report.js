"use strict";
// Everything can be read without this: it finds documents by a text, and opens them all.
const tools = document.getElementById("tools");
const items = [...document.querySelectorAll("#list > li")];
if (tools) tools.hidden = items.length < 2;
tools?.querySelector("#sought").addEventListener("input", (event) => {
  const sought = event.target.value.trim().toLowerCase();
  for (const item of items) item.hidden = !item.dataset.find.toLowerCase().includes(sought);
  const shown = items.filter((item) => !item.hidden).length;
  document.getElementById("found").textContent = sought ? `${shown} of ${items.length} documents` : "";
});
tools?.querySelector("#open-all").addEventListener("click", (event) => {
  const isOpening = event.target.textContent === "Open all";
  for (const item of items) if (!item.hidden) item.querySelector("details").open = isOpening;
  event.target.textContent = isOpening ? "Close all" : "Open all";
});
