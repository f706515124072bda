// Maps addresses such as `#/library/42?edit=1` to screens. The hash needs no server and works offline.

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
 * Returns the matching route. Patterns look like `scan/:id`.
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
    // Without the state: it may be that of an open sheet, whose end would go back from the new screen.
    history.replaceState(null, "", hash);
    dispatchEvent(new HashChangeEvent("hashchange"));
  } else location.hash = hash;
}

let depth = 0;
if (typeof document !== "undefined") addEventListener("hashchange", () => depth++);

/** Goes back in the history if possible, else to `path`. */
export function back(path) {
  if (depth > 0 && history.length > 1) {
    depth -= 2; // going back also changes the hash
    history.back();
  } else go(path, { replace: true });
}
