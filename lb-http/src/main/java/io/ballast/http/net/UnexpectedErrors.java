package io.ballast.http.net;

import io.ballast.net.tls.TlsErrors;
import java.io.IOException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Logs unexpected exceptions on connections. */
public final class UnexpectedErrors {

    private static final Logger LOG = LoggerFactory.getLogger(UnexpectedErrors.class);

    private UnexpectedErrors() {}

    /** Logs the exception, unless it is an {@link IOException} or a TLS error: peers often cause these. */
    public static void report(Throwable cause) {
        if (!(cause instanceof IOException) && !TlsErrors.isTlsError(cause)) {
            LOG.error("msg=\"connection failed\"", cause);
        }
    }
}
