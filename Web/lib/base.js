// Where the app is: at the root of its host, or below a path of it, such as `/books/`. Everything relative to this file,
// so that the same files work at any path.

/** The path of the app, with a slash at the end. */
export const BASE = new URL("..", import.meta.url).pathname;

/**
 * The beginning of the names of everything stored in this browser. All paths of a host share one storage, so another
 * path has other names. theme.js repeats this.
 */
export const NAMED = BASE === "/" ? "shelflist" : `shelflist${BASE}`;

/** The path of the server's API. */
export const V1 = `${BASE}api/v1`;
