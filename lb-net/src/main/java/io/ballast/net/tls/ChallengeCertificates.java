package io.ballast.net.tls;

import io.ballast.core.ErrorText;
import io.netty.buffer.ByteBufAllocator;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.SslProvider;
import io.netty.util.ReferenceCountUtil;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/**
 * Certificates that a certificate authority requests, to verify names, in handshakes with the protocol {@value
 * #PROTOCOL} (<a href="https://datatracker.ietf.org/doc/html/rfc8737">RFC 8737</a>). They are used in no other
 * handshake.
 *
 * <p>Thread safety: any thread may call any method. A handshake with that protocol takes a lock; other handshakes take
 * none.
 */
public final class ChallengeCertificates {

    /** The protocol that certificate authorities offer (ALPN). */
    public static final String PROTOCOL = "acme-tls/1";

    private final Map<String, SslContext> contexts = new HashMap<>();

    /**
     * Adds or replaces the certificate of a host.
     *
     * @param host in lower case, without a final dot
     * @param identity a self-signed certificate with the response to the challenge
     * @throws IOException if the certificate cannot be used
     */
    public synchronized void put(String host, TlsIdentity identity) throws IOException {
        SslProvider provider = TlsProvider.preferred();
        SslContextBuilder builder = SslContextBuilder.forServer(identity.key(), identity.chain())
                .sslProvider(provider)
                .applicationProtocolConfig(TlsContext.alpnConfig(List.of(PROTOCOL)));
        ServerParameters.DEFAULT.apply(builder, provider);
        try {
            SslContext former = contexts.put(host, builder.build());
            ReferenceCountUtil.release(former);
        } catch (SSLException | IllegalArgumentException e) {
            throw new IOException("cannot use the certificate of a challenge for " + host + ": " + ErrorText.of(e), e);
        }
    }

    /** Removes the certificate of a host, if there is one. */
    public synchronized void remove(String host) {
        ReferenceCountUtil.release(contexts.remove(host));
    }

    /**
     * Creates the TLS handler of a connection on which a client offers {@value #PROTOCOL}.
     *
     * @param host the requested host; null if the client sent none
     * @return null if there is no certificate for the host
     */
    synchronized @Nullable SslHandler newHandler(@Nullable String host, ByteBufAllocator allocator) {
        SslContext context = host == null ? null : contexts.get(host);
        if (context == null) {
            return null;
        }
        SslHandler handler = context.newHandler(allocator);
        handler.setHandshakeTimeoutMillis(0);
        return handler;
    }
}
