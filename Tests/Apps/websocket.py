"""A WebSocket client of the standard library, as far as the apps need one: text, pings and close codes (RFC 6455)."""
import base64
import json
import os
import socket
import struct
import urllib.parse


#: Seconds until a server that hangs fails a test.
PATIENCE = 600


class Closed(Exception):
    """The server has closed the socket; `code` is None if it did not say why."""

    def __init__(self, code):
        super().__init__(f"closed with {code}")
        self.code = code


class WebSocket:
    def __init__(self, url, protocol=None, timeout=PATIENCE):
        parts = urllib.parse.urlsplit(url)
        self.stream = socket.create_connection((parts.hostname, parts.port), timeout)
        lines = [
            f"GET {parts.path}?{parts.query} HTTP/1.1", f"Host: {parts.netloc}", "Upgrade: websocket",
            "Connection: Upgrade", f"Sec-WebSocket-Key: {base64.b64encode(os.urandom(16)).decode()}",
            "Sec-WebSocket-Version: 13"]
        if protocol:
            lines.append(f"Sec-WebSocket-Protocol: {protocol}")
        self.stream.sendall("\r\n".join(lines + ["", ""]).encode())
        self.received = b""
        while b"\r\n\r\n" not in self.received:
            self._receive()
        head, self.received = self.received.split(b"\r\n\r\n", 1)
        status = int(head.split(b" ")[1])
        if status != 101:
            self.cut()
            raise ConnectionError(f"the handshake was answered with {status}")

    def _receive(self):
        data = self.stream.recv(65536)
        if not data:
            raise Closed(None)
        self.received += data

    def _take(self, count):
        while len(self.received) < count:
            self._receive()
        taken, self.received = self.received[:count], self.received[count:]
        return taken

    def _send(self, opcode, data):
        mask = os.urandom(4)
        size = struct.pack("!B", 0x80 | len(data)) if len(data) < 126 else struct.pack("!BH", 0x80 | 126, len(data))
        masked = bytes(byte ^ mask[index % 4] for index, byte in enumerate(data))
        self.stream.sendall(bytes([0x80 | opcode]) + size + mask + masked)

    def send(self, text):
        self._send(1, text.encode())

    def text(self):
        """Returns the next text, and raises Closed at the end."""
        while True:
            first, second = self._take(2)
            size = second & 127
            if size == 126:
                size, = struct.unpack("!H", self._take(2))
            elif size == 127:
                size, = struct.unpack("!Q", self._take(8))
            data = self._take(size)
            opcode = first & 15
            if opcode == 1:
                return data.decode()
            if opcode == 8:
                raise Closed(struct.unpack("!H", data[:2])[0] if len(data) >= 2 else None)

    def message(self):
        return json.loads(self.text())

    def messages(self, *last):
        """Yields messages up to the first of one of the types."""
        while True:
            message = self.message()
            yield message
            if message["type"] in last:
                return

    def close(self):
        """Closes as an app that goes away."""
        self._send(8, struct.pack("!H", 1001))
        self.stream.close()

    def cut(self):
        self.stream.close()
