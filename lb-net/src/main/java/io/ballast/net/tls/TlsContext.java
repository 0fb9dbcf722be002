package io.ballast.net.tls;

import io.ballast.core.ErrorText;
import io.ballast.core.config.TlsFiles;
import io.netty.buffer.ByteBufAllocator;
import io.netty.handler.ssl.ApplicationProtocolConfig;
import io.netty.handler.ssl.ApplicationProtocolConfig.Protocol;
import io.netty.handler.ssl.ApplicationProtocolConfig.SelectedListenerFailureBehavior;
import io.netty.handler.ssl.ApplicationProtocolConfig.SelectorFailureBehavior;
import io.netty.handler.ssl.ReferenceCountedOpenSslEngine;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.SslProvider;
import io.netty.util.IllegalReferenceCountException;
import io.netty.util.ReferenceCountUtil;
import java.io.IOException;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * TLS on the connections of a listener, with one certificate. A connection keeps the certificate that it started with.
 *
 * <p>Thread safety: any thread may create handlers and read the identity; one thread refreshes.
 */
public final class TlsContext implements WatchedTls {

    private static final Logger LOG = LoggerFactory.getLogger(TlsContext.class);

    /**
     * The maximum number of cached TLS 1.2 sessions for resumption; later versions store the session at the
     * client.
     */
    private static final int SESSIONS = 1000;

    private final TlsFiles source;
    private final TlsIdentityFiles files;
    private final SslProvider provider;
    private final List<String> applicationProtocols;
    private final TicketKeys tickets;
    private final InstantSource clock;
    private ServerParameters parameters;
    private volatile Current current;
    private volatile boolean closed;
    /**
     * The reason why clients reject the certificate, determined at the last check; empty if it is valid. Used by
     * the refreshing thread.
     */
    private Optional<String> invalidityReason;

    /** The active certificate, OCSP response and Netty context. */
    @SuppressWarnings("ArrayRecordComponent") // records are never compared, and the array is never exposed
    private record Current(TlsIdentity identity, byte @Nullable [] ocsp, SslContext context) {}

    TlsContext(
            TlsFiles source,
            SslProvider provider,
            List<String> applicationProtocols,
            ServerParameters parameters,
            TicketKeys tickets,
            InstantSource clock)
            throws IOException {
        this.clock = clock;
        this.source = source;
        this.files = new TlsIdentityFiles(source);
        this.provider = provider;
        this.applicationProtocols = List.copyOf(applicationProtocols);
        this.tickets = tickets;
        this.parameters = parameters;
        this.current = build(files.loadIfChanged().orElseThrow());
        this.invalidityReason = current.identity.invalidityReason(clock.instant());
    }

    /**
     * Reads the certificate and key files.
     *
     * @param applicationProtocols the ALPN names of the offered protocols, in order of preference
     * @throws IOException if a file cannot be read or used; the message names the file
     */
    static TlsContext open(TlsFiles files, List<String> applicationProtocols) throws IOException {
        TlsContext context = open(files, TlsProvider.choose(), applicationProtocols);
        context.reportDates();
        return context;
    }

    /** Like {@link #open(TlsFiles, List)}, with a given TLS implementation instead of the preferred one. */
    static TlsContext open(TlsFiles files, SslProvider provider, List<String> applicationProtocols) throws IOException {
        return new TlsContext(
                files,
                provider,
                applicationProtocols,
                ServerParameters.DEFAULT,
                new TicketKeys(System::nanoTime),
                InstantSource.system());
    }

    /** BoringSSL if its library loads, otherwise Java's own TLS. */
    public static SslProvider preferredProvider() {
        return TlsProvider.preferred();
    }

    /** The name of the implementation in use, for logs. */
    public static String providerLabel() {
        return preferredProvider() == SslProvider.JDK ? "jdk" : "boringssl";
    }

    /**
     * Creates the handler of a new connection. The caller sets the timeout of its handshake. Frontends use {@link
     * ServerTls#newHandler()}, which checks the ClientHello first.
     */
    SslHandler newHandler(ByteBufAllocator allocator) {
        while (true) {
            Current now = current;
            try {
                SslHandler handler = now.context.newHandler(allocator);
                handler.setHandshakeTimeoutMillis(0);
                if (now.ocsp != null && handler.engine() instanceof ReferenceCountedOpenSslEngine engine) {
                    engine.setOcspResponse(now.ocsp);
                }
                return handler;
            } catch (IllegalReferenceCountException e) {
                // The context was replaced and released after this method read the field. The field now holds the new
                // context, unless this object is closed.
                if (closed) {
                    throw new IllegalStateException("closed", e);
                }
            }
        }
    }

    /** The configured files of the certificate. */
    public TlsFiles source() {
        return source;
    }

    /** The certificate and key for new connections. */
    public TlsIdentity identity() {
        return current.identity;
    }

