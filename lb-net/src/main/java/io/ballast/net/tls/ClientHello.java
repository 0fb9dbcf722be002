package io.ballast.net.tls;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the first message of a TLS client tells in the clear.
 *
 * @param serverName the name that it asks for (RFC 6066 section 3), in lower case and without a final dot; null if none
 * @param alpn the protocols that it offers (RFC 7301), in its order
 */
public record ClientHello(@Nullable String serverName, List<String> alpn) {

    /** Of a client that speaks something else than TLS. */
    public static final ClientHello NONE = new ClientHello(null, List.of());

    public ClientHello {
        alpn = List.copyOf(alpn);
    }
}
