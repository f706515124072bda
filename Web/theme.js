// Runs before the first paint, so that nobody sees the wrong colours flash by. A classic script on purpose.
(function () {
  let saved = {};
  try {
    saved = JSON.parse(localStorage.getItem("shelflist.look") || "{}");
  } catch {
    // Storage may be forbidden; then the system decides.
  }
  const dark = saved.mode === "dark" ||
    (saved.mode !== "light" && matchMedia("(prefers-color-scheme: dark)").matches);
  document.documentElement.dataset.theme = dark ? saved.dark || "lamplight" : saved.light || "paper";
})();
