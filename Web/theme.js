// Runs before the first paint, to avoid a flash of wrong colours, and preloads the first strings of the language
// that lib/i18n.js will choose. A classic script, because modules run too late.
(function () {
  let saved = {}, language = navigator.language;
  try {
    // As in lib/base.js.
    const base = new URL(".", /** @type {HTMLScriptElement} */ (document.currentScript).src).pathname;
    const named = base === "/" ? "shelflist" : `shelflist${base}`;
    saved = JSON.parse(localStorage.getItem(`${named}.look`) || "{}");
    language = localStorage.getItem(`${named}.language`) || language;
  } catch {
    // Storage may be blocked; then the system's setting is used.
  }
  const dark = saved.mode === "dark" ||
    (saved.mode !== "light" && matchMedia("(prefers-color-scheme: dark)").matches);
  document.documentElement.dataset.theme = dark ? saved.dark || "lamplight" : saved.light || "paper";
  const words = document.createElement("link");
  words.rel = "modulepreload";
  words.href = `i18n/first/${/^de/.test(language) ? "de" : "en"}.js`;
  document.head.append(words);
})();
