// The connection to the server: comes back by itself, and says so.

import { store, take, tell } from "./store.js";

const FIRST_WAIT = 500; // [ms] before the first new attempt
const LONGEST_WAIT = 5000; // [ms] between attempts

let socket = null;
let wait = FIRST_WAIT;
let relay = null;
const listeners = new Map();

/** Call a function with every message of a type that is not part of the state ("series", "refused"). */
export const onMessage = (type, listener) => listeners.set(type, listener);

/** Have what the panels send go somewhere else than to the server of this page. */
export const relayTo = (taker) => (relay = taker);

/** Send a command; false when there is no connection. */
export const send = (message) => (relay ? relay(message) : sendHere(message));

/** Send a command to the server, whoever leads this page. */
export function sendHere(message) {
  if (socket?.readyState !== WebSocket.OPEN) return false;
  socket.send(JSON.stringify(message));
  return true;
}

/** Connect, and connect again whenever the connection is lost. */
export function connect() {
  const scheme = location.protocol === "https:" ? "wss:" : "ws:";
  socket = new WebSocket(`${scheme}//${location.host}/stream${location.search}`);
  socket.addEventListener("open", () => {
    wait = FIRST_WAIT;
    store.connected = true;
    tell("status");
  });
  socket.addEventListener("message", (event) => {
    const message = JSON.parse(event.data);
    take(message);
    listeners.get(message.type)?.(message);
  });
  socket.addEventListener("close", () => {
    store.connected = false;
    tell("status");
    setTimeout(connect, wait);
    wait = Math.min(2 * wait, LONGEST_WAIT);
  });
}
