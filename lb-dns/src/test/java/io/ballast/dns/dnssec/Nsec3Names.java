package io.ballast.dns.dnssec;

import org.xbill.DNS.Name;
import org.xbill.DNS.TextParseException;
import org.xbill.DNS.utils.base32;

/** Makes NSEC3 owner names with dnsjava. */
final class Nsec3Names {

    private Nsec3Names() {}

    static Name owner(byte[] hash) {
        String label =
                new base32(base32.Alphabet.BASE32HEX, /* padding= */ false, /* lowercase= */ true).toString(hash);
        try {
            return Name.fromString(label, ParsedResponse.APEX);
        } catch (TextParseException e) {
            throw new AssertionError(e);
        }
    }
}
