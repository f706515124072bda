// Signing in with the server's OpenID Connect provider. The browser leaves the app and comes back to `next`.

/** @param {{for?: "link" | "confirm", next?: string, code?: string}} [options] */
export function openIdAddress(options = {}) {
  const query = new URLSearchParams(Object.entries(options).filter(([, value]) => value));
  return "api/v1/session/openid" + (query.size ? `?${query}` : "");
}

/** The account that is connected to a member: its name and its provider. @param {any} account `openIdAccount` */
export const accountText = (account) => account ? `${account.name} · ${new URL(account.issuer).host}` : "";

/** Whether a member cannot enter a password. @param {any} state the answer of `api.session` */
export const isWithoutPassword = (state) =>
  Boolean(state.openId && state.member && (state.openId.onlyWay || !state.member.password));
