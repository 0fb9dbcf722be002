package io.ballast.http.log;

import java.io.IOException;

/** Where lines go. Confined to the writer. */
interface LogTarget {

    /** Writes whole lines. */
    void write(byte[] bytes, int length) throws IOException;

    /** Looks whether lines must go elsewhere from now on; called about once a second. */
    void refresh() throws IOException;

    void close() throws IOException;
}
