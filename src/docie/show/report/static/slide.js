// A slider shows one row of the table behind it.
document.addEventListener("input", ({ target: range }) => {
  const slider = range.closest(".docie-slider");
  if (!slider) return;
  const [first, ...cells] = [...slider.nextElementSibling.querySelector("tbody").rows[range.value].cells].map((cell) => cell.textContent.trim());
  slider.querySelector("output").textContent = first;
  range.setAttribute("aria-valuetext", first);
  slider.querySelectorAll("dd").forEach((shown, place) => { shown.textContent = cells[place]; });
});
