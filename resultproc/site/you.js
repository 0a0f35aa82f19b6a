// Makes: label input you p
for (const title of document.querySelectorAll(".rp header h1")) {
  const key = "rp-you", name = title.textContent;
  try {
    const label = document.createElement("label"), box = document.createElement("input");
    box.type = "checkbox";
    box.checked = localStorage.getItem(key) === name;
    box.addEventListener("change", () => box.checked ? localStorage.setItem(key, name) : localStorage.removeItem(key));
    label.className = "you";
    label.append(box, " This is me (only this browser knows)");
    title.after(label);
  } catch {}
}
