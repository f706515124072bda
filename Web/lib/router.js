// Screens by address: `#/library/42?edit=1`. The hash needs nothing from the server and works offline.

/** @param {string} hash */
export function parse(hash) {
  const [path, query = ""] = hash.replace(/^#/, "").split("?");
  const parts = path.split("/").filter(Boolean).map((part) => {
    try {
      return decodeURIComponent(part);
    } catch {
      return part;
    }
  });
  return { parts, path: "/" + parts.join("/"), query: new URLSearchParams(query) };
}

/**
 * The route that fits: patterns are like `scan/:id`.
 *
 * @param {Record<string, any>} routes
 * @param {string[]} parts
 */
export function match(routes, parts) {
  for (const [pattern, target] of Object.entries(routes)) {
    const wanted = pattern.split("/").filter(Boolean);
    if (wanted.length !== parts.length) continue;
    const params = {};
    if (wanted.every((w, i) => w.startsWith(":") ? (params[w.slice(1)] = parts[i], true) : w === parts[i])) {
      return { target, params, pattern };
    }
  }
  return undefined;
}

/** @param {string} path @param {{replace?: boolean}} [options] */
export function go(path, options = {}) {
  const hash = "#" + path;
  if (options.replace) {
    history.replaceState(history.state, "", hash);
    dispatchEvent(new HashChangeEvent("hashchange"));
  } else location.hash = hash;
}

let depth = 0;
if (typeof document !== "undefined") addEventListener("hashchange", () => depth++);

/** Goes back where there is something to go back to, else to `path`. */
export function back(path) {
  if (depth > 0 && history.length > 1) {
    depth -= 2; // going back is a change of the hash as well
    history.back();
  } else go(path, { replace: true });
}
