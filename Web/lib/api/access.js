// Sessions, members, tokens and connected apps.
import { get, id, match, send, whole } from "./request.js";

/** @param {string} [code] of the authenticator app, or a recovery code */
export const signIn = (name, password, code) => send("POST", "/session", { name, password, ...(code ? { code } : {}) });
/** @param {boolean} keepPhotos whether photos that were not sent stay in this browser */
export const signOut = (keepPhotos) =>
  send("DELETE", "/session", undefined, { query: keepPhotos ? { keepPhotos } : {} });
export const createOwner = (name, password, code) =>
  send("POST", "/setup", { name, password, role: "owner", ...(code ? { code } : {}) });
/** @param {{keepTokens?: boolean, keepOpenId?: boolean}} [keeps] what the change does not remove */
export const changePassword = (current, fresh, keeps = {}) =>
  send("PUT", "/session/password", { current, new: fresh, ...keeps });
/**
 * Allows sensitive changes for some minutes.
 *
 * @param {string} [code] of the authenticator app, or a recovery code
 */
export const confirmPassword = (password, code) =>
  send("POST", "/session/confirm", { password, ...(code ? { code } : {}) });
/** Disconnects the member from the OpenID provider, and ends the other sessions. */
export const disconnectOpenId = () => send("DELETE", "/session/openid");
export const sessions = () => whole("/sessions");
export const endSession = (session) => send("DELETE", `/sessions/${id(session)}`);
export const endOtherSessions = () => send("DELETE", "/sessions");
/** Returns a new secret with its QR code. Nothing is on until `turnOnSecondFactor`. */
export const newSecondFactor = () => send("POST", "/session/second-factor");
/** Returns the recovery codes, which are not returned again. */
export const turnOnSecondFactor = (secret, code) =>
  send("PUT", "/session/second-factor", { secret, code }).then((made) => made.recoveryCodes);
/** @param {string} [password] needed unless it was entered a short time ago */
export const turnOffSecondFactor = (code, password) =>
  send("DELETE", "/session/second-factor", { code, ...(password ? { password } : {}) });
/** Returns a page of sign-ins and changes of access, newest first. */
export const audit = (cursor) => get("/audit", { query: { limit: 50, cursor } });
export const members = () => whole("/members");
export const addMember = (member) => send("POST", "/members", member);
export const changeMember = (member, change, etag) => send("PATCH", `/members/${id(member)}`, change, match(etag));
export const removeMember = (member) => send("DELETE", `/members/${id(member)}`);
export const tokens = () => whole("/tokens");
export const addToken = (token) => send("POST", "/tokens", token);
export const removeToken = (token) => send("DELETE", `/tokens/${id(token)}`);
export const apps = () => whole("/apps");
/** Returns the app, and its address with the key, which is not returned again. */
export const connectApp = (name) => send("POST", "/apps", { name });
export const changeApp = (app, change, etag) => send("PATCH", `/apps/${id(app)}`, change, match(etag));
export const revokeApp = (app) => send("DELETE", `/apps/${id(app)}`);
