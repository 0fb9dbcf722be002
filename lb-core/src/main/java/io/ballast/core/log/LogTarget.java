package io.ballast.core.log;

import java.io.IOException;

/** Destination of log lines. Confined to the writer thread. */
public interface LogTarget {

    /** Writes the first {@code length} bytes, which consist of whole entries. */
    void write(byte[] bytes, int length) throws IOException;

    /** Returns the number of entries that were lost without an error since the last call. */
    default int takeLost() {
        return 0;
    }

    /** Checks whether the file has been replaced; called about once per second. */
    void refresh() throws IOException;

    /** Closes the target; shared resources stay open. */
    void close() throws IOException;
}
