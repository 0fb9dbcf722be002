package io.ballast.net.tls;

import io.netty.handler.ssl.OpenSsl;
import io.netty.handler.ssl.SslProvider;
import java.security.PublicKey;
import java.security.interfaces.ECPublicKey;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Which implementation of TLS is used: BoringSSL where its library loads, else Java's own. Neither lets clients renegotiate,
 * unless the operator has set {@code jdk.tls.rejectClientInitiatedRenegotiation} otherwise.
 */
final class TlsProvider {

    private static final Logger LOG = LoggerFactory.getLogger(TlsProvider.class);
    private static final int LARGEST_CURVE_BITS = 384;
    private static final AtomicBoolean TOLD = new AtomicBoolean();

    /** Read by Java's own TLS once, at its first handshake as a server. */
    private static final String REJECT_RENEGOTIATION = "jdk.tls.rejectClientInitiatedRenegotiation";

    static {
        // With TLS 1.2 a client could have handshakes made on and on, on one connection. BoringSSL refuses by itself.
        if (System.getProperty(REJECT_RENEGOTIATION) == null) {
            System.setProperty(REJECT_RENEGOTIATION, "true");
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

    /** Whether BoringSSL, with the schemes that it offers by default, verifies signatures by such a key. */
    static boolean isVerifiedByBoringSsl(PublicKey key) {
        return switch (key.getAlgorithm()) {
            case "EdDSA", "Ed25519", "Ed448" -> false;
            case "EC" ->
                !(key instanceof ECPublicKey ec) || ec.getParams().getOrder().bitLength() <= LARGEST_CURVE_BITS;
            default -> true;
        };
    }

    static boolean isOpenSsl(SslProvider provider) {
        return provider != SslProvider.JDK;
    }
}
