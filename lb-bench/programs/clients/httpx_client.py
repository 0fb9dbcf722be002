"""httpx as a client; see README.md."""

import hashlib
import ssl
import sys

import httpx


def pattern(size):
    return bytes((i ^ i >> 8 ^ i >> 16) & 0xFF for i in range(size))


def main(url, version, authority, sizes):
    trusting = ssl.create_default_context(cafile=authority)
    with httpx.Client(verify=trusting, http1=version != "2", http2=version == "2", timeout=60, trust_env=False) as client:
        for size in map(int, sizes.split(",")):
            got = client.get(f"{url}/{size}").raise_for_status()
            sent = client.post(f"{url}/digest", content=pattern(size)).raise_for_status()
            print(got.http_version, hashlib.sha256(got.content).hexdigest(), sent.text)


main(*sys.argv[1:])
