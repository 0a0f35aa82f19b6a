// Makes: a datalist h2 input k label list n narrow option output p section small table tbody td th thead tr
for (const section of document.querySelectorAll(".rp .whatif")) {
  const data = JSON.parse(section.querySelector("script").textContent);
  const chosen = [...data.fixed];
  const sliders = [];
  const points = hundredths => (hundredths / 100).toFixed(2);
  const make = (name, text, kind) => {
    const element = document.createElement(name);
    if (text !== undefined) element.textContent = text;
    if (kind) element.className = kind;
    return element;
  };
  // Only English has no nouns and names that keep their capitals within a sentence.
  const small = text => document.documentElement.lang === "en" ? text.toLowerCase() : text;
  // A table as all pages have it: in little room a row is its first column with the other cells below.
  const table = (title, columns, rows) => {
    const made = make("table", undefined, "list narrow");
    const head = made.createTHead().insertRow();
    for (const [heading, kind] of columns) {
      const cell = make("th", heading, kind);
      cell.scope = "col";
      head.append(cell);
    }
    const body = made.createTBody();
    for (const row of rows) {
      const line = body.insertRow();
      row.forEach((text, n) => {
        const [heading, kind, label] = columns[n];
        const cell = make(n ? "td" : "th", text, kind);
        if (n && text !== "") cell.dataset.l = small(label ?? heading);
        line.append(cell);
      });
    }
    const whole = make("section");
    whole.append(make("h2", title));
    if (rows.length) whole.append(made);
    return whole;
  };
  const strata = [["Stratum", "k"], ["Limit", ""], ["In it", ""], ["Paid", ""], ["Masterpoints", "a", "In all"], ["First award", ""]];
  const effects = [["Who", "n"], ["As it is", ""], ["Then", "a"], ["Change", ""]];
  const show = () => {
    for (const {letter, slider, said} of sliders) {
      chosen[letter] = data.limits[slider.value];
      said.textContent = chosen[letter] + (chosen[letter] === data.own[letter] ? ", as it is" : "");
      slider.setAttribute("aria-valuetext", said.textContent);
    }
    const found = data.cases[chosen.join("/")];
    const then = section.querySelector(".then");
    if (!found) {
      then.replaceChildren(make("p", "These limits do not fall from stratum to stratum, or the game cannot be awarded with them."));
      return;
    }
    const changed = data.names.map((name, n) => [name, data.now[n], found.awards[n], found.awards[n] - data.now[n]])
      .filter(row => row[3]).sort((one, other) => one[3] - other[3])
      .map(([name, now, then, gain]) => [name, points(now), points(then), (gain > 0 ? "+" : "") + points(gain)]);
    then.replaceChildren(
      table("With these limits", strata, found.strata),
      table(changed.length ? "Who gains or loses" : "Nobody gains or loses", effects, changed),
    );
  };
  const free = data.fixed.flatMap((limit, letter) => limit === null ? [letter] : []);
  for (const [n, letter] of free.entries()) {
    const label = make("label", `${data.letters[letter]} up to`);
    const slider = make("input");
    // Each keeps room for those above and below, so that limits always fall.
    Object.assign(slider, {type: "range", min: free.length - 1 - n, max: data.limits.length - 1 - n});
    // It starts where the game is, else below the one before it; the limits of the game are marked.
    const own = data.limits.indexOf(data.own[letter] ?? "");
    const highest = n ? Math.min(slider.max, sliders[n - 1].slider.value - 1) : slider.max;
    slider.value = own < 0 ? highest : Math.min(own, highest);
    const stops = make("datalist");
    stops.id = `stops-${data.letters[letter]}`;
    for (const limit of data.own.filter(limit => data.limits.includes(limit ?? ""))) {
      const stop = make("option");
      stop.value = data.limits.indexOf(limit);
      stops.append(stop);
    }
    slider.setAttribute("list", stops.id);
    const said = make("output");
    slider.addEventListener("input", () => {
      sliders.forEach((each, m) => {
        const value = Number(slider.value) + n - m;
        if (m < n && each.slider.value < value || m > n && each.slider.value > value) each.slider.value = value;
      });
      show();
    });
    sliders.push({letter, slider, said});
    label.append(slider, stops, said);
    section.querySelector(".limits").append(label);
  }
  // Where the game has fewer strata, or lower limits than leave room below them, each begins above the next.
  for (let n = sliders.length - 2; n >= 0; n--) {
    const least = Number(sliders[n + 1].slider.value) + 1;
    if (sliders[n].slider.value < least) sliders[n].slider.value = least;
  }
  section.hidden = false;
  show();
}
