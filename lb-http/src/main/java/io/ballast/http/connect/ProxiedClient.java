package io.ballast.http.connect;

import io.ballast.core.config.BackendConnections;
import io.ballast.net.proxyprotocol.ProxyHeaderWriter;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.net.SocketAddress;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The client connection for which a connection to a backend speaks, as a header of the PROXY protocol says. Immutable; two are
 * equal if their headers are.
 *
 * @param client its far end
 * @param local our end of it
 */
public record ProxiedClient(SocketAddress client, SocketAddress local) {

    /** Null if connections begin with no header, or if it is not known for whom one would be. */
    public static @Nullable ProxiedClient of(
            BackendConnections settings, @Nullable SocketAddress client, @Nullable SocketAddress local) {
        return settings.sendsProxyHeader() && client != null && local != null ? new ProxiedClient(client, local) : null;
    }

    /** Makes the header with which a connection begins; each buffer belongs to who asks. */
    public Supplier<ByteBuf> header(BackendConnections settings, ByteBufAllocator allocator) {
        return () -> ProxyHeaderWriter.write(settings.proxyHeader(), client, local, allocator);
    }
}
