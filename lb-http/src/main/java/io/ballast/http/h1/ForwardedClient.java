package io.ballast.http.h1;

import io.ballast.core.net.CidrSet;
import org.jspecify.annotations.Nullable;

/**
 * Finds the client behind trusted proxies: in {@code X-Forwarded-For}, or in {@code Forwarded} (RFC 7239) if there is no
 * such header, the rightmost address that is not a trusted proxy's itself; if all are, the leftmost. What stands to the
 * left of it was said by somebody who is not trusted. An entry that is no address, such as {@code unknown}, hides
 * whoever is meant, and the peer has to do.
 *
 * <p>Event-loop confined; allocates nothing.
 */
final class ForwardedClient {

    private static final byte[] FOR = Octets.ascii("for");

    private enum Found {
        NOTHING,
        JUNK,
        PROXY,
        CLIENT
    }

    private final CidrSet trusted;
    private final AddressReader reader = new AddressReader();
    private final byte[] ipv4 = new byte[4];
    private final byte[] ipv6 = new byte[16];
    /** No written form of an address is longer. */
    private final byte[] text = new byte[45];

    private byte[] octets = ipv4;
    private int textLength;
    private Found found = Found.NOTHING;

    ForwardedClient(CidrSet trusted) {
        this.trusted = trusted;
    }

    void forget() {
        found = Found.NOTHING;
    }

    /** Whether the request that was read last names its client. */
    boolean isKnown() {
        return found == Found.CLIENT || found == Found.PROXY;
    }

    /** The client's address: 4 or 16 octets. */
    byte[] octets() {
        return octets;
    }

    byte[] text() {
        return text;
    }

    int textLength() {
        return textLength;
    }

    void read(RequestScanner request) {
        found = Found.NOTHING;
        for (int i = 0; i < request.count; i++) {
            if (request.names[i] == HeaderName.X_FORWARDED_FOR) {
                readList(request.bytes, request.valueStart[i], request.valueEnd[i]);
            }
        }
        if (found != Found.NOTHING) {
            return;
        }
        for (int i = 0; i < request.count; i++) {
            if (request.names[i] == HeaderName.FORWARDED) {
                readForwarded(request.bytes, request.valueStart[i], request.valueEnd[i]);
            }
        }
    }

    private void readList(byte[] bytes, int from, int to) {
        int start = from;
        for (int i = from; i <= to; i++) {
            if (i == to || bytes[i] == ',') {
                judge(bytes, start, i);
                start = i + 1;
            }
        }
    }

    /** Elements end with commas, their parameters with semicolons; neither counts inside quotes. */
    private void readForwarded(byte[] bytes, int from, int to) {
        int start = from;
        boolean named = false;
        boolean quoted = false;
        for (int i = from; i <= to; i++) {
            byte octet = i == to ? (byte) ',' : bytes[i];
            if (quoted && i < to) {
                quoted = octet != '"';
                i += octet == '\\' ? 1 : 0;
            } else if (octet == '"') {
                quoted = true;
            } else if (octet == ',' || octet == ';') {
                named |= readParameter(bytes, start, i);
                start = i + 1;
                if (octet == ',') {
                    found = named ? found : Found.JUNK;
                    named = false;
                }
            }
        }
        if (quoted) {
            found = Found.JUNK;
        }
    }

    private boolean readParameter(byte[] bytes, int from, int to) {
        int start = from;
        while (start < to && FieldScanner.isBlank(bytes[start])) {
            start++;
        }
        int equals = start + FOR.length;
        if (equals >= to || bytes[equals] != '=' || !Octets.equalsIgnoreCase(bytes, start, equals, FOR)) {
            return false;
        }
        judge(bytes, equals + 1, to);
        return true;
    }

    /** Takes in the next entry from the left. */
    private void judge(byte[] bytes, int from, int to) {
        int start = from;
        int end = to;
        while (start < end && FieldScanner.isBlank(bytes[start])) {
            start++;
        }
        while (end > start && FieldScanner.isBlank(bytes[end - 1])) {
            end--;
        }
        if (end - start > 1 && bytes[start] == '"' && bytes[end - 1] == '"') {
            start++;
            end--;
        }
        if (start < end && bytes[start] == '[') {
            int bracket = indexOf(bytes, ']', start, end);
            start = bracket == end ? end : start + 1; // none: nothing is left
            end = bracket;
        } else {
            int colon = indexOf(bytes, ':', start, end);
            // One colon only: what stands behind it is a port.
            end = indexOf(bytes, ':', Math.min(colon + 1, end), end) == end ? colon : end;
        }
        byte @Nullable [] address = end - start > text.length ? null : reader.read(bytes, start, end);
        if (address == null) {
            found = Found.JUNK;
        } else if (!trusted.contains(address)) {
            keep(address, bytes, start, end);
            found = Found.CLIENT;
        } else if (found == Found.NOTHING) {
            keep(address, bytes, start, end);
            found = Found.PROXY;
        }
    }

    private void keep(byte[] address, byte[] bytes, int from, int to) {
        octets = address.length == 4 ? ipv4 : ipv6;
        System.arraycopy(address, 0, octets, 0, address.length);
        textLength = to - from;
        System.arraycopy(bytes, from, text, 0, textLength);
    }

    private static int indexOf(byte[] bytes, char wanted, int from, int to) {
        for (int i = from; i < to; i++) {
            if (bytes[i] == wanted) {
                return i;
            }
        }
        return to;
    }
}
