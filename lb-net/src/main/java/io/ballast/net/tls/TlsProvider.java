package io.ballast.net.tls;

import io.ballast.core.ErrorText;
import io.netty.handler.ssl.OpenSsl;
import io.netty.handler.ssl.SslProvider;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Chooses the TLS implementation: BoringSSL if its library loads, otherwise Java's own. Neither of them lets clients
 * renegotiate. The operator can allow renegotiation for Java's own TLS with
 * {@code jdk.tls.rejectClientInitiatedRenegotiation}.
 */
final class TlsProvider {

    private static final Logger LOG = LoggerFactory.getLogger(TlsProvider.class);
    private static final AtomicBoolean LOGGED = new AtomicBoolean();

    /** Java's own TLS reads this property once, at its first handshake as a server. */
    private static final String REJECT_RENEGOTIATION = "jdk.tls.rejectClientInitiatedRenegotiation";

    /**
     * System property: the extensions that a Java TLS server ignores. Java reads it once, at the first handshake.
     */
    private static final String IGNORED_EXTENSIONS = "jdk.tls.server.disableExtensions";

    static {
        // In TLS 1.2 a client could renegotiate endlessly on one connection. BoringSSL rejects renegotiation by
        // default.
        if (System.getProperty(REJECT_RENEGOTIATION) == null) {
            System.setProperty(REJECT_RENEGOTIATION, "true");
        }
        // Java rejects host names with a final dot. SniTable reads the name and selects the certificate instead.
        if (System.getProperty(IGNORED_EXTENSIONS) == null) {
            System.setProperty(IGNORED_EXTENSIONS, "server_name");
        }
    }

    private TlsProvider() {}

    /** Returns the TLS implementation to use; the first call logs it. */
    static SslProvider choose() {
        SslProvider chosen = preferred();
        if (LOGGED.compareAndSet(/* expectedValue= */ false, /* newValue= */ true)) {
            if (isOpenSsl(chosen)) {
                LOG.info("tls=boringssl reason=\"fastest available\"");
            } else {
                Throwable cause = OpenSsl.unavailabilityCause();
                LOG.info(
                        "tls=jdk reason=\"BoringSSL is not available: {}\"",
                        cause == null ? "not requested" : ErrorText.of(cause));
            }
        }
        return chosen;
    }

    /**
     * The implementation for connections with half-close ({@code close_notify}, RFC 8446 section 6.1): Java's own.
     * Netty's BoringSSL engine closes both directions when the peer closes one.
     */
    static SslProvider halfCloseProvider() {
        return SslProvider.JDK;
    }

    static SslProvider preferred() {
        return OpenSsl.isAvailable() ? SslProvider.OPENSSL_REFCNT : SslProvider.JDK;
    }

    static boolean isOpenSsl(SslProvider provider) {
        return provider != SslProvider.JDK;
    }
}
