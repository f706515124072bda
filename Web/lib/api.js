// The server's API by concern: all its paths and fields, except for those of stocktakes. What the library asks when it
// opens is in api/first.js alone.
export * from "./api/access.js";
export * from "./api/first.js";
export * from "./api/library.js";
export * from "./api/review.js";
export * from "./api/scans.js";
export * from "./api/server.js";
export * from "./api/shelves.js";
