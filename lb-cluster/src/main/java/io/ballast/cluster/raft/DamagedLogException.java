package io.ballast.cluster.raft;

import java.io.IOException;

/** A file of the log whose content cannot be what was written. */
public final class DamagedLogException extends IOException {

    private static final long serialVersionUID = 1L;

    DamagedLogException(String message) {
        super(message);
    }
}