    @Override
    public void refresh() {
        tryRefresh();
    }

    /** Whether a client can verify the certificate, judging by its key type and the signature hash. */
    boolean isVerifiedBy(ClientHelloOffer offer) {
        return offer.verifies(current.identity.certificate().getPublicKey());
    }

    /** Whether the certificate was expired or not yet valid at the last check. */
    boolean isOutOfDate() {
        return invalidityReason.isPresent();
    }

    /** Logs a certificate that became invalid, once. Returns whether its validity has changed. */
    private boolean checkDates() {
        Optional<String> now = current.identity.invalidityReason(clock.instant());
        if (now.equals(invalidityReason)) {
            return false;
        }
        invalidityReason = now;
        reportDates();
        return true;
    }

    /** Logs an error if the certificate is expired or not yet valid. */
    void reportDates() {
        invalidityReason.ifPresent(reason -> LOG.error(
                "msg=\"A TLS CERTIFICATE IS EXPIRED OR NOT YET VALID: clients reject it until replaced; it is served unless"
                        + " another certificate has the same name\" certificate={} reason=\"{}\"",
                source.certificate(),
                reason));
    }

    /** Like {@link #refresh}; returns true if the certificate was replaced, or its validity has changed. */
    boolean tryRefresh() {
        try {
            Optional<TlsIdentity> changed = files.loadIfChanged();
            if (changed.isEmpty()) {
                return checkDates();
            }
            changed.get().checkReplaces(current.identity, source.certificate(), clock.instant());
            replace(build(changed.get()));
            checkDates();
            LOG.info(
                    "msg=\"reloaded changed TLS files\" certificate={} not_after={}",
                    source.certificate(),
                    changed.get().certificate().getNotAfter().toInstant());
            return true;
        } catch (IOException e) {
            LOG.warn(
                    "msg=\"cannot load changed TLS files; the previous ones stay active\" cause=\"{}\"",
                    ErrorText.of(e));
            return false;
        }
    }

    /** Applies new parameters to new connections; called on the thread that refreshes TLS files. */
    void parameters(ServerParameters next) throws IOException {
        parameters = next;
        replace(build(current.identity));
    }

    /** Installs the new session ticket keys; called on the thread that refreshes TLS files. */
    void installTicketKeys() {
        tickets.install(current.context);
    }

    private void replace(Current next) {
        SslContext old = current.context;
        current = next;
        ReferenceCountUtil.release(old);
    }

    /**
     * Returns the TLS implementation for a certificate: Java's own if BoringSSL cannot sign with the key type in
     * every TLS version. For example, BoringSSL does not sign with Ed25519 keys in TLS 1.2.
     */
    private SslProvider providerFor(TlsIdentity identity) {
        boolean isJava = TlsProvider.isOpenSsl(provider)
                && !BoringSslKeySupport.canSign(identity.certificate().getPublicKey());
        if (isJava) {
            LOG.info("tls=jdk reason=\"BoringSSL does not support the key type\" certificate={}", source.certificate());
        }
        return isJava ? SslProvider.JDK : provider;
    }

    private Current build(TlsIdentity identity) throws IOException {
        SslProvider used = providerFor(identity);
        boolean staples = source.ocsp().isPresent() && TlsProvider.isOpenSsl(used);
        byte[] ocsp = source.ocsp().isPresent() ? OcspFile.read(source.ocsp().get()) : null;
        try {
            SslContextBuilder builder = SslContextBuilder.forServer(identity.key(), identity.chain())
                    .sslProvider(used)
                    .enableOcsp(staples)
                    .sessionCacheSize(SESSIONS)
                    .sessionTimeout(TicketKeys.LIFE.toSeconds())
                    // A client that sends no ALPN, or offers only unsupported protocols, is served too.
                    .applicationProtocolConfig(alpnConfig(applicationProtocols));
            parameters.apply(builder, used);
            SslContext context = builder.build();
            tickets.install(context);
            return new Current(identity, staples ? ocsp : null, context);
        } catch (SSLException | IllegalArgumentException e) {
            throw new IOException(source.certificate() + ": " + ErrorText.of(e), e);
        }
    }

    /** Returns Netty's ALPN configuration; ALPN is disabled if there are no protocols. */
    static ApplicationProtocolConfig alpnConfig(List<String> protocols) {
        return protocols.isEmpty()
                ? ApplicationProtocolConfig.DISABLED
                : new ApplicationProtocolConfig(
                        Protocol.ALPN,
                        SelectorFailureBehavior.NO_ADVERTISE,
                        SelectedListenerFailureBehavior.ACCEPT,
                        protocols);
    }

    /** Releases the context; no handlers may be created afterwards. */
    @Override
    public void close() {
        if (!closed) {
            closed = true;
            ReferenceCountUtil.release(current.context);
        }
    }
}
