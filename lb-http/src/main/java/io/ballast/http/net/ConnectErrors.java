package io.ballast.http.net;

import io.ballast.net.listen.FileDescriptorReserve;
import io.ballast.net.tls.TlsErrors;
import io.netty.channel.ConnectTimeoutException;
import java.io.FileNotFoundException;
import java.net.BindException;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.PortUnreachableException;
import java.nio.channels.ClosedChannelException;
import java.util.Locale;

/** Classifies the causes of failed connections, for all transports. Not for hot paths. */
public final class ConnectErrors {

    /** A backend that must use HTTP/2 did not select it in the TLS handshake. */
    public static final String NO_HTTP_2 = "the backend did not negotiate HTTP/2 (ALPN) in the TLS handshake";

    /** The backend supports only HTTP/2, but was offered only HTTP/1.1. */
    public static final String NO_APPLICATION_PROTOCOL = "refused in the TLS handshake: no application protocol";

    private ConnectErrors() {}

    /** Whether the peer's system refused the connection, or the Unix socket does not exist. */
    public static boolean isRefused(Throwable cause) {
        return (cause instanceof ConnectException && messageContains(cause, "refused")) || isMissing(cause);
    }

    /** Whether the Unix socket does not exist. */
    private static boolean isMissing(Throwable cause) {
        return cause instanceof FileNotFoundException;
    }

    /** Whether the peer's system reported a closed port in reply to a datagram. */
    public static boolean isPortUnreachable(Throwable cause) {
        return cause instanceof PortUnreachableException || messageContains(cause, "refused");
    }

    /** Whether connecting failed because our connect timeout or that of the operating system expired. */
    public static boolean isTimeout(Throwable cause) {
        return cause instanceof ConnectTimeoutException || messageContains(cause, "timed out");
    }

    /** Returns a short description without an address: "connection refused". */
    public static String text(Throwable cause) {
        if (isMissing(cause)) {
            return "socket file does not exist";
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
        if (TlsErrors.isTlsError(cause)) {
            return TlsErrors.text(cause);
        }
        if (messageContains(cause, "network is unreachable")) {
            return "network unreachable";
        }
        // The native transports omit the operating system's message from these exceptions, so an unreachable host and
        // an unreachable network look the same.
        if (cause instanceof NoRouteToHostException
                || messageContains(cause, "unreachable")
                || messageContains(cause, "no route")) {
            return "no route to host";
        }
        if (cause instanceof BindException || messageContains(cause, "cannot assign requested address")) {
            return "no free local address or port";
        }
        if (FileDescriptorReserve.isDescriptorExhaustion(cause)) {
            return "too many open files";
        }
        if (messageContains(cause, "permission denied")) {
            return "permission denied";
        }
        if (messageContains(cause, "temporarily unavailable")) {
            return "the accept queue is full"; // this error means that the accept queue of a Unix socket is full
        }
        if (messageContains(cause, "reset")) {
            return "connection reset";
        }
        return cause.getClass().getSimpleName();
    }

    /**
     * Like {@link #text}, for an error of a TLS handshake, during which the peer may also close the connection.
     */
    public static String ofHandshake(Throwable cause) {
        if (cause instanceof IllegalStateException) {
            return "the TLS configuration was replaced while connecting";
        }
        return cause instanceof ClosedChannelException ? "connection closed during the TLS handshake" : text(cause);
    }

    private static boolean messageContains(Throwable cause, String words) {
        String message = cause.getMessage();
        return message != null && message.toLowerCase(Locale.ROOT).contains(words);
    }
}
