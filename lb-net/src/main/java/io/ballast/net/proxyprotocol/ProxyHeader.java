package io.ballast.net.proxyprotocol;

import io.ballast.core.Checks;
import io.ballast.core.net.IpAddress;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What a proxy says at the beginning of a connection about the client it speaks for (<a
 * href="https://www.haproxy.org/download/3.2/doc/proxy-protocol.txt">PROXY protocol</a>, versions 1 and 2).
 *
 * <p>Read strictly: what does not follow the letter of the protocol is an error, never data of the client.
 *
 * @param bytes its length; what the client itself says begins there
 * @param client the client; absent if the proxy speaks for itself, as in a health check, or does not know
 * @param destination where the client connected to; absent if there is no client
 */
public record ProxyHeader(int bytes, Optional<Endpoint> client, Optional<Endpoint> destination) {

    /** The longest header that is taken, TLVs included. */
    public static final int MAX_BYTES = 4096;

    /** An address and port. */
    public record Endpoint(IpAddress address, int port) {}

    static final byte[] SIGNATURE = {0x0d, 0x0a, 0x0d, 0x0a, 0x00, 0x0d, 0x0a, 0x51, 0x55, 0x49, 0x54, 0x0a};

    /** One without a client. */
    static ProxyHeader ofProxy(int bytes) {
        return new ProxyHeader(bytes, Optional.empty(), Optional.empty());
    }

    /**
     * Returns the header that the first {@code length} octets begin with; null if more octets are needed to tell.
     *
     * @throws IllegalArgumentException if they begin with no header, or with a broken one
     */
    public static @Nullable ProxyHeader read(byte[] octets, int length) {
        if (length > 0 && octets[0] == 'P') {
            return ProxyHeaderText.read(octets, length);
        }
        for (int i = 0; i < Math.min(length, SIGNATURE.length); i++) {
            Checks.that(octets[i] == SIGNATURE[i], "PROXY header", shown(octets, length), "the protocol's signature");
        }
        return length < SIGNATURE.length ? null : ProxyHeaderBinary.read(octets, SIGNATURE.length, length);
    }

    /** The first octets as text, for messages. */
    private static String shown(byte[] octets, int length) {
        return new String(octets, 0, Math.min(length, 16), StandardCharsets.US_ASCII).replaceAll("[^ -~]", "?");
    }
}
