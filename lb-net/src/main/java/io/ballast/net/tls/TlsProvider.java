package io.ballast.net.tls;

import io.netty.handler.ssl.OpenSsl;
import io.netty.handler.ssl.SslProvider;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Which implementation of TLS is used: BoringSSL where its library loads, else Java's own. Neither lets clients renegotiate,
 * unless the operator has set {@code jdk.tls.rejectClientInitiatedRenegotiation} otherwise.
 */
final class TlsProvider {

    private static final Logger LOG = LoggerFactory.getLogger(TlsProvider.class);
    private static final AtomicBoolean TOLD = new AtomicBoolean();

    /** Read by Java's own TLS once, at its first handshake as a server. */
    private static final String REJECT_RENEGOTIATION = "jdk.tls.rejectClientInitiatedRenegotiation";

    /** Names of extensions that Java's own TLS ignores as a server. Read once, at its first handshake as a server. */
    private static final String IGNORED_EXTENSIONS = "jdk.tls.server.disableExtensions";

    static {
        // With TLS 1.2 a client could have handshakes made on and on, on one connection. BoringSSL refuses by itself.
        if (System.getProperty(REJECT_RENEGOTIATION) == null) {
            System.setProperty(REJECT_RENEGOTIATION, "true");
        }
        // Java refuses host names with a final dot. We choose the certificate and read the name by ourselves
        // (SniTable).
        if (System.getProperty(IGNORED_EXTENSIONS) == null) {
            System.setProperty(IGNORED_EXTENSIONS, "server_name");
        }
    }

    private TlsProvider() {}

    /** The one that is used; says so in the log when it is asked first. */
    static SslProvider choose() {
        SslProvider chosen = preferred();
        if (TOLD.compareAndSet(/* expectedValue= */ false, /* newValue= */ true)) {
            if (isOpenSsl(chosen)) {
                LOG.info("tls=boringssl reason=\"fastest available\"");
            } else {
                Throwable cause = OpenSsl.unavailabilityCause();
                LOG.info(
                        "tls=jdk reason=\"BoringSSL is not available: {}\"",
                        cause == null ? "not asked for" : cause.getMessage());
            }
        }
        return chosen;
    }

    /**
     * The one for connections on which a side may end its sending ({@code close_notify}, RFC 8446 section 6.1) while the other
     * goes on: Java's own. Netty's engine for BoringSSL ends both when the peer ends one.
     */
    static SslProvider halfClosing() {
        return SslProvider.JDK;
    }

    static SslProvider preferred() {
        return OpenSsl.isAvailable() ? SslProvider.OPENSSL_REFCNT : SslProvider.JDK;
    }

    static boolean isOpenSsl(SslProvider provider) {
        return provider != SslProvider.JDK;
    }
}
