"use strict";
// Everything can be read without this: it sorts tables, copies lines, and makes pictures larger.
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
  for (const text of document.querySelectorAll(".cm-content:not([tabindex])")) {
    text.tabIndex = 0;
    text.setAttribute("aria-label", `${text.closest("[id]").querySelector("label")?.textContent.trim() ?? "text"}. Escape, then Tab leaves it.`);
  }
}).observe(document.documentElement, { childList: true, subtree: true });
