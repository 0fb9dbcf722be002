package io.ballast.net.tls;

import io.ballast.core.config.TlsFiles;
import io.netty.buffer.ByteBufAllocator;
import io.netty.handler.ssl.ApplicationProtocolConfig;
import io.netty.handler.ssl.ApplicationProtocolConfig.Protocol;
import io.netty.handler.ssl.ApplicationProtocolConfig.SelectedListenerFailureBehavior;
import io.netty.handler.ssl.ApplicationProtocolConfig.SelectorFailureBehavior;
import io.netty.handler.ssl.OpenSsl;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.SslProvider;
import io.netty.handler.ssl.SupportedCipherSuiteFilter;
import io.netty.util.IllegalReferenceCountException;
import io.netty.util.ReferenceCountUtil;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import javax.net.ssl.SSLException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * TLS 1.2 and 1.3 on the connections of one listener. A connection keeps the identity that it began with.
 *
 * <p>Thread safety: any thread may make handlers; one thread refreshes.
 */
public final class TlsContext implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(TlsContext.class);

    private static final String[] VERSIONS = {"TLSv1.3", "TLSv1.2"};

    /**
     * What every browser of the last years speaks, with forward secrecy and authenticated encryption: the ciphers of Netty's
     * HTTP/2, none of which <a href="https://datatracker.ietf.org/doc/html/rfc9113#appendix-A">RFC 9113</a> prohibits.
     */
    static final List<String> CIPHERS = List.of(
            "TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256",
            "TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256",
            "TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384",
            "TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384",
            "TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256",
            "TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256",
            "TLS_AES_128_GCM_SHA256",
            "TLS_AES_256_GCM_SHA384",
            "TLS_CHACHA20_POLY1305_SHA256");

    /** Bounds what resumption by TLS 1.2 keeps in memory; later versions keep it at the client. */
    private static final int SESSIONS = 1000;

    private static final int SESSION_SECONDS = 3600;

    private final TlsFiles source;
    private final TlsIdentityFiles files;
    private final SslProvider provider;
    private final List<String> applicationProtocols;
    private volatile SslContext current;

    private TlsContext(TlsFiles source, SslProvider provider, List<String> applicationProtocols) throws IOException {
        this.source = source;
        this.files = new TlsIdentityFiles(source);
        this.provider = provider;
        this.applicationProtocols = applicationProtocols;
        this.current = build(files.changed().orElseThrow());
    }

    /**
     * Reads the files.
     *
     * @param applicationProtocols what may be spoken inside (ALPN), the preferred one first
     * @throws IOException if they cannot be read or used; the message names the file
     */
    public static TlsContext open(TlsFiles files, List<String> applicationProtocols) throws IOException {
        return open(files, preferredProvider(), applicationProtocols);
    }

    /** Like the other, with an implementation of TLS that is not the preferred one. */
    public static TlsContext open(TlsFiles files, SslProvider provider, List<String> applicationProtocols)
            throws IOException {
        return new TlsContext(files, provider, applicationProtocols);
    }

    /** BoringSSL where its library loads, else Java's own implementation. */
    public static SslProvider preferredProvider() {
        return OpenSsl.isAvailable() ? SslProvider.OPENSSL_REFCNT : SslProvider.JDK;
    }

    /** The name of the implementation in use, for logs. */
    public static String providerLabel() {
        return preferredProvider() == SslProvider.JDK ? "jdk" : "boringssl";
    }

    /** Makes the handler of a new connection. How long its handshake may take is for others to decide. */
    public SslHandler newHandler(ByteBufAllocator allocator) {
        while (true) {
            try {
                SslHandler handler = current.newHandler(allocator);
                handler.setHandshakeTimeoutMillis(0);
                return handler;
            } catch (IllegalReferenceCountException e) {
                // Replaced and released after we read it: its successor is there.
            }
        }
    }

    /**
     * Takes over what the files hold if they have changed. If it cannot be used, the old identity stays, and a warning is
     * logged. Reads files; {@link TlsReload} calls it every second.
     */
    public void refresh() {
        try {
            Optional<TlsIdentity> changed = files.changed();
            if (changed.isPresent()) {
                replace(changed.get());
            }
        } catch (IOException e) {
            LOG.warn(
                    "msg=\"TLS files have changed but cannot be used; the old ones stay in force\" cause=\"{}\"",
                    e.getMessage());
        }
    }

    private void replace(TlsIdentity identity) throws IOException {
        SslContext old = current;
        current = build(identity);
        ReferenceCountUtil.release(old);
        LOG.info(
                "msg=\"TLS files have changed and are in force\" certificate={} not_after={}",
                source.certificate(),
                identity.certificate().getNotAfter().toInstant());
    }

    private SslContext build(TlsIdentity identity) throws IOException {
        try {
            return SslContextBuilder.forServer(identity.key(), identity.chain())
                    .sslProvider(provider)
                    .protocols(VERSIONS)
                    .ciphers(CIPHERS, SupportedCipherSuiteFilter.INSTANCE)
                    .sessionCacheSize(SESSIONS)
                    .sessionTimeout(SESSION_SECONDS)
                    // A client that names none of ours, or nothing, is served all the same.
                    .applicationProtocolConfig(new ApplicationProtocolConfig(
                            Protocol.ALPN,
                            SelectorFailureBehavior.NO_ADVERTISE,
                            SelectedListenerFailureBehavior.ACCEPT,
                            applicationProtocols))
                    .build();
        } catch (SSLException | IllegalArgumentException e) {
            throw new IOException(source.certificate() + ": " + e.getMessage(), e);
        }
    }

    /** Releases what is left; no handler may be made any more. */
    @Override
    public void close() {
        ReferenceCountUtil.release(current);
    }
}
