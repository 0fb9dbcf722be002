package io.ballast.core.log;

import io.ballast.core.ErrorText;
import java.io.IOException;

/**
 * Sends log entries to a server; each entry is a syslog message that ends with a line feed. Never blocks: entries that
 * cannot be sent are lost and counted. The entries themselves contain no line feed.
 *
 * <p>Thread safety: confined to the writer thread.
 */
public abstract sealed class SyslogTarget implements LogTarget permits TcpSyslogTarget, UdpSyslogTarget {

    private static final int FIRST_SEQUENCE_ID = 1;

    private int sequenceId;
    private int lost;
    private String failure = "";

    SyslogTarget() {}

    /** Returns the next sequence number of a message (RFC 5424 section 7.3.1): 1 to 2^31-1, then 1 again. */
    public int nextSequenceId() {
        sequenceId = sequenceId == Integer.MAX_VALUE ? FIRST_SEQUENCE_ID : sequenceId + 1;
        return sequenceId;
    }

    @Override
    public void write(byte[] bytes, int length) {
        int start = 0;
        for (int i = 0; i < length; i++) {
            if (bytes[i] == '\n') {
                if (!send(bytes, start, i)) {
                    lost++;
                }
                start = i + 1;
            }
        }
        flush();
    }

    /** Sends or queues the message in {@code bytes[from, to)}; returns false if it is lost. */
    abstract boolean send(byte[] bytes, int from, int to);

    /** Sends queued messages as far as possible. */
    abstract void flush();

    /** Counts messages that are lost, and keeps the reason for {@link #refresh}. */
    final void lose(int messages, IOException cause) {
        lost += messages;
        fail(cause);
    }

    /** Keeps the reason of a failure for {@link #refresh}. */
    final void fail(IOException cause) {
        failure = ErrorText.of(cause);
    }

    @Override
    public int takeLost() {
        int count = lost;
        lost = 0;
        return count;
    }

    /**
     * Sends queued messages.
     *
     * @throws IOException if there was a failure since the last call
     */
    @Override
    public void refresh() throws IOException {
        flush();
        if (!failure.isEmpty()) {
            String reason = failure;
            failure = "";
            throw new IOException("syslog server " + address() + ": " + reason);
        }
    }

    /** The address of the server, for messages. */
    abstract String address();
}
