"""Codes of an authenticator app."""
import base64
import hmac
import struct


def one_time_code(secret, now):
    """The code of RFC 6238 at a time, in seconds since 1970."""
    mac = hmac.digest(base64.b32decode(secret), struct.pack(">Q", int(now) // 30), "sha1")
    number = struct.unpack(">I", mac[mac[-1] & 15:][:4])[0] & 0x7FFFFFFF
    return f"{number % 1_000_000:06}"
