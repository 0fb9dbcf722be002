package io.ballast.net.tls;

import io.ballast.core.ErrorText;
import io.netty.buffer.ByteBufAllocator;
import io.netty.handler.ssl.ClientAuth;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.SslProvider;
import java.io.IOException;
import java.security.cert.X509Certificate;
import java.util.List;
import javax.net.ssl.SSLException;

/**
 * TLS 1.3 (RFC 8446) on connections between processes. Each process presents a certificate, and accepts the
 * certificates of certain authorities. The names in the certificates are not checked. Immutable; thread-safe.
 *
 * <p>BoringSSL is used if it is available and supports the keys: a handshake of a process that has just started takes a
 * tenth of the time that Java's own TLS takes.
 */
public final class MutualTls {

    private static final String VERSION = "TLSv1.3";

    private final SslContext clients;
    private final SslContext servers;

    private MutualTls(SslContext clients, SslContext servers) {
        this.clients = clients;
        this.servers = servers;
    }

    /**
     * @param own the certificate and key of this process
     * @param authorities the authorities whose certificates are accepted; at least one
     * @throws IOException if a key or a certificate cannot be used
     */
    public static MutualTls of(TlsIdentity own, List<X509Certificate> authorities) throws IOException {
        SslProvider provider = provider(own, authorities);
        X509Certificate[] trusted = authorities.toArray(X509Certificate[]::new);
        try {
            return new MutualTls(
                    SslContextBuilder.forClient()
                            .sslProvider(provider)
                            .protocols(VERSION)
                            .keyManager(own.key(), own.chain())
                            .trustManager(trusted)
                            .endpointIdentificationAlgorithm("")
                            .build(),
                    SslContextBuilder.forServer(own.key(), own.chain())
                            .sslProvider(provider)
                            .protocols(VERSION)
                            .trustManager(trusted)
                            .clientAuth(ClientAuth.REQUIRE)
                            .build());
        } catch (SSLException | IllegalArgumentException e) {
            throw new IOException("cannot set up TLS: " + ErrorText.of(e), e);
        }
    }

    /** Chooses an implementation. Its contexts need no explicit release, because garbage collection frees them. */
    private static SslProvider provider(TlsIdentity own, List<X509Certificate> authorities) {
        boolean isSupported = BoringSslKeySupport.canSign(own.certificate().getPublicKey())
                && authorities.stream().allMatch(each -> BoringSslKeySupport.canVerify(each.getPublicKey()));
        return isSupported && TlsProvider.isOpenSsl(TlsProvider.preferred()) ? SslProvider.OPENSSL : SslProvider.JDK;
    }

    /** Creates the handler of a connection that this process opened. The caller sets the timeout of the handshake. */
    public SslHandler newClientHandler(ByteBufAllocator allocator) {
        return clients.newHandler(allocator);
    }

    /** Creates the handler of an accepted connection. The caller sets the timeout of the handshake. */
    public SslHandler newServerHandler(ByteBufAllocator allocator) {
        return servers.newHandler(allocator);
    }
}
