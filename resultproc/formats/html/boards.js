// Makes: label select option mine other
for (const page of document.querySelectorAll(".rp")) {
  const all = () => (typeof rpSheets === "undefined" ? null : rpSheets(page)) ?? [...page.querySelectorAll(".cards .sheet")];
  const board = row => row.querySelector(".first").textContent;
  const result = row => row.querySelector(".a").textContent;
  let own = "";
  // Another pair's percentage beside the own one, board by board.
  const beside = (card, other) => {
    for (const cell of card.querySelectorAll(".other")) cell.remove();
    if (!other) return;
    const name = other.querySelector("h2").firstChild.textContent.trim();
    const got = new Map([...other.querySelectorAll("tbody tr")].map(row => [board(row), result(row)]));
    for (const row of card.querySelectorAll("tr")) {
      const head = row.parentNode.tagName === "THEAD";
      const cell = document.createElement(head ? "th" : "td");
      cell.className = "other pct";
      if (head) cell.scope = "col";
      else cell.dataset.l = name;
      cell.textContent = head ? name : got.get(board(row)) ?? "";
      row.append(cell);
    }
  };
  const shown = () => {
    const sheet = page.querySelector(".sheet:target");
    if (!sheet) return;
    if (!sheet.closest(".cards")) {
      // On a board: the line of whoever's scorecard was open before.
      const mine = row => own && row.querySelector(`a[href="#${own}"]`);
      const rows = [...sheet.querySelectorAll("tbody tr")];
      const scores = new Set(rows.filter(mine).map(result));
      for (const row of rows) row.classList.toggle("mine", Boolean(mine(row) || scores.has(row.querySelector(".k")?.textContent)));
      return;
    }
    own = sheet.id;
    if (sheet.querySelector("select")) return;
    const label = document.createElement("label");
    label.textContent = "Compare with ";
    const select = document.createElement("select");
    select.append(new Option("", ""));
    for (const card of all()) if (card !== sheet) select.append(new Option(card.querySelector("h2").firstChild.textContent.trim(), card.id));
    select.addEventListener("change", () => beside(sheet, all().find(card => card.id === select.value)));
    label.className = "versus";
    label.append(select);
    sheet.querySelector("table").before(label);
  };
  addEventListener("hashchange", shown);
  addEventListener("load", shown);
}
