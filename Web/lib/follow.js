// Follows a job by WebSocket, else server-sent events, else polling every two seconds. All three read one numbered
// log, so no event is missed or delivered twice.
import { EventParser } from "./sse.js";

const FINAL = new Set(["completed", "error", "canceled"]);
/** An error that names a photo affects only that photo; the job continues. */
const isFinal = (type, data) => FINAL.has(type) && !(type === "error" && data?.photo);
const OPEN_WITHIN = 4000;
const SILENT_AFTER = 45_000; // the server sends "ping" every 30 s
const POLL_EVERY = 2000;
const CLIMB_AFTER = 15; // polls before the other transports are tried again

/**
 * Passes every event of a job to `onEvent`, in order and once, until the job ends or the signal aborts.
 *
 * @param {{socketUrl: string, protocols?: string[], eventsUrl: string, headers?: Record<string, string>,
 *   poll: (after: number) => Promise<Array<any>>, after?: number}} source
 * @param {(event: {id: number, type: string, data: any}) => void} onEvent
 * @param {{signal?: AbortSignal, onTransport?: (transport: string) => void, onConnection?: (isConnected: boolean) => void,
 *   tools?: any}} [options] `onConnection` reports when the connection is lost and when it is back; `tools` for tests
 */
export async function follow(source, onEvent, options = {}) {
  const tools = {
    WebSocket: globalThis.WebSocket,
    fetch: globalThis.fetch?.bind(globalThis),
    wait,
    wake: onWake,
    ...options.tools,
  };
  const signal = options.signal ?? new AbortController().signal;
  let isLost = false;
  const state = {
    last: source.after ?? 0,
    over: false,
    heard: false,
    connected: () => {
      if (isLost) options.onConnection?.(true);
      isLost = false;
    },
    lost: () => {
      if (!isLost) options.onConnection?.(false);
      isLost = true;
    },
  };
  const take = (id, type, data) => {
    if (state.over) return;
    if (type === "ping") return void (state.heard = true);
    if (Number.isFinite(id)) {
      if (id <= state.last) return;
      state.last = id;
    }
    state.heard = true;
    onEvent({ id: state.last, type, data });
    if (isFinal(type, data)) state.over = true;
  };
  const transports = [
    ["socket", () => bySocket(source, take, state, signal, tools)],
    ["events", () => byEvents(source, take, state, signal, tools)],
    ["poll", () => byPolling(source, take, state, signal, tools)],
  ];
  let transport = 0, cuts = 0;
  while (!state.over && !signal.aborted) {
    state.heard = false;
    const [name, run] = /** @type {[string, () => Promise<void>]} */ (transports[transport]);
    options.onTransport?.(name);
    try {
      await run();
    } catch {
      // When a transport fails, the next one is tried.
    }
    if (state.over || signal.aborted) break;
    if (state.heard) state.lost();
    if (name === "poll") {
      transport = 0;
      continue;
    }
    if (state.heard) {
      // After an interruption the same transport is retried at once, and a slower one if that repeats.
      cuts++;
      if (cuts > 3) [transport, cuts] = [Math.min(transport + 1, 2), 0];
      else await tools.wait(Math.min(2000, 250 * 2 ** cuts), signal, tools.wake);
    } else [transport, cuts] = [Math.min(transport + 1, 2), 0];
  }
  return state.last;
}

function bySocket(source, take, state, signal, tools) {
  return new Promise((resolve) => {
    if (!tools.WebSocket) return resolve(undefined);
    const address = new URL(source.socketUrl);
    if (state.last) address.searchParams.set("after", String(state.last));
    let socket;
    try {
      socket = new tools.WebSocket(address.href, source.protocols ?? []);
    } catch {
      return resolve(undefined);
    }
    let timer = setTimeout(end, OPEN_WITHIN);
    const stopWaking = tools.wake(() => {
      // After sleep a socket may be dead without an error.
      clearTimeout(timer);
      timer = setTimeout(end, 3000);
      try {
        socket.send('{"type":"ping"}');
      } catch {
        end();
      }
    });
    function end() {
      clearTimeout(timer);
      stopWaking();
      signal.removeEventListener("abort", end);
      socket.onmessage = socket.onclose = socket.onerror = null;
      try {
        socket.close();
      } catch {
        // It never opened.
      }
      resolve(undefined);
    }
    const alive = () => {
      clearTimeout(timer);
      timer = setTimeout(end, SILENT_AFTER);
    };
    signal.addEventListener("abort", end, { once: true });
    socket.onopen = () => {
      state.connected();
      clearTimeout(timer);
      timer = setTimeout(end, OPEN_WITHIN * 2); // the first event must arrive soon
    };
    socket.onmessage = (message) => {
      alive();
      const event = readJson(message.data);
      if (event) take(Number(event.id ?? NaN), event.type, event.data ?? event);
      if (state.over) end();
    };
    socket.onerror = end;
    socket.onclose = end;
  });
}

async function byEvents(source, take, state, signal, tools) {
  const cut = new AbortController();
  const stop = () => cut.abort();
  signal.addEventListener("abort", stop, { once: true });
  let timer = setTimeout(stop, OPEN_WITHIN);
  try {
    const response = await tools.fetch(source.eventsUrl, {
      headers: {
        accept: "text/event-stream",
        ...source.headers,
        ...(state.last ? { "last-event-id": String(state.last) } : {}),
      },
      cache: "no-store",
      signal: cut.signal,
    });
    if (!response.ok || !response.body) return;
    state.connected();
    const reader = response.body.getReader(), decoder = new TextDecoder(), parser = new EventParser();
    while (!state.over) {
      clearTimeout(timer);
      timer = setTimeout(stop, SILENT_AFTER);
      const { value, done } = await reader.read();
      if (done) return;
      for (const event of parser.push(decoder.decode(value, { stream: true }))) {
        const data = readJson(event.data);
        if (data) take(event.id === "" ? NaN : Number(event.id), data.type ?? event.event, data.data ?? data);
      }
    }
    await reader.cancel();
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", stop);
    cut.abort();
  }
}

async function byPolling(source, take, state, signal, tools) {
  for (let round = 0; round < CLIMB_AFTER && !state.over && !signal.aborted; round++) {
    try {
      const events = await source.poll(state.last);
      state.connected();
      for (const event of events) take(Number(event.id ?? NaN), event.type, event.data ?? event);
    } catch (error) {
      // Retried in the next round. An answer such as 429 is not a lost connection; a proxy's 502 is. Only here the two
      // differ: sockets and events fail alike.
      if (!error?.status || error.status >= 500) state.lost();
    }
    if (!state.over) await tools.wait(POLL_EVERY, signal, tools.wake);
  }
}

function readJson(text) {
  try {
    const value = JSON.parse(text);
    return value && typeof value === "object" ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Waits until the time is over, the signal aborts or the page wakes up. */
function wait(ms, signal, wake) {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      stop();
      signal.removeEventListener("abort", done);
      resolve(undefined);
    };
    const timer = setTimeout(done, ms);
    const stop = wake(done);
    signal.addEventListener("abort", done, { once: true });
  });
}

/** Calls `work` when the page wakes up or the network is back. */
function onWake(work) {
  if (typeof document === "undefined") return () => {};
  const seen = () => document.visibilityState === "visible" && work();
  addEventListener("online", work);
  document.addEventListener("visibilitychange", seen);
  return () => {
    removeEventListener("online", work);
    document.removeEventListener("visibilitychange", seen);
  };
}
