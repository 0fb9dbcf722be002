package io.ballast.net.tls;

import io.netty.channel.Channel;
import io.netty.handler.ssl.SslHandler;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a TLS client tells of where it wants to go: in the clear in its first message, or by the handshake that we made with
 * it.
 *
 * @param serverName the name that it asks for (RFC 6066 section 3), in lower case and without a final dot; null if none
 * @param alpn the protocols that it offers (RFC 7301), in its order; after the handshake the one that was agreed on
 */
public record ClientHello(@Nullable String serverName, List<String> alpn) {

    /** Of a client that speaks something else than TLS. */
    public static final ClientHello NONE = new ClientHello(null, List.of());

    public ClientHello {
        alpn = List.copyOf(alpn);
    }

    /** What is known once the handshake of a client is done. Called on the event loop of its connection. */
    public static ClientHello of(Channel channel, SslHandler tls) {
        String protocol = tls.applicationProtocol();
        return new ClientHello(AskedHost.of(channel), protocol == null ? List.of() : List.of(protocol));
    }
}
