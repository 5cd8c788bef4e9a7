"""What PyPI's cryptography and joserfc say of keys, signatures, secrets, certificates and tokens.

    judge.py make SEED COUNT     random ones, as JSON lines on standard output
    judge.py check FILE          objections to those in FILE, which has the same form; nothing if there are none

Bytes are in hexadecimal. A line: {"kind", …}, see `MAKERS`.
"""
import datetime
import ipaddress
import json
import random
import sys

from cryptography import x509
from cryptography.hazmat.primitives import hashes, hmac, serialization
from cryptography.hazmat.primitives.asymmetric import ec, padding, rsa, utils
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.x509 import verification
from joserfc import jwt
from joserfc.jwk import ECKey, OctKey, RSAKey

SHA256 = hashes.SHA256()


def private_pem(key, form=serialization.PrivateFormat.PKCS8):
    return key.private_bytes(serialization.Encoding.PEM, form, serialization.NoEncryption()).decode()


def point(key):
    return key.public_key().public_bytes(serialization.Encoding.X962, serialization.PublicFormat.UncompressedPoint)


def jose(der):
    r, s = utils.decode_dss_signature(der)
    return r.to_bytes(32) + s.to_bytes(32)


def der(jose):
    return utils.encode_dss_signature(int.from_bytes(jose[:32]), int.from_bytes(jose[32:]))


def rsa_signature(dice):
    key = rsa.generate_private_key(65537, dice.choice([2048, 3072]))
    form = dice.choice([serialization.PrivateFormat.PKCS8, serialization.PrivateFormat.TraditionalOpenSSL])
    message = dice.randbytes(dice.randint(0, 300))
    return {"key": private_pem(key, form), "message": message.hex(), "signature": key.sign(message, padding.PKCS1v15(), SHA256).hex()}


def p256_signature(dice):
    key = ec.generate_private_key(ec.SECP256R1())
    form = dice.choice([serialization.PrivateFormat.PKCS8, serialization.PrivateFormat.TraditionalOpenSSL])
    message = dice.randbytes(dice.randint(0, 300))
    return {"key": private_pem(key, form), "message": message.hex(), "signature": jose(key.sign(message, ec.ECDSA(SHA256))).hex()}


def agreement(dice):
    ours, theirs = (ec.generate_private_key(ec.SECP256R1()) for _ in range(2))
    scalar = theirs.private_numbers().private_value.to_bytes(32)
    return {"scalar": scalar.hex(), "point": point(ours).hex(), "secret": ours.exchange(ec.ECDH(), theirs.public_key()).hex()}


def sealing(dice):
    key, nonce = dice.randbytes(dice.choice([16, 32])), dice.randbytes(12)
    header, message = dice.randbytes(dice.randint(0, 40)), dice.randbytes(dice.randint(0, 5000))
    sealed = AESGCM(key).encrypt(nonce, message, header)
    return {"key": key.hex(), "nonce": nonce.hex(), "header": header.hex(), "message": message.hex(), "sealed": sealed.hex()}


def derivation(dice):
    secret, salt, info = (dice.randbytes(dice.randint(1, 80)) for _ in range(3))
    count = dice.choice([1, 12, 16, 32, 33, 1000, 8160])
    derived = HKDF(SHA256, count, salt, info).derive(secret)
    return {"secret": secret.hex(), "salt": salt.hex(), "info": info.hex(), "derived": derived.hex()}


def code(dice):
    key, message = dice.randbytes(dice.randint(0, 200)), dice.randbytes(dice.randint(0, 1000))
    mac = hmac.HMAC(key, SHA256)
    mac.update(message)
    return {"key": key.hex(), "message": message.hex(), "code": mac.finalize().hex()}


