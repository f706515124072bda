// HTTP requests with JSON; problem documents become errors that can be shown.

/** An error of the server or of the connection. */
export class Problem extends Error {
  /** @param {{status?: number, code?: string, title?: string, detail?: string, retryable?: boolean, retryAfterMs?: number, errors?: any}} p */
  constructor(p) {
    super(p.detail || p.title || "");
    this.name = "Problem";
    this.status = p.status ?? 0;
    this.code = p.code ?? "";
    this.title = p.title ?? "";
    this.retryable = p.retryable ?? (this.status === 0 || this.status === 429 || this.status >= 500);
    this.retryAfterMs = p.retryAfterMs ?? 0;
    this.errors = p.errors;
  }
  /** There was no response. */
  get offline() {
    return this.status === 0;
  }
}

/** Returns a problem from a status, headers and a body that may be a problem document. */
export function problemFrom(status, header, body) {
  let p = {};
  try {
    p = typeof body === "string" ? JSON.parse(body) : body ?? {};
  } catch {
    // Not a problem document, but perhaps a proxy's page. Its text is not shown.
  }
  const after = Number(header("retry-after"));
  return new Problem({
    ...p,
    status,
    retryAfterMs: p.retryAfterMs ?? (Number.isFinite(after) && after > 0 ? after * 1000 : 0),
  });
}

/**
 * Sends a request. Returns parsed JSON (or undefined for an empty body). Throws `Problem`.
 *
 * @param {string} method
 * @param {string} path from the root of the host
 * @param {{query?: Record<string, any>, body?: any, headers?: Record<string, string>, signal?: AbortSignal, raw?: boolean, timeout?: number, isConfirmed?: boolean}} [options]
 */
export async function request(method, path, options = {}) {
  const url = new URL(path, globalThis.location?.origin ?? "http://localhost");
  for (const [k, v] of Object.entries(options.query ?? {})) {
    if (v !== undefined && v !== null && v !== "") url.searchParams.set(k, String(v));
  }
  const headers = { accept: "application/json", ...options.headers };
  let body = options.body;
  if (body !== undefined && !(body instanceof Blob) && !(body instanceof FormData) && typeof body !== "string") {
    headers["content-type"] = "application/json";
    body = JSON.stringify(body);
  }
  const timer = AbortSignal.timeout(options.timeout ?? 30_000);
  const signal = options.signal && AbortSignal.any ? AbortSignal.any([options.signal, timer]) : options.signal ?? timer;
  let response;
  try {
    response = await fetch(url, { method, headers, body, signal, credentials: "same-origin" });
  } catch (error) {
    if (options.signal?.aborted) throw error;
    throw new Problem({ status: 0, code: "offline", retryable: true });
  }
  if (!response.ok) {
    const problem = problemFrom(response.status, (n) => response.headers.get(n), await response.text().catch(() => ""));
    if (problem.code === "confirmation_needed" && !options.isConfirmed && await onConfirmation()) {
      return request(method, path, { ...options, isConfirmed: true });
    }
    if (problem.status === 401 && !ABOUT_INPUT.has(problem.code)) onUnauthorised(problem);
    throw problem;
  }
  // After what the caller shows, of which it is the reservation.
  if (response.headers.has("x-not-stored")) setTimeout(onNotStored);
  if (options.raw) return response;
  if (response.status === 204) return undefined;
  const text = await response.text();
  if (!text) return undefined;
  let value;
  try {
    value = JSON.parse(text);
  } catch {
    throw new Problem({ status: response.status, code: "unreadable_answer", retryable: true });
  }
  const etag = response.headers.get("etag");
  if (etag && value && typeof value === "object" && !Array.isArray(value)) value.etag = etag;
  return value;
}

/** Codes of 401 that are about what was typed: the session, if there is one, goes on. */
const ABOUT_INPUT = new Set(["wrong_credentials", "wrong_code", "code_needed"]);

/** Asks for the password, and returns whether the request may be repeated. @type {() => Promise<boolean>} */
let onConfirmation = () => Promise.resolve(false);
export function whenConfirmationNeeded(work) {
  onConfirmation = work;
}

/** Says that a change holds but is not stored yet. */
let onNotStored = () => {};
export function whenNotStored(work) {
  onNotStored = work;
}

/** @type {(problem: Problem) => void} */
let onUnauthorised = () => {};
export function whenUnauthorised(work) {
  onUnauthorised = work;
}

/**
 * Uploads with progress, which fetch does not report.
 *
 * @param {string} method
 * @param {string} path
 * @param {FormData | Blob} form
 * @param {{headers?: Record<string, string>, signal?: AbortSignal, onProgress?: (share: number) => void}} [options]
 * @returns {Promise<any>}
 */
export function upload(method, path, form, { headers = {}, signal, onProgress } = {}) {
  return new Promise((resolve, reject) => {
    const xhr = new XMLHttpRequest();
    xhr.open(method, path);
    for (const [k, v] of Object.entries(headers)) xhr.setRequestHeader(k, v);
    xhr.setRequestHeader("accept", "application/json");
    xhr.timeout = 180_000;
    xhr.upload.onprogress = (e) => e.lengthComputable && onProgress?.(e.loaded / e.total);
    const fail = () => reject(new Problem({ status: 0, code: "offline", retryable: true }));
    xhr.onerror = fail;
    xhr.ontimeout = fail;
    xhr.onabort = () => reject(new DOMException("canceled", "AbortError"));
    xhr.onload = () => {
      if (xhr.status >= 200 && xhr.status < 300) {
        try {
          resolve(JSON.parse(xhr.responseText || "{}"));
        } catch {
          reject(new Problem({ status: xhr.status, code: "unreadable_answer", retryable: true }));
        }
      } else {
        const problem = problemFrom(xhr.status, (n) => xhr.getResponseHeader(n), xhr.responseText);
        if (problem.status === 401) onUnauthorised(problem);
        reject(problem);
      }
    };
    if (signal?.aborted) return xhr.onabort(new ProgressEvent("abort"));
    signal?.addEventListener("abort", () => xhr.abort(), { once: true });
    xhr.send(form);
  });
}
