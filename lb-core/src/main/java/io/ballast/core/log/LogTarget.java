package io.ballast.core.log;

import java.io.IOException;

/** Where lines go. Confined to the thread that writes. */
public interface LogTarget {

    /** Writes the first {@code length} bytes, which are whole entries. */
    void write(byte[] bytes, int length) throws IOException;

    /** Checks whether lines must be written elsewhere from now on; called about once a second. */
    void refresh() throws IOException;

    /** Ends it; what is shared with others stays open. */
    void close() throws IOException;
}
