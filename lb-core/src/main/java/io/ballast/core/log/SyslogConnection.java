package io.ballast.core.log;

import java.io.IOException;
import java.nio.ByteBuffer;

/** A connection to a syslog server. No method blocks. Confined to the writer thread. */
interface SyslogConnection {

    /**
     * Continues to establish the connection.
     *
     * @return whether messages can be written
     * @throws IOException if the server cannot be reached
     */
    boolean finishConnect() throws IOException;

    /**
     * Detects that the server has closed the connection, which a write would not report. Discards received data.
     *
     * @throws IOException if the connection is broken
     */
    void detectEnd() throws IOException;

    /**
     * Writes a part of the frames, and advances their positions.
     *
     * @return false if no data can be written now
     */
    boolean write(ByteBuffer[] frames) throws IOException;

    /** Whether the operating system has accepted all written data. */
    boolean isFlushed() throws IOException;

    /**
     * Tells the server that no further data follows. Nothing can be written afterwards.
     *
     * @throws IOException if the connection is broken
     */
    void endOutput() throws IOException;

    /**
     * Discards received data after {@link #endOutput}. A connection that is closed while received data is unread is
     * reset, and the server can lose messages then.
     *
     * @return whether the server has closed the connection too
     */
    boolean isClosedByServer();

    /** Closes the connection; failures are ignored, because nothing depends on the connection any more. */
    void close();
}
