// A heavy page has its boards as text, of which elements are made when one is asked for.
const rpFolded = [...document.querySelectorAll(".rp .sheets > noscript")].map(text => {
  let made = null;
  return {
    text,
    get sheets() {
      if (!made) {
        const template = document.createElement("template");
        template.innerHTML = text.textContent;
        made = [...template.content.children];
      }
      return made;
    },
  };
});
const rpSheets = page => rpFolded.flatMap(each => each.text.closest(".cards") && page.contains(each.text) ? each.sheets : []);
const rpUnfold = () => {
  const id = location.hash.slice(1);
  const wanted = rpFolded.flatMap(each => each.text.parentNode.id === id ? each.sheets : each.sheets.filter(sheet => sheet.id === id));
  if (!id || wanted.every(sheet => sheet.isConnected)) return;
  for (const each of rpFolded) each.text.before(...each.sheets.filter(sheet => sheet.isConnected || wanted.includes(sheet)));
  for (const find of document.querySelectorAll(".rp .find input")) find.dispatchEvent(new Event("input"));
  location.replace(location.href);  // it is there now, and is shown
};
addEventListener("hashchange", rpUnfold);
addEventListener("load", rpUnfold);
