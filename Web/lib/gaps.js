// This browser's copy of the missing volumes of series, to answer without the server.
import * as api from "./api.js";
import { seriesKey } from "./search.js";
import * as store from "./store.js";

const KEY = "gaps";
/** A folded text such as `earthsea vol 2`. */
const VOLUME = /^(.+?)(?: (?:vol|volume|book|part|no|nr|band|bd|teil|tome|tomo))? (\d{1,4})$/;

/** Fetches the series with missing volumes, for when there is no connection. */
export async function keepGaps() {
  try {
    await store.put("meta", await api.series({ gaps: true }), KEY);
  } catch {
    // The copy before is kept.
  }
}

/**
 * Returns the missing volume that a text names, such as `Earthsea 2` or `Earthsea, vol. 2`; null for any other text.
 *
 * @param {string} text
 * @returns {Promise<{series: any, volume: string} | null>}
 */
export async function gapOf(text) {
  const [, name, number] = VOLUME.exec(seriesKey(text)) ?? [];
  if (!name) return null;
  const kept = await store.get("meta", KEY).catch(() => undefined);
  const series = (kept ?? []).find((one) =>
    one.owned > 0 && seriesKey(one.name) === name && one.missing.includes(Number(number))
  );
  return series ? { series, volume: String(Number(number)) } : null;
}
