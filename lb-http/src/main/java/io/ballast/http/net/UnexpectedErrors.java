package io.ballast.http.net;

import io.ballast.net.tls.TlsErrors;
import java.io.IOException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Logs unexpected exceptions on connections. */
public final class UnexpectedErrors {

    private static final Logger LOG = LoggerFactory.getLogger(UnexpectedErrors.class);

    private UnexpectedErrors() {}

    /** Logs any exception except an {@link IOException} and TLS errors, which peers cause all the time. */
    public static void report(Throwable cause) {
        if (!(cause instanceof IOException) && !TlsErrors.isTlsError(cause)) {
            LOG.error("msg=\"connection failed\"", cause);
        }
    }
}
