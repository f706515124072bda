// Registers the service worker: opens the app offline, and uploads queued photos when the network is back.
import * as queue from "./queue.js";
import { updateReady } from "./state.js";

export async function install() {
  if (!("serviceWorker" in navigator) || !isSecureContext) return;
  const container = navigator.serviceWorker;
  container.addEventListener("message", ({ data }) => data === "send-photos" && queue.kick());
  let reloading = false;
  const had = Boolean(container.controller);
  container.addEventListener("controllerchange", () => {
    if (!had || reloading) return;
    reloading = true;
    location.reload();
  });
  try {
    const registration = await container.register("sw.js", { type: "module", updateViaCache: "none" });
    const waiting = () => registration.waiting && container.controller && updateReady.set(registration.waiting);
    waiting();
    registration.addEventListener("updatefound", () => {
      const fresh = registration.installing;
      fresh?.addEventListener("statechange", () => fresh.state === "installed" && waiting());
    });
  } catch {
    // The browser has no module workers, or refuses the certificate. Everything else works.
  }
}
