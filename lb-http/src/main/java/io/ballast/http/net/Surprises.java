package io.ballast.http.net;

import java.io.IOException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Logs what should not have happened on a connection. */
public final class Surprises {

    private static final Logger LOG = LoggerFactory.getLogger(Surprises.class);

    private Surprises() {}

    /** Peers that reset, close or cannot be reached are everyday life; anything else is a defect of ours. */
    public static void report(Throwable cause) {
        if (!(cause instanceof IOException)) {
            LOG.error("msg=\"connection failed\"", cause);
        }
    }
}
