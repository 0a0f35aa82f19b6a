// Makes: span
// As people write a name: without accents, letter case and what is between the words. A page may have this twice.
function rpPlain(text, between = " ") {
  const letters = {ø: "o", ł: "l", ß: "ss", æ: "ae", œ: "oe", đ: "d", ð: "d", þ: "th", ı: "i"};
  const bare = text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase().replace(/[øłßæœđðþı]/g, each => letters[each]);
  return bare.replace(/[^\p{L}\p{N}\s]+/gu, between).replace(/\s+/g, " ").trim();
}
for (const table of document.querySelectorAll(".rp table.sorts")) {
  const collator = new Intl.Collator(undefined, {numeric: true});
  // Names go by family: by what is before a comma, else by the last word that is no addition.
  const byFamily = cell => {
    const first = (cell.querySelector("span") ?? cell).textContent.replace(/ –\s*$/, "").trim();
    if (first.includes(",")) return rpPlain(first, "");
    const words = rpPlain(first, "").split(" ");
    const family = words.findLastIndex((word, at) => !at || !/^([js]r|i{2,3}|iv)$/.test(word));
    return [...words.slice(family), ...words.slice(0, family)].join(" ");
  };
  const heads = [...table.querySelectorAll("thead th[data-c]")];
  for (const head of heads) {
    // A button element would not be printed again above the rows of the next page.
    const button = document.createElement("span");
    button.setAttribute("role", "button");
    button.tabIndex = 0;
    if (head.dataset.l) button.dataset.l = head.dataset.l;
    button.append(...head.childNodes);
    head.append(button);
    const sort = () => {
      const rising = head.getAttribute("aria-sort") !== "ascending";
      for (const other of heads) other.removeAttribute("aria-sort");
      head.setAttribute("aria-sort", rising ? "ascending" : "descending");
      const rows = [...table.tBodies[0].rows].filter(row => !row.classList.contains("why"));
      const keys = new Map(rows.map(row => {
        const cell = row.cells[head.dataset.c];
        return [row, cell.dataset.s ?? cell.querySelector("time")?.dateTime ?? (cell.matches("th.n") ? byFamily(cell) : cell.textContent.trim())];
      }));
      rows.sort((one, other) => {
        const [a, b] = [keys.get(one), keys.get(other)];
        if (!a || !b) return (a ? 0 : 1) - (b ? 0 : 1);
        const numbers = parseFloat(a) - parseFloat(b);
        const order = (Number.isNaN(numbers) ? 0 : numbers) || collator.compare(a, b);
        return rising ? order : -order;
      });
      for (const row of rows) {
        const below = row.nextElementSibling;
        table.tBodies[0].append(row);
        if (below?.classList.contains("why")) table.tBodies[0].append(below);
      }
    };
    button.addEventListener("click", sort);
    button.addEventListener("keydown", event => {
      if (event.key !== "Enter" && event.key !== " ") return;
      event.preventDefault();
      sort();
    });
  }
}
