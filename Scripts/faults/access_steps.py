"""The steps of an owner that give access and take it away: members, passwords, a second factor, tokens, apps, keys."""
import base64
import hashlib
import hmac

from step import Refused, Step, answered, posting, request, setting

NAME, PASSWORD, OTHER_PASSWORD = "Ada", "correct horse battery", "another horse battery"
#: Seconds for which an authenticator app shows a code. The server also accepts the code before it and the one after it.
PERIOD = 30


def code(secret, seconds):
    """Returns what an authenticator app shows at a time in seconds since 1970 (RFC 6238)."""
    key = base64.b32decode(secret + "=" * (-len(secret) % 8))
    mac = hmac.new(key, (int(seconds) // PERIOD).to_bytes(8, "big"), hashlib.sha1).digest()
    start = mac[-1] & 15
    return f"{(int.from_bytes(mac[start:start + 4], 'big') & 0x7FFFFFFF) % 1_000_000:06}"


# What the steps send


def set_up(server, known):
    """Creates the owner, or signs in where one exists: of a set-up that failed after the owner was stored."""
    credentials = {"name": NAME, "password": PASSWORD}
    answer = server.exchange("POST", "/api/v1/setup", {**credentials, "role": "owner"})
    if answer[0] == 409:
        answer = server.exchange("POST", "/api/v1/session", credentials)
    headers, _ = answered(answer, 200, 201)
    known["cookie"] = headers["set-cookie"].split(";")[0]


def sign_in(server, known):
    answered(server.exchange("POST", "/api/v1/session", {"name": NAME, "password": PASSWORD}), 200)


def add_member(server, known):
    new = {"name": "Bea", "password": PASSWORD, "role": "editor"}
    known["member"] = request(known, server, "POST", "members", new, 201)["id"]


def add_token(server, known):
    new = request(known, server, "POST", "tokens", {"name": "A script", "scopes": ["read"]}, 201)
    known["token"], known["token ID"] = new["secret"], new["token"]["id"]


def add_app(server, known):
    new = request(known, server, "POST", "apps", {"name": "A phone"}, 201)
    known["app"], known["app ID"] = new["path"], new["app"]["id"]


def deleting(path, name):
    """Deletes what the dictionary has under a name."""
    return lambda server, known: request(known, server, "DELETE", f"{path}/{known[name]}", wanted=204)


def turn_on_factor(server, known):
    secret = request(known, server, "POST", "session/second-factor", {})["secret"]
    with server.held_clock() as now:
        proof = {"secret": secret, "code": code(secret, now)}
        known["recovery"] = request(known, server, "PUT", "session/second-factor", proof)["recoveryCodes"]
    known["secret"] = secret


def sign_in_with_code(server, known):
    # Turning it on used the code of now, an attempt that was interrupted perhaps the next one. Neither is valid again.
    with server.held_clock() as now:
        for periods in (1, -1, 0):
            shown = code(known["secret"], now + periods * PERIOD)
            answer = server.exchange("POST", "/api/v1/session", {"name": NAME, "password": PASSWORD, "code": shown})
            if (answer[2] or {}).get("code") != "wrong_code":
                break
    answered(answer, 200)


def turn_off_factor(server, known):
    # Each is valid once, also for an attempt that fails later.
    proof = {"password": PASSWORD, "code": known["recovery"].pop()}
    request(known, server, "DELETE", "session/second-factor", proof, 204)
    del known["secret"]


def change_password(server, known):
    request(known, server, "PUT", "session/password", {"current": PASSWORD, "new": OTHER_PASSWORD}, 204)
    known["password"] = OTHER_PASSWORD


# The steps


def of_start():
    """The steps after which a server has members, a token, an app and keys of providers."""
    keys = {part: [{"id": name, "key": "made-up-key"}] for part, name in (("providers", "googlebooks"), ("readers", "openai"))}
    return [
        Step("setup", set_up, is_set_up),
        Step("sign-in", sign_in),
        Step("keys of providers", setting(keys)),
        Step("new member", add_member),
        Step("new token", add_token),
        Step("new app", add_app),
    ]


def of_end():
    """The steps that take away what those of the start gave."""
    return [
        Step("second factor", turn_on_factor),
        Step("sign-in with a code", sign_in_with_code, is_of_codes),
        Step("second factor off", turn_off_factor, is_of_codes),
        Step("revoked token", deleting("tokens", "token ID")),
        Step("revoked app", deleting("apps", "app ID")),
        Step("another app", add_app),
        Step("own password", change_password, is_of_apps),
        Step("removed member", deleting("members", "member")),
    ]


def is_set_up(before, left, after):
    """The owner is stored before the session."""
    def members(state):
        return [{**state["accounts.json"]["accounts"], "sessions": []}, {**state, "accounts.json": None}]

    return members(left) == members(after)


def is_of_codes(before, left, after):
    """A code is marked as used before what it allows is done."""
    return without_codes(left) in (without_codes(before), without_codes(after))


def without_codes(value):
    if isinstance(value, dict):
        return {key: without_codes(item) for key, item in value.items() if key not in ("earlierPeriods", "recovery")}
    return list(map(without_codes, value)) if isinstance(value, list) else value


def is_of_apps(before, left, after):
    """The keys of apps are revoked before the password is changed."""
    return left == before | {"apps.json": after["apps.json"]}


def confirm(server, known):
    """Enters the password again, which a session that is older than 15 minutes needs.

    Once for each start of a server: it counts as a sign-in, of which an address has ten a minute. What is sent while there
    is a second factor needs no confirmation.
    """
    if "cookie" in known and "secret" not in known:
        request(known, server, "POST", "session/confirm", {"password": known.get("password", PASSWORD)}, 204)
