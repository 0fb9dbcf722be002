package io.ballast.dns.forward.upstream;

import io.ballast.net.tls.TlsErrors;
import java.io.IOException;
import java.net.PortUnreachableException;
import java.nio.channels.ClosedChannelException;
import java.util.Locale;

/** Classifies socket failures of all transports. Not for hot paths. */
final class SocketFailure {

    private SocketFailure() {}

    static AttemptFailure of(Throwable cause) {
        if (cause instanceof PortUnreachableException || messageContains(cause, "refused")) {
            return AttemptFailure.REFUSED_CONNECTION;
        }
        if (TlsErrors.isTlsError(cause)) {
            return AttemptFailure.TLS;
        }
        if (cause instanceof ClosedChannelException
                || messageContains(cause, "reset")
                || messageContains(cause, "broken pipe")) {
            return AttemptFailure.RESET;
        }
        return messageContains(cause, "timed out") ? AttemptFailure.TIMEOUT : AttemptFailure.UNREACHABLE;
    }

    /**
     * Returns whether a failure is a bug in this process. Other failures are caused by peers or the operating
     * system.
     */
    static boolean isDefect(Throwable cause) {
        return !(cause instanceof IOException) && !TlsErrors.isTlsError(cause);
    }

    private static boolean messageContains(Throwable cause, String text) {
        String message = cause.getMessage();
        return message != null && message.toLowerCase(Locale.ROOT).contains(text);
    }
}
