// Makes: label select option mine other versus
for (const page of document.querySelectorAll(".rp")) {
  const board = row => row.querySelector(".first").textContent;
  const result = row => row.querySelector(".a")?.textContent ?? "";
  const called = sheet => sheet.querySelector("h2").firstChild.textContent.trim();
  const rows = sheet => [...sheet.querySelectorAll("tbody tr")];
  // Everybody's name, and what a scorecard has: also of those in other pages, which this one has in short.
  const all = () => {
    const short = page.querySelector("template.others")?.content.textContent.trim().split("\n");
    if (short) return short.map(line => line.split("\t")).map(([id, name, ...got]) => ({id, name, got: () => got.map(each => each.split("="))}));
    const sheets = typeof rpSheets === "undefined" ? [...page.querySelectorAll(".cards .sheet")] : rpSheets(page);
    return sheets.map(sheet => ({id: sheet.id, name: called(sheet), got: () => rows(sheet).map(row => [board(row), result(row)])}));
  };
  let own = "";
  // Another pair's percentage beside the own one, board by board.
  const beside = (card, other) => {
    for (const cell of card.querySelectorAll(".other")) cell.remove();
    if (!other) return;
    const got = new Map(other.got());
    for (const row of card.querySelectorAll("tr")) {
      const head = row.parentNode.tagName === "THEAD";
      const cell = document.createElement(head ? "th" : "td");
      cell.className = card.querySelector("td.pct") ? "other pct" : "other";
      if (head) cell.scope = "col";
      else cell.dataset.l = other.name;
      cell.textContent = head ? other.name : got.get(board(row)) ?? "";
      row.append(cell);
    }
  };
  const shown = () => {
    const sheet = page.querySelector(".sheet:target");
    if (!sheet) return;
    if (!sheet.closest(".cards")) {
      // On a board: the line of whoever's scorecard was open before.
      const mine = row => own && row.querySelector(`a[href="#${own}"]`);
      const scores = new Set(rows(sheet).filter(mine).map(result));
      for (const row of rows(sheet)) row.classList.toggle("mine", Boolean(mine(row) || scores.has(row.querySelector(".k")?.textContent)));
      return;
    }
    own = sheet.id;
    if (sheet.querySelector("select")) return;
    const label = document.createElement("label");
    label.textContent = "Compare with ";
    const select = document.createElement("select");
    select.append(new Option("", ""));
    for (const other of all()) if (other.id !== sheet.id) select.append(new Option(other.name, other.id));
    select.addEventListener("change", () => beside(sheet, all().find(other => other.id === select.value)));
    label.className = "versus";
    label.append(select);
    sheet.querySelector("table").before(label);
  };
  addEventListener("hashchange", shown);
  addEventListener("load", shown);
}
