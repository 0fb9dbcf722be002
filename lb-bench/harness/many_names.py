"""Zone files with many names of the usual kinds."""

ORIGIN = "bench.example"

_HEAD = """\
$ORIGIN bench.example.
$TTL 300
@ 3600 SOA ns1 hostmaster {serial} 3600 600 86400 300
@ NS ns1
@ NS ns2
ns1 A 192.0.2.1
ns2 A 192.0.2.2
"""
# Of ten names, six have an address, and one each has two addresses, a text, a mail server and an alias.
_KINDS = (
    "{name} A 192.0.{high}.{low}\n",
    "{name} A 198.51.100.{low}\n{name} AAAA 2001:db8::{number:x}\n",
    '{name} TXT "v=spf1 ip4:192.0.2.{low} -all"\n',
    "{name} MX 10 mail{low}\n{name} A 192.0.2.9\n",
    "{name} CNAME n0\n",
)
_KIND_OF = (0, 0, 0, 0, 0, 0, 1, 2, 3, 4)


def write(file, count, serial=1):
    """Writes a zone file with this many names in addition to the apex and its servers; returns the number of records.
    """
    lines = _HEAD.count("\n") - 2  # the directives
    with open(file, "w", encoding="ascii") as out:
        out.write(_HEAD.format(serial=serial))
        for number in range(count):
            text = records(number)
            lines += text.count("\n")
            out.write(text)
    return lines


def records(number):
    """Returns the lines of one name."""
    kind = _KINDS[_KIND_OF[number % len(_KIND_OF)]]
    return kind.format(name=f"n{number}", number=number & 0xFFFF, high=number >> 8 & 255, low=number & 255)
