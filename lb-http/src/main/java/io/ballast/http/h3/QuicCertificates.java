package io.ballast.http.h3;

import io.ballast.net.tls.ServerTls;
import io.ballast.net.tls.TlsIdentity;
import io.netty.handler.codec.http3.Http3;
import io.netty.handler.codec.quic.QuicSslContext;
import io.netty.handler.codec.quic.QuicSslContextBuilder;
import java.security.cert.X509Certificate;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Selects the certificate of a QUIC handshake: the same as over TCP. A certificate that was replaced in its files is used
 * for the next handshake.
 *
 * <p>Thread safety: any thread may call any method. Cost: two hash lookups; the first handshake with a certificate creates
 * its context.
 */
final class QuicCertificates {

    /** The maximum number of contexts. When it is reached, those that are still needed are created again. */
    private static final int MAX_CONTEXTS = 1_000;

    private final Supplier<ServerTls> tls;
    private final Map<TlsIdentity, QuicSslContext> contexts = new ConcurrentHashMap<>();

    /** @param tls the current TLS settings of the listener */
    QuicCertificates(Supplier<ServerTls> tls) {
        this.tls = tls;
    }

    /**
     * Creates the context of all connections, which selects the certificate for each.
     *
     * @throws IllegalArgumentException if QUIC cannot use the default certificate, for instance because of its kind of key
     */
    QuicSslContext newContext() {
        context(/* host= */ null);
        return QuicSslContextBuilder.buildForServerWithSni(this::context);
    }

    private QuicSslContext context(@Nullable String host) {
        TlsIdentity identity = tls.get().identityFor(host);
        QuicSslContext known = contexts.get(identity);
        if (known != null) {
            return known;
        }
        QuicSslContext created = QuicSslContextBuilder.forServer(
                        identity.key(),
                        /* keyPassword= */ null,
                        identity.chain().toArray(new X509Certificate[0]))
                .applicationProtocols(Http3.supportedApplicationProtocols())
                .earlyData(false)
                .build();
        if (contexts.size() >= MAX_CONTEXTS) {
            contexts.clear();
        }
        contexts.put(identity, created);
        return created;
    }
}
