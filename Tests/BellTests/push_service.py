"""A push service as Mozilla's browsers use it: the protocol `push-notification` over WebSocket, and messages by RFC 8291."""

import base64
import json
import os
import uuid

from aiohttp import WSMsgType, web
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat


def text(data):
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


def data(text):
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def application_server_key():
    """A new key of an application server: its public half, as browsers take it."""
    key = ec.generate_private_key(ec.SECP256R1()).public_key()
    return text(key.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint))


class PushService:
    """One for one browser. `channels` has, by id, the application server's key of each subscription."""

    def __init__(self):
        self.uaid = uuid.uuid4().hex
        self.channels, self.ended, self.acknowledged, self.said = {}, [], [], []
        self.socket = None

    def app(self):
        app = web.Application()
        app.router.add_get("/", self._serve)
        return app

    @staticmethod
    def endpoint(channel):
        return f"https://push.example/wpush/v2/{channel}"

    async def _serve(self, request):
        socket = web.WebSocketResponse(protocols=["push-notification"])
        await socket.prepare(request)
        self.socket = socket
        async for message in socket:
            if message.type != WSMsgType.TEXT:
                continue
            said = json.loads(message.data)
            self.said.append(said)
            answer = self._answer(said)
            if answer is not None:
                await socket.send_json(answer)
        return socket

    def _answer(self, said):
        match said.get("messageType"):
            case None:
                # A ping.
                return {}
            case "hello":
                # Whoever comes with another name than its own has lost its subscriptions.
                return {"messageType": "hello", "status": 200, "uaid": self.uaid, "use_webpush": True, "broadcasts": {}}
            case "register":
                channel = said["channelID"]
                self.channels[channel] = said.get("key")
                return {"messageType": "register", "status": 200, "channelID": channel, "pushEndpoint": self.endpoint(channel)}
            case "unregister":
                self.channels.pop(said["channelID"], None)
                self.ended.append(said["channelID"])
                return {"messageType": "unregister", "status": 200, "channelID": said["channelID"]}
            case "ack":
                self.acknowledged += said["updates"]
        return None

    def channel(self, endpoint):
        return next(channel for channel in self.channels if self.endpoint(channel) == endpoint)

    async def send(self, endpoint, keys, message):
        """What an application server has encrypted for that subscription arrives. Returns the message's version."""
        version = uuid.uuid4().hex
        await self.socket.send_json({
            "messageType": "notification",
            "channelID": self.channel(endpoint),
            "version": version,
            "ttl": 60,
            "headers": {"encoding": "aes128gcm"},
            "data": text(encrypted(json.dumps(message).encode(), data(keys["p256dh"]), data(keys["auth"]))),
        })
        return version

    async def forget(self):
        """All subscriptions are lost: the browser learns that by its new name when it comes back."""
        self.uaid = uuid.uuid4().hex
        self.channels.clear()
        await self.socket.close()


def encrypted(plain, receiver, auth):
    """One record of RFC 8188, by a key of RFC 8291."""
    sender, salt = ec.generate_private_key(ec.SECP256R1()), os.urandom(16)
    public = sender.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
    shared = sender.exchange(ec.ECDH(), ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), receiver))

    def derived(length, salt, secret, info):
        return HKDF(hashes.SHA256(), length, salt, info).derive(secret)

    secret = derived(32, auth, shared, b"WebPush: info\0" + receiver + public)
    key = derived(16, salt, secret, b"Content-Encoding: aes128gcm\0")
    nonce = derived(12, salt, secret, b"Content-Encoding: nonce\0")
    header = salt + (4096).to_bytes(4, "big") + bytes([len(public)]) + public
    return header + AESGCM(key).encrypt(nonce, plain + b"\x02", None)
