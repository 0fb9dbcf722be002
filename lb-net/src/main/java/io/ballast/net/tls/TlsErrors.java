package io.ballast.net.tls;

import io.netty.handler.codec.DecoderException;
import io.netty.handler.ssl.NotSslRecordException;
import java.io.EOFException;
import java.security.cert.CertPathBuilderException;
import java.security.cert.CertPathValidatorException;
import java.security.cert.CertificateException;
import java.security.cert.CertificateExpiredException;
import java.security.cert.CertificateNotYetValidException;
import java.util.Locale;
import javax.net.ssl.SSLException;

/** Classifies the causes of failed TLS handshakes, for all TLS implementations. Not for hot paths. */
public final class TlsErrors {

    private static final int DEEPEST = 16;
    private static final String HANDSHAKE_FAILURE = "handshake failure";

    private TlsErrors() {}

    /**
     * Whether {@code cause}, as passed to a handler's {@code exceptionCaught}, is a TLS error, which peers can cause at
     * will.
     */
    public static boolean isTlsError(Throwable cause) {
        return cause instanceof SSLException
                || (cause instanceof DecoderException && cause.getCause() instanceof SSLException);
    }

    /** Whether the two sides may have had no common signature algorithm; other reasons cause the same alert. */
    static boolean mayBeUnsupportedKeyType(Throwable failure) {
        Throwable cause = failure;
        for (int depth = 0; cause != null && depth < DEEPEST; depth++) {
            String message =
                    cause.getMessage() == null ? "" : cause.getMessage().toUpperCase(Locale.ROOT);
            if (cause instanceof SSLException
                    && (message.contains("ALERT_HANDSHAKE_FAILURE")
                            || message.contains("ALERT_INTERNAL_ERROR") // sent by servers that use Java's TLS
                            || message.contains("WRONG_SIGNATURE_TYPE")
                            || message.contains("NO_COMMON_SIGNATURE_ALGORITHMS")
                            || message.contains("WRONG_CURVE"))) {
                return true;
            }
            cause = cause.getCause();
        }
        return false;
    }

    /** Returns a short description without an address, such as "the certificate has expired". */
    public static String text(Throwable failure) {
        Throwable cause = failure;
        String text = "the TLS handshake failed";
        for (int depth = 0; cause != null && depth < DEEPEST; depth++) {
            String known = known(cause);
            if (!known.isEmpty()) {
                text = known; // the innermost cause is the most specific
            }
            cause = cause.getCause();
        }
        return text;
    }

    private static String known(Throwable cause) {
        if (cause instanceof CertificateExpiredException) {
            return "the certificate has expired";
        }
        if (cause instanceof CertificateNotYetValidException) {
            return "the certificate is not valid yet";
        }
        if (cause instanceof CertPathBuilderException || cause instanceof CertPathValidatorException) {
            return "the certificate's issuer is not trusted";
        }
        if (cause instanceof NotSslRecordException) {
            return "the peer does not speak TLS";
        }
        if (cause instanceof EOFException) {
            return "the TLS handshake failed: the connection was closed";
        }
        String message = cause.getMessage() == null ? "" : cause.getMessage().toLowerCase(Locale.ROOT);
        if (cause instanceof CertificateException && message.startsWith("no ")) {
            // Java's exception messages start with "No subject alternative" or "No name matching".
            return "the certificate is not valid for this name";
        }
        if (cause instanceof SSLException && message.contains("unrecognized ssl message")) {
            return "the peer does not speak TLS";
        }
        if (cause instanceof SSLException && message.contains("alert")) {
            return "refused in the TLS handshake: " + alert(message);
        }
        if (cause instanceof SSLException && message.contains("version")) {
            return "no common TLS version";
        }
        return cause instanceof SSLException ? otherFault(message) : "";
    }

    /**
     * Extracts the reason from messages of OpenSSL and BoringSSL such as "error:100000b8:SSL
     * routines:OPENSSL_internal:NO_SHARED_CIPHER".
     */
    private static String otherFault(String message) {
        int at = message.startsWith("error:") ? message.lastIndexOf(':') : -1;
        String fault = at < 0
                ? ""
                : message.substring(at + 1).replaceAll("[^a-z0-9]+", " ").strip();
        return fault.isEmpty() ? "" : "the TLS handshake failed: " + fault;
    }

    /**
     * Extracts the alert: "Received fatal alert: bad_certificate", or "error:10000412:SSL
     * routines:…:SSLV3_ALERT_BAD_CERTIFICATE".
     */
    private static String alert(String message) {
        int at = message.lastIndexOf("alert") + "alert".length();
        String name = message.substring(at).replaceAll("[^a-z]+", " ").strip();
        if (name.equals(HANDSHAKE_FAILURE)) { // the only alert without a specific reason (RFC 8446 section 6.2)
            return name + " (no common cipher suite, curve or signature algorithm, or no client certificate)";
        }
        return name.isEmpty() ? "no reason given" : name;
    }
}
