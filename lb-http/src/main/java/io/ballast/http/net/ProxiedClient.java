package io.ballast.http.net;

import io.ballast.core.config.BackendConnections;
import io.ballast.net.proxyprotocol.ProxyHeaderWriter;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.net.SocketAddress;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The client of a backend connection, as sent in a PROXY protocol header. Immutable; two objects are equal if
 * their headers are equal.
 *
 * @param client the client's address
 * @param local our address on the client's connection
 */
public record ProxiedClient(SocketAddress client, SocketAddress local) {

    /** Returns {@code client} for the PROXY header; null if the pool sends no PROXY header. */
    public static @Nullable ProxiedClient of(BackendConnections settings, @Nullable ProxiedClient client) {
        return settings.sendsProxyHeader() ? client : null;
    }

    /** Returns a supplier that writes the header into a new buffer; the caller owns each buffer. */
    public Supplier<ByteBuf> header(BackendConnections settings, ByteBufAllocator allocator) {
        return () -> ProxyHeaderWriter.write(settings.proxyHeader(), client, local, allocator);
    }
}
