// Whoever said so on the own page is led there, and to the own result: only this browser knows.
for (const place of document.querySelectorAll(".rp .you")) {
  let you = null;
  try { you = localStorage.getItem("rp-you"); } catch {}
  const own = [...document.querySelectorAll(".players a")].find(each => each.textContent === you);
  place.hidden = !own;
  if (own) place.append("You: ", own.cloneNode(true));
}
for (const find of document.querySelectorAll(".rp .find")) {
  const rows = [...document.querySelectorAll(".rp [data-s]")].map(row => [row, rpPlain(row.textContent + " " + row.dataset.s)]);
  const kinds = [[".games", "Games"], [".players", "Players"]].filter(([list]) => document.querySelector(list));
  const hits = document.querySelector(".rp .hits");
  const input = find.querySelector("input");
  find.hidden = false;
  input.addEventListener("input", () => {
    const words = rpPlain(input.value).split(/\s+/).filter(Boolean);
    for (const [row, text] of rows) row.hidden = !words.every(word => text.includes(word));
    for (const part of document.querySelectorAll(".rp section")) part.hidden = words.length > 0 && !part.querySelector("[data-s]:not([hidden])");
    const found = kinds.map(([list, said]) => {
      const shown = document.querySelectorAll(`${list} > li:not([hidden])`);
      return `${said}: ${shown.length}`;
    });
    hits.textContent = words.length ? found.join(" · ") : "";
    // The first ones can be tapped at once; players are few, and who searches means them.
    const first = [...document.querySelectorAll(".players > li:not([hidden]) > a"), ...document.querySelectorAll(".games > li:not([hidden]) > a")];
    const tapped = words.length ? first.slice(0, 4) : [];
    hits.nextElementSibling.replaceChildren(...tapped.map(link => {
      const copy = link.cloneNode(true);
      const [when] = link.parentNode.dataset.s.split(" | ");
      if (when) copy.append(`, ${when}`);
      return copy;
    }));
  });
}
