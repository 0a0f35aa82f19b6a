// Makes: hits find input label mine p
for (const page of document.querySelectorAll(".rp")) {
  const facts = page.querySelector("header .facts");
  if (!facts || page.querySelector(".find")) continue;
  const plain = text => " " + rpPlain(text);
  // O'Neill is found as it is written, by its second part, and in one word.
  const has = (who, word) => [who, who.replace(/ ([dlo]) /g, " $1")].some(each => each.includes(" " + word));
  // Players of a contestant have an element each, which their ranks stand in as well; a list of players has their names.
  const players = cell => {
    const each = [...cell.querySelectorAll("span")];
    return plain(each.length ? each.map(one => one.firstChild.textContent).join(" ") : cell.textContent);
  };
  const lists = new Map();
  for (const row of page.querySelectorAll("tbody tr:not(.why)")) {
    const cell = row.querySelector("th.n");
    if (cell && !row.closest(".sheet, .recap")) lists.set(row, players(cell));
  }
  facts.insertAdjacentHTML("afterend", '<label class="find">Find a name <input type="search" autocomplete="off" spellcheck="false" enterkeyhint="search"></label><p class="hits" role="status"></p>');
  const input = page.querySelector(".find input");
  let found = [], at = -1, you;
  try { you = localStorage["rp-you"]; } catch {}
  const go = () => {
    const words = plain(input.value).split(" ").filter(Boolean);
    const asked = words.join("").length > 1;
    const known = [...new Set(lists.values())].filter(who => asked && words.every(word => has(who, word)));
    found = [];
    at = -1;
    for (const [row, who] of lists) if (row.classList.toggle("mine", known.includes(who))) found.push(row);
    // On boards a contestant's number is before its names.
    for (const row of page.querySelectorAll(":is(.sheet, .recap) tbody tr")) {
      const cells = [...row.querySelectorAll(".n, td.l")].map(each => plain(each.textContent));
      row.classList.toggle("mine", cells.some(cell => known.some(who => cell.endsWith(who))));
    }
    page.querySelector(".hits").textContent =
      !asked ? "" : !known.length ? "Nobody here is called so." : `${known.length} found; Enter leads there.`;
  };
  input.addEventListener("input", go);
  if (you && [...lists.values()].some(who => who.includes(plain(you)))) { input.value = you; go(); }
  for (const each of [input, ...lists.keys()]) each.addEventListener("keydown", event => {
    if (event.key !== "Enter" || event.target !== each || !found.length) return;
    at = (at + 1) % found.length;
    found[at].tabIndex = -1;
    found[at].focus({preventScroll: true});
    found[at].scrollIntoView({block: "center"});
  });
}
