// Follows the questions about another browser's scan: this browser does not receive its events.
import { pause } from "../../lib/queue.js";

/** How often the state is fetched, in milliseconds. */
const EVERY = 3000;

/**
 * Calls `draw` after each answer until no source is asked any more.
 *
 * @param {import("./model.js").ResultsModel} model
 * @param {() => void} draw
 * @param {AbortSignal} signal
 * @returns {Promise<boolean>} whether sources were asked, so that the results are new
 */
export async function followElsewhere(model, draw, signal) {
  const wasAsking = model.asking;
  while (model.asking) {
    await pause(EVERY, signal);
    if (signal.aborted) return false;
    // After a failure the next request tries again.
    await model.fetchStatus().catch(() => {});
    if (signal.aborted) return false;
    draw();
  }
  return wasAsking;
}
