// The styles of every screen but the library, which opens without them.

/** @type {Promise<void> | undefined} */
let loading;

/** Loads the styles once. Ends when they apply; a failed attempt is repeated by the next call. */
export function loadStyles() {
  return loading ??= new Promise((resolve, reject) => {
    const link = document.createElement("link");
    link.rel = "stylesheet";
    link.href = "css/screens.css";
    link.onload = () => resolve();
    link.onerror = () => {
      link.remove();
      loading = undefined;
      reject(new Error("css/screens.css could not be loaded"));
    };
    document.head.append(link);
  });
}