def token(dice):
    algorithm = dice.choice(["HS256", "RS256", "ES256"])
    key = {
        "HS256": lambda: OctKey.import_key("".join(dice.choices("abcdefghijklmnopqrstuvwxyz0123456789", k=dice.randint(32, 90)))),
        "RS256": lambda: RSAKey.generate_key(2048, {"kid": "it's ours"}),
        "ES256": lambda: ECKey.generate_key("P-256", {"kid": "it's ours"}),
    }[algorithm]()
    header = {"alg": algorithm} | ({"kid": key.kid} if key.kid and dice.random() < 0.5 else {}) | ({"typ": "JWT"} if dice.random() < 0.5 else {})
    claims = {"sub": f"user {dice.randint(0, 10**9)}", "exp": 4102444800, "aud": dice.choice(["belfry", ["a", "belfry"]])}
    made = {"token": jwt.encode(header, claims, key, algorithms=[algorithm]), "subject": claims["sub"]}
    if algorithm == "HS256":
        return made | {"secret": key.raw_value.decode()}
    other = (RSAKey.generate_key(2048) if algorithm == "ES256" else ECKey.generate_key("P-256")).as_dict(private=False)
    return made | {"keys": json.dumps({"keys": [other, key.as_dict(private=False)]}), "key": key.as_pem(private=True).decode()}


MAKERS = [rsa_signature, p256_signature, agreement, sealing, derivation, code, token]


def objections(case):
    """What is wrong with a case, or nothing; `certificate`s are made by the other side alone."""
    kind = case["kind"]
    raw = {name: bytes.fromhex(value) for name, value in case.items() if name in BYTES.get(kind, [])}
    if kind == "rsa_signature":
        serialization.load_pem_private_key(case["key"].encode(), None).public_key().verify(
            raw["signature"], raw["message"], padding.PKCS1v15(), SHA256
        )
    elif kind == "p256_signature":
        public = serialization.load_pem_private_key(case["key"].encode(), None).public_key()
        public.verify(der(raw["signature"]), raw["message"], ec.ECDSA(SHA256))
        public.verify(raw["der"], raw["message"], ec.ECDSA(SHA256))
    elif kind == "agreement":
        key = serialization.load_pem_private_key(case["key"].encode(), None)
        theirs = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), raw["point"])
        assert key.exchange(ec.ECDH(), theirs) == raw["secret"], "another secret"
    elif kind == "sealing":
        assert AESGCM(raw["key"]).decrypt(raw["nonce"], raw["sealed"], raw["header"]) == raw["message"], "another message"
    elif kind == "certificate":
        authority, server = (x509.load_pem_x509_certificate(case[name].encode()) for name in ("authority", "server"))
        store = verification.Store([authority])
        for host in case["hosts"]:
            try:
                name = x509.IPAddress(ipaddress.ip_address(host))
            except ValueError:
                name = x509.DNSName(host)
            now = datetime.datetime.now(datetime.timezone.utc)
            verification.PolicyBuilder().store(store).time(now).build_server_verifier(name).verify(server, [])
        key = serialization.load_pem_private_key(case["key"].encode(), None)
        assert key.public_key() == server.public_key(), "another key"
    elif kind == "token":
        key = OctKey.import_key(case["secret"]) if "secret" in case else {"RS256": RSAKey, "ES256": ECKey}[case["algorithm"]].import_key(case["key"])
        decoded = jwt.decode(case["token"], key, algorithms=[case["algorithm"]])
        assert decoded.claims["sub"] == case["subject"], "another subject"
        assert decoded.header.get("kid") == case.get("keyID"), "another key id"
    else:
        raise AssertionError("an unknown kind")


# Which members are bytes.
BYTES = {
    "rsa_signature": ["message", "signature"],
    "p256_signature": ["message", "signature", "der"],
    "agreement": ["point", "secret"],
    "sealing": ["key", "nonce", "header", "message", "sealed"],
}


def main(command, *arguments):
    if command == "make":
        dice = random.Random(int(arguments[0]))
        for number in range(int(arguments[1])):
            maker = MAKERS[number % len(MAKERS)]
            print(json.dumps({"kind": maker.__name__} | maker(dice)))
    else:
        for line in open(arguments[0]):
            case = json.loads(line)
            try:
                objections(case)
            except Exception as error:
                print(json.dumps(f"{case['kind']}: {type(error).__name__} {error}: {line.strip()[:300]}"))


main(*sys.argv[1:])
