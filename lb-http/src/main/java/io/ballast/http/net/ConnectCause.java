package io.ballast.http.net;

import io.ballast.net.listen.Descriptors;
import io.ballast.net.tls.TlsErrors;
import io.netty.channel.ConnectTimeoutException;
import java.io.FileNotFoundException;
import java.net.BindException;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.PortUnreachableException;
import java.nio.channels.ClosedChannelException;
import java.util.Locale;

/** Tells apart why a connection could not be made, whatever transport says so. Not for hot paths. */
public final class ConnectCause {

    /** A backend that is to be spoken to in HTTP/2 did not select it in the TLS handshake. */
    public static final String NO_HTTP_2 = "it does not agree to HTTP/2 (ALPN) in the TLS handshake";

    /** A backend that is offered HTTP/1.1 alone speaks HTTP/2 alone. */
    public static final String NO_APPLICATION_PROTOCOL = "refused in the TLS handshake: no application protocol";

    private ConnectCause() {}

    /** Whether the peer's system answered that nobody listens there, or there is no such Unix socket. */
    public static boolean isRefused(Throwable cause) {
        return (cause instanceof ConnectException && says(cause, "refused")) || isMissing(cause);
    }

    /** Whether there is no such Unix socket. */
    private static boolean isMissing(Throwable cause) {
        return cause instanceof FileNotFoundException;
    }

    /** Whether the peer's system answered to a datagram that nobody listens there. */
    public static boolean isPortUnreachable(Throwable cause) {
        return cause instanceof PortUnreachableException || says(cause, "refused");
    }

    /** Whether no answer came in time: in our time, or in the system's own. */
    public static boolean isTimeout(Throwable cause) {
        return cause instanceof ConnectTimeoutException || says(cause, "timed out");
    }

    /** In a few words without an address: "connection refused". */
    public static String text(Throwable cause) {
        if (isMissing(cause)) {
            return "no such socket";
        }
        if (isRefused(cause)) {
            return "connection refused";
        }
        if (isPortUnreachable(cause)) {
            return "port unreachable";
        }
        if (isTimeout(cause)) {
            return "connection timed out";
        }
        if (TlsErrors.isOfTls(cause)) {
            return TlsErrors.text(cause);
        }
        if (says(cause, "network is unreachable")) {
            return "network unreachable";
        }
        // The native transports drop the system's text here, and with it whether host or network was meant.
        if (cause instanceof NoRouteToHostException || says(cause, "unreachable") || says(cause, "no route")) {
            return "no route to host";
        }
        if (cause instanceof BindException || says(cause, "cannot assign requested address")) {
            return "no local address or port left";
        }
        if (Descriptors.areExhausted(cause)) {
            return "too many open files";
        }
        if (says(cause, "permission denied")) {
            return "permission denied";
        }
        if (says(cause, "temporarily unavailable")) {
            return "too many connections wait there"; // a Unix socket's queue is full
        }
        if (says(cause, "reset")) {
            return "connection reset";
        }
        return cause.getClass().getSimpleName();
    }

    /** The same for a TLS handshake, in which the peer may also have gone away. */
    public static String ofHandshake(Throwable cause) {
        if (cause instanceof IllegalStateException) {
            return "its TLS was replaced meanwhile";
        }
        return cause instanceof ClosedChannelException ? "closed in the TLS handshake" : text(cause);
    }

    private static boolean says(Throwable cause, String words) {
        String message = cause.getMessage();
        return message != null && message.toLowerCase(Locale.ROOT).contains(words);
    }
}
