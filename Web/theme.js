// Runs before the first paint, so that nobody sees the wrong colours flash by, and asks for the language's words (the
// choice itself is lib/i18n.js's). A classic script on purpose.
(function () {
  let saved = {}, language = navigator.language;
  try {
    saved = JSON.parse(localStorage.getItem("shelflist.look") || "{}");
    language = localStorage.getItem("shelflist.language") || language;
  } catch {
    // Storage may be forbidden; then the system decides.
  }
  const dark = saved.mode === "dark" ||
    (saved.mode !== "light" && matchMedia("(prefers-color-scheme: dark)").matches);
  document.documentElement.dataset.theme = dark ? saved.dark || "lamplight" : saved.light || "paper";
  const words = document.createElement("link");
  words.rel = "modulepreload";
  words.href = `i18n/${/^de/.test(language) ? "de" : "en"}.js`;
  document.head.append(words);
})();
