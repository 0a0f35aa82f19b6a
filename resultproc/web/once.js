// A second click on a button before the answer is here is none.
document.addEventListener("submit", event => {
  if (event.target.dataset.sent) event.preventDefault();
  event.target.dataset.sent = "yes";
  setTimeout(() => delete event.target.dataset.sent, 5000);
});
