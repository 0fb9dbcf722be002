"""A signed JSON Web Token for a run, with the key that verifies it as JWKS and as PEM."""

import base64
import json
import time

from harness.certificate import openssl

# Longer than any run.
_LIFETIME_SECONDS = 24 * 3600
_KEY_ID = "bench"


def make(directory, issuer, audience):
    """Returns the token, and the paths of the key set (`jwks`) and of the public key (`public_key`)."""
    private, public = directory / "private.pem", directory / "public.pem"
    openssl("genpkey", "-algorithm", "RSA", "-pkeyopt", "rsa_keygen_bits:2048", "-out", private)
    openssl("pkey", "-in", private, "-pubout", "-out", public)
    jwks = directory / "jwks.json"
    jwks.write_text(json.dumps({"keys": [_key(public)]}))
    return {"token": _signed(directory, private, issuer, audience), "jwks": str(jwks), "public_key": str(public)}


def _key(public):
    modulus = openssl("rsa", "-pubin", "-in", public, "-modulus", "-noout").strip().removeprefix("Modulus=")
    return {
        "kty": "RSA",
        "kid": _KEY_ID,
        "alg": "RS256",
        "use": "sig",
        "n": _text(bytes.fromhex(modulus)),
        # openssl's default exponent, 65537.
        "e": "AQAB",
    }


def _signed(directory, private, issuer, audience):
    now = int(time.time())
    head = {"alg": "RS256", "typ": "JWT", "kid": _KEY_ID}
    claims = {"iss": issuer, "aud": audience, "sub": "ann", "iat": now, "exp": now + _LIFETIME_SECONDS}
    signed = ".".join(_text(json.dumps(part).encode()) for part in (head, claims))
    message, signature = directory / "message", directory / "signature"
    message.write_text(signed)
    openssl("dgst", "-sha256", "-sign", private, "-out", signature, message)
    return f"{signed}.{_text(signature.read_bytes())}"


def _text(data):
    return base64.urlsafe_b64encode(data).decode().rstrip("=")
