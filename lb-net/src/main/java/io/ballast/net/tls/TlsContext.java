package io.ballast.net.tls;

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
 * TLS on the connections of a listener, with one identity. A connection keeps the identity that it began with.
 *
 * <p>Thread safety: any thread may make handlers and ask for the identity; one thread refreshes.
 */
public final class TlsContext implements WatchedTls {

    private static final Logger LOG = LoggerFactory.getLogger(TlsContext.class);

    /** Bounds what resumption by TLS 1.2 keeps in memory; later versions keep it at the client. */
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
    /** Why clients refuse the certificate; empty if they do not. As of the last look, for the thread that refreshes. */
    private Optional<String> outOfDate;

    /** What is in force. */
    @SuppressWarnings("ArrayRecordComponent") // never compared, and never handed out
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
        this.current = build(files.changed().orElseThrow());
        this.outOfDate = current.identity.outOfDate(clock.instant());
    }

    /**
     * Reads the files.
     *
     * @param applicationProtocols what may be spoken inside (ALPN), the preferred one first
     * @throws IOException if they cannot be read or used; the message names the file
     */
    public static TlsContext open(TlsFiles files, List<String> applicationProtocols) throws IOException {
        TlsContext context = open(files, TlsProvider.choose(), applicationProtocols);
        context.reportDates();
        return context;
    }

    /** Like the other, with an implementation of TLS that is not the preferred one. */
    public static TlsContext open(TlsFiles files, SslProvider provider, List<String> applicationProtocols)
            throws IOException {
        return new TlsContext(
                files,
                provider,
                applicationProtocols,
                ServerParameters.DEFAULT,
                new TicketKeys(System::nanoTime),
                InstantSource.system());
    }

    /** BoringSSL where its library loads, else Java's own implementation. */
    public static SslProvider preferredProvider() {
        return TlsProvider.preferred();
    }

    /** The name of the implementation in use, for logs. */
    public static String providerLabel() {
        return preferredProvider() == SslProvider.JDK ? "jdk" : "boringssl";
    }

    /** Makes the handler of a new connection. How long its handshake may take is for others to decide. */
    public SslHandler newHandler(ByteBufAllocator allocator) {
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
                // Replaced and released after we read it: its successor is there, unless this is the end.
                if (closed) {
                    throw new IllegalStateException("closed", e);
                }
            }
        }
    }

    /** Where its identity is kept. */
    public TlsFiles source() {
        return source;
    }

    /** Whom new connections prove to be. */
    public TlsIdentity identity() {
        return current.identity;
    }

    @Override
    public void refresh() {
        refreshed();
    }

    /** Whether a client can verify the certificate, so far as its kind of key and the hash of signatures go. */
    boolean isVerifiedBy(ClientOffer offer) {
        return offer.verifies(current.identity.certificate().getPublicKey());
    }

    /** Whether clients refuse the certificate because of its dates; as of the last look. */
    boolean isOutOfDate() {
        return outOfDate.isPresent();
    }

    /** Logs a certificate that is out of date, once; returns whether it has come to be so or not any more. */
    private boolean checkDates() {
        Optional<String> now = current.identity.outOfDate(clock.instant());
        if (now.equals(outOfDate)) {
            return false;
        }
        outOfDate = now;
        reportDates();
        return true;
    }

    /** Logs that the certificate is out of date, if it is. */
    void reportDates() {
        outOfDate.ifPresent(reason -> LOG.error(
                "msg=\"A TLS CERTIFICATE IS OUT OF DATE: clients refuse it until its files are replaced; it is served unless"
                        + " another certificate has the same name\" certificate={} reason=\"{}\"",
                source.certificate(),
                reason));
    }

    /** Like {@link #refresh}; true if another identity is in force now, or the dates of this one have come or gone. */
    boolean refreshed() {
        try {
            Optional<TlsIdentity> changed = files.changed();
            if (changed.isEmpty()) {
                return checkDates();
            }
            changed.get().checkReplaces(current.identity, source.certificate(), clock.instant());
            replace(build(changed.get()));
            checkDates();
            LOG.info(
                    "msg=\"TLS files have changed and are in force\" certificate={} not_after={}",
                    source.certificate(),
                    changed.get().certificate().getNotAfter().toInstant());
            return true;
        } catch (IOException e) {
            LOG.warn(
                    "msg=\"TLS files have changed but cannot be used; the old ones stay in force\" cause=\"{}\"",
                    e.getMessage());
            return false;
        }
    }

    /** Has new connections follow other parameters; called by the thread that refreshes. */
    void parameters(ServerParameters next) throws IOException {
        parameters = next;
        replace(build(current.identity));
    }

    /** The keys of sessions have changed; called by the thread that refreshes. */
    void ticketsRenewed() {
        tickets.install(current.context);
    }

    private void replace(Current next) {
        SslContext old = current.context;
        current = next;
        ReferenceCountUtil.release(old);
    }

    /** The implementation that is used with this identity: BoringSSL signs with no key of Ed25519 in TLS 1.2. */
    private SslProvider providerFor(TlsIdentity identity) {
        boolean isJava = TlsProvider.isOpenSsl(provider)
                && !KeySupport.isUsable(identity.certificate().getPublicKey());
        if (isJava) {
            LOG.info(
                    "tls=jdk reason=\"BoringSSL does not support the kind of its key\" certificate={}",
                    source.certificate());
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
                    // A client that names none of ours, or nothing, is served all the same.
                    .applicationProtocolConfig(offered(applicationProtocols));
            parameters.apply(builder, used);
            SslContext context = builder.build();
            tickets.install(context);
            return new Current(identity, staples ? ocsp : null, context);
        } catch (SSLException | IllegalArgumentException e) {
            throw new IOException(source.certificate() + ": " + e.getMessage(), e);
        }
    }

    /** What is said of the protocols that may be spoken inside; nothing if there are none. */
    static ApplicationProtocolConfig offered(List<String> protocols) {
        return protocols.isEmpty()
                ? ApplicationProtocolConfig.DISABLED
                : new ApplicationProtocolConfig(
                        Protocol.ALPN,
                        SelectorFailureBehavior.NO_ADVERTISE,
                        SelectedListenerFailureBehavior.ACCEPT,
                        protocols);
    }

    /** Releases what is left; no handler may be made any more. */
    @Override
    public void close() {
        if (!closed) {
            closed = true;
            ReferenceCountUtil.release(current.context);
        }
    }
}
