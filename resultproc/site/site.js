for (const find of document.querySelectorAll(".rp .find")) {
  const rows = [...document.querySelectorAll(".rp [data-s]")].map(row => [row, rpPlain(row.textContent + " " + row.dataset.s)]);
  const kinds = [[".games", "game", "games"], [".players", "player", "players"]].filter(([list]) => document.querySelector(list));
  const hits = document.querySelector(".rp .hits");
  const input = find.querySelector("input");
  find.hidden = false;
  input.addEventListener("input", () => {
    const words = rpPlain(input.value).split(/\s+/).filter(Boolean);
    for (const [row, text] of rows) row.hidden = !words.every(word => text.includes(word));
    for (const part of document.querySelectorAll(".rp section")) part.hidden = !part.querySelector("li:not([hidden])");
    const found = kinds.map(([list, one, several]) => {
      const count = document.querySelectorAll(`${list} li:not([hidden])`).length;
      return `${count || "no"} ${count === 1 ? one : several}`;
    });
    hits.textContent = words.length ? `${found.join(" and ")} found` : "";
  });
}
