package io.ballast.cluster.raft;

import java.io.IOException;

/** Thrown if the content of a log file is damaged. */
public final class DamagedLogException extends IOException {

    private static final long serialVersionUID = 1L;

    DamagedLogException(String message) {
        super(message);
    }
}
