"""The certificates of a run: a CA, and a server certificate that it signed, both EC P-256."""

import subprocess
from dataclasses import dataclass
from pathlib import Path

from harness import ports
from harness.workplace import Failure

# Mozilla recommends at most 366 days; a run needs one.
_DAYS = 90
_CURVE = ("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-sha256")
_EXTENSIONS = f"""basicConstraints = critical, CA:FALSE
keyUsage = critical, digitalSignature
extendedKeyUsage = serverAuth
subjectAltName = DNS:localhost, IP:{ports.LOOPBACK}
subjectKeyIdentifier = hash
authorityKeyIdentifier = keyid
"""


@dataclass(frozen=True)
class Certificate:
    """Files: the certificate, its key, both in one as HAProxy needs them, and the CA certificate for clients."""

    certificate: Path
    key: Path
    both: Path
    authority: Path


def make(place):
    """Returns the certificate of a workplace, for localhost and its address; created on first use."""
    directory = place.subdirectory("certificate")
    names = ("certificate.pem", "key.pem", "both.pem", "authority.pem")
    made = Certificate(*(directory / name for name in names))
    if not made.both.exists():
        _make(made, directory)
    return made


def _make(made, directory):
    authority_key, request, extensions = (directory / name for name in ("authority.key", "request.pem", "extensions"))
    extensions.write_text(_EXTENSIONS)
    subject = ("-subj", "/CN=Authority of a run", "-addext", "keyUsage=critical,keyCertSign")
    openssl("req", "-x509", "-new", *_CURVE, "-keyout", authority_key, "-out", made.authority, *subject, "-days", _DAYS)
    openssl("req", "-new", *_CURVE, "-keyout", made.key, "-out", request, "-subj", "/CN=localhost")
    signer = ("-CA", made.authority, "-CAkey", authority_key, "-CAcreateserial", "-sha256", "-days", _DAYS)
    openssl("x509", "-req", "-in", request, *signer, "-extfile", extensions, "-out", made.certificate)
    made.both.write_text(made.certificate.read_text() + made.key.read_text())


def openssl(*arguments):
    """Runs openssl and returns its standard output."""
    try:
        done = subprocess.run(["openssl", *map(str, arguments)], capture_output=True, text=True, check=False)
    except FileNotFoundError:
        raise Failure("openssl is missing (apt-get install openssl)") from None
    if done.returncode != 0:
        raise Failure(f"openssl {arguments[0]}: {done.stderr}")
    return done.stdout
