package io.ballast.http.h1;

import java.io.IOException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Logs what should not have happened on a connection. */
final class Surprises {

    private static final Logger LOG = LoggerFactory.getLogger(Surprises.class);

    private Surprises() {}

    /** Peers that reset, close or cannot be reached are everyday life; anything else is a defect of ours. */
    static void report(Throwable cause) {
        if (!(cause instanceof IOException)) {
            LOG.error("msg=\"connection failed\"", cause);
        }
    }
}
