// Before anything is painted, or a page that is to be dark would flash.
try {
  document.body.dataset.theme = localStorage.getItem("theme") || "auto";
} catch {
  document.body.dataset.theme = "auto"; // storage is switched off
}
