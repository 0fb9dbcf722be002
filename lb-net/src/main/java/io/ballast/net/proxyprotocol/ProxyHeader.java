package io.ballast.net.proxyprotocol;

import io.ballast.core.Checks;
import io.ballast.core.net.IpAddress;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The header that a proxy sends to identify the client at the beginning of a connection (<a
 * href="https://www.haproxy.org/download/3.2/doc/proxy-protocol.txt">PROXY protocol</a>, versions 1 and 2).
 *
 * <p>Parsing is strict: a violation of the protocol is an error, and is never passed on as client data.
 *
 * @param bytes the length of the header in bytes; the client's data begins there
 * @param client the client; absent if the proxy itself connects, as in a health check, or does not know the client
 * @param destination the address the client connected to; absent if there is no client
 */
public record ProxyHeader(int bytes, Optional<Endpoint> client, Optional<Endpoint> destination) {

    /** The longest accepted header, TLVs included. */
    public static final int MAX_BYTES = 4096;

    /** An address and port. */
    public record Endpoint(IpAddress address, int port) {}

    static final byte[] SIGNATURE = {0x0d, 0x0a, 0x0d, 0x0a, 0x00, 0x0d, 0x0a, 0x51, 0x55, 0x49, 0x54, 0x0a};

    /** Creates a header that contains no client address; {@code bytes} is its length. */
    static ProxyHeader withoutClient(int bytes) {
        return new ProxyHeader(bytes, Optional.empty(), Optional.empty());
    }

    /**
     * Parses the header at the beginning of the first {@code length} bytes; null if more bytes are needed.
     *
     * @throws IllegalArgumentException if there is no header, or a malformed one
     */
    public static @Nullable ProxyHeader read(byte[] bytes, int length) {
        if (length > 0 && bytes[0] == 'P') {
            return ProxyHeaderText.read(bytes, length);
        }
        for (int i = 0; i < Math.min(length, SIGNATURE.length); i++) {
            Checks.that(
                    bytes[i] == SIGNATURE[i],
                    "PROXY header",
                    toPrintable(bytes, length),
                    "the signature of the PROXY protocol");
        }
        return length < SIGNATURE.length ? null : ProxyHeaderBinary.read(bytes, SIGNATURE.length, length);
    }

    /** The first bytes as text, for messages. */
    private static String toPrintable(byte[] bytes, int length) {
        return new String(bytes, 0, Math.min(length, 16), StandardCharsets.US_ASCII).replaceAll("[^ -~]", "?");
    }
}
