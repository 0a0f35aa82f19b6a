for (const find of document.querySelectorAll(".rp .find")) {
  const plain = text => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
  const games = [...document.querySelectorAll(".rp .games li")].map(row => [row, plain(row.textContent + " " + row.dataset.s)]);
  const hits = document.querySelector(".rp .hits");
  const input = find.querySelector("input");
  find.hidden = false;
  input.addEventListener("input", () => {
    const words = plain(input.value).split(/\s+/).filter(Boolean);
    let count = 0;
    for (const [row, text] of games) {
      row.hidden = !words.every(word => text.includes(word));
      count += !row.hidden;
    }
    for (const month of document.querySelectorAll(".rp section")) month.hidden = !month.querySelector("li:not([hidden])");
    hits.textContent = words.length ? `${count || "no"} ${count === 1 ? "game" : "games"} found` : "";
  });
}
