package io.ballast.net.tls;

import io.netty.channel.Channel;
import io.netty.util.AttributeKey;
import org.jspecify.annotations.Nullable;

/**
 * The host that a client asked for in its handshake (SNI), kept with its connection. Java's own TLS does not tell it, since it
 * ignores that extension (see {@link TlsProvider}).
 */
final class AskedHost {

    private static final AttributeKey<String> KEY = AttributeKey.valueOf(AskedHost.class, "host");

    private AskedHost() {}

    /** @param host in lower case and without a final dot; null if the client named none */
    static void keep(Channel channel, @Nullable String host) {
        if (host != null) {
            channel.attr(KEY).set(host);
        }
    }

    /** Null if the client named none, or the handshake is not ours. */
    static @Nullable String of(Channel channel) {
        return channel.attr(KEY).get();
    }
}
