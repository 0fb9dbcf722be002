package io.ballast.cluster.mesh;

import io.ballast.net.tls.MutualTls;
import io.netty.channel.socket.SocketChannel;
import io.netty.handler.ssl.SslHandler;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** Creates the TLS handlers of connections, with the newest certificate. Thread-safe. */
final class MeshTls {

    private static final int HANDSHAKE_SECONDS = 10;

    private final Supplier<MutualTls> tls;

    MeshTls(Supplier<MutualTls> tls) {
        this.tls = tls;
    }

    SslHandler client(SocketChannel channel) {
        return limited(tls.get().newClientHandler(channel.alloc()));
    }

    SslHandler server(SocketChannel channel) {
        return limited(tls.get().newServerHandler(channel.alloc()));
    }

    private static SslHandler limited(SslHandler handler) {
        handler.setHandshakeTimeout(HANDSHAKE_SECONDS, TimeUnit.SECONDS);
        return handler;
    }
}
