"use strict";
// What belongs together lights up: a value and its boxes, and the two places of a value that stands in the wrong one.
const light = ({ target }) => {
  for (const lit of document.querySelectorAll(".docie-lit")) lit.classList.remove("docie-lit");
  for (const name of ["data-docie-pair", "data-docie-partner"]) {
    const source = target.closest?.(`[${name}]`), ofBoxes = name === "data-docie-pair" && source?.closest(".dx");
    const around = source?.closest(".docie-scanned") ?? (ofBoxes || source?.closest(".docie-view"));
    for (const each of around?.querySelectorAll(`[${name}]`) ?? [])
      if (each.getAttribute(name) === source.getAttribute(name)) each.classList.add("docie-lit");
  }
};
document.addEventListener("mouseover", light);
document.addEventListener("focusin", light);
