package io.ballast.net.tls;

import io.netty.channel.Channel;
import io.netty.handler.ssl.SslHandler;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The server name and protocols that a TLS client asks for, from its ClientHello or from a completed handshake.
 *
 * @param serverName the requested name (SNI, RFC 6066 section 3), in lower case and without a final dot; null if none
 * @param alpn the offered protocols (RFC 7301), in the client's order; after the handshake the negotiated one
 */
public record ClientHello(@Nullable String serverName, List<String> alpn) {

    /** The value for a client that does not use TLS. */
    public static final ClientHello NONE = new ClientHello(null, List.of());

    public ClientHello {
        alpn = List.copyOf(alpn);
    }

    /**
     * Returns the requested host and the negotiated protocol of a client whose TLS handshake has completed.
     * Called on the event loop of its connection.
     */
    public static ClientHello of(Channel channel, SslHandler tls) {
        String protocol = tls.applicationProtocol();
        return new ClientHello(RequestedHost.of(channel), protocol == null ? List.of() : List.of(protocol));
    }
}
