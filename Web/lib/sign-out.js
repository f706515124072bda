// Signing out: the member's data leaves this browser, except for photos that were not sent.
import * as api from "./api.js";
import { clearBrowser, isOwn } from "./browser-data.js";
import * as store from "./store.js";
import { trayKept } from "./tray.js";

/** The number of the member's photos in this browser that the server does not have yet. */
export async function unsentPhotos() {
  try {
    await trayKept();
    const member = await store.get("meta", "member");
    const scans = (await store.all("scans")).filter((scan) => store.isUnsent(scan) && isOwn(scan, member));
    const tray = await store.get("meta", store.trayKey(member));
    return scans.reduce((sum, scan) => sum + scan.photos.length, tray?.length ?? 0);
  } catch {
    return 0; // no storage (private browsing): nothing is kept
  }
}

/** Whether photos stay in this browser: the member's, if they are kept, or those of others. */
async function havePhotosToKeep(keepsPhotos) {
  const member = await store.get("meta", "member");
  const scans = (await store.all("scans")).filter(store.isUnsent);
  const trays = (await store.keys("meta")).filter(store.isTray);
  return scans.some((scan) => keepsPhotos || !isOwn(scan, member)) ||
    trays.some((key) => keepsPhotos || key !== store.trayKey(member));
}

/**
 * Signs out and removes what the app keeps in this browser. If the page is closed in between, the next start does it.
 *
 * @param {{keepsPhotos: boolean}} options whether photos that were not sent stay, hidden
 * @throws Problem without the server; nothing is removed then
 */
export async function signOut({ keepsPhotos }) {
  await store.put("meta", { keepsPhotos }, "leaving").catch(() => {});
  try {
    await api.signOut(await havePhotosToKeep(keepsPhotos).catch(() => false));
  } catch (error) {
    if (error?.status !== 401) {
      await store.remove("meta", "leaving").catch(() => {});
      throw error;
    }
  }
  // The server may have made the browser remove everything already.
  await clearBrowser({ keepsPhotos }).catch(() => {});
}
