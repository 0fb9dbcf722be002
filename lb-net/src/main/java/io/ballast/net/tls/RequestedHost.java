package io.ballast.net.tls;

import io.netty.channel.Channel;
import io.netty.util.AttributeKey;
import org.jspecify.annotations.Nullable;

/**
 * Stores the SNI host of a client's handshake as an attribute of its channel. Java's own TLS does not provide it, since
 * it ignores that extension (see {@link TlsProvider}).
 */
final class RequestedHost {

    private static final AttributeKey<String> KEY = AttributeKey.valueOf(RequestedHost.class, "host");

    private RequestedHost() {}

    /** @param host in lower case and without a final dot; null if the client sent no SNI */
    static void store(Channel channel, @Nullable String host) {
        if (host != null) {
            channel.attr(KEY).set(host);
        }
    }

    /** The host; null if the client sent no SNI, or if this process does not terminate TLS. */
    static @Nullable String of(Channel channel) {
        return channel.attr(KEY).get();
    }
}
