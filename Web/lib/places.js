// Shelves inside of shelves. A path has the names of the shelves around one, outermost first: "Home / Study / Board 3".
import { fold } from "./search.js";

const SEPARATOR = " / ";

/** Returns the ids of a shelf and of all shelves inside it. @param {any[]} shelves @param {string} id @returns {Set<string>} */
export function inside(shelves, id) {
  const found = new Set([id]);
  // A shelf comes after the one that it is in.
  for (const shelf of shelves) if (found.has(shelf.parent)) found.add(shelf.id);
  return found;
}

/** Returns the shelves around a shelf, outermost first. @param {any[]} shelves @param {any} shelf */
export function around(shelves, shelf) {
  const found = [];
  for (let next = shelf?.parent; next && found.length < 8;) {
    const one = shelves.find((s) => s.id === next);
    if (one) found.unshift(one);
    next = one?.parent;
  }
  return found;
}

/** Returns the shelves that are in no other, those in a shelf and around it, and those directly inside it. */
export function near(shelves, id) {
  const open = new Set([null, id, ...around(shelves, shelves.find((s) => s.id === id)).map((s) => s.id)]);
  return shelves.filter((s) => open.has(s.parent ?? null));
}

/**
 * Returns the names of the shelves that a name or path would create.
 *
 * @param {any[]} shelves
 * @param {any} parent the shelf in which the path begins, or null
 * @param {string} text
 * @returns {string[]}
 */
export function missing(shelves, parent, text) {
  const key = (path) => path.split(SEPARATOR).map(fold).join(SEPARATOR);
  const known = new Set(shelves.map((s) => key(s.path)));
  const names = text.trim().split(/\s+\/\s+/);
  const start = parent ? [parent.path] : [];
  return names.filter((name, i) => name && !known.has(key([...start, ...names.slice(0, i + 1)].join(SEPARATOR))));
}
