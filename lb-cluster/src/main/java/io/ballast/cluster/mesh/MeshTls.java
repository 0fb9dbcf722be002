package io.ballast.cluster.mesh;

import io.netty.channel.socket.SocketChannel;
import io.netty.handler.ssl.ApplicationProtocolConfig;
import io.netty.handler.ssl.ClientAuth;
import io.netty.handler.ssl.IdentityCipherSuiteFilter;
import io.netty.handler.ssl.JdkSslContext;
import io.netty.handler.ssl.SslHandler;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import javax.net.ssl.SSLContext;

/** Makes the TLS side of connections: TLS 1.3, with a certificate of each side. Thread-safe. */
final class MeshTls {

    private static final String[] PROTOCOLS = {"TLSv1.3"};
    private static final int HANDSHAKE_SECONDS = 10;

    private final Supplier<SSLContext> context;

    MeshTls(Supplier<SSLContext> context) {
        this.context = context;
    }

    SslHandler client(SocketChannel channel) {
        return handler(channel, /* client= */ true);
    }

    SslHandler server(SocketChannel channel) {
        return handler(channel, /* client= */ false);
    }

    private SslHandler handler(SocketChannel channel, boolean client) {
        JdkSslContext tls = new JdkSslContext(
                context.get(),
                client,
                /* ciphers= */ null,
                IdentityCipherSuiteFilter.INSTANCE,
                ApplicationProtocolConfig.DISABLED,
                ClientAuth.REQUIRE,
                PROTOCOLS,
                /* startTls= */ false);
        SslHandler handler = tls.newHandler(channel.alloc());
        handler.setHandshakeTimeout(HANDSHAKE_SECONDS, TimeUnit.SECONDS);
        return handler;
    }
}
