package io.ballast.core.log;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;

/**
 * A TLS connection to a syslog server (RFC 5425). The TLS engine verifies the server. The handshake must end within
 * {@value #HANDSHAKE_SECONDS} s after the TCP connection is established.
 */
final class TlsSyslogConnection implements SyslogConnection {

    static final int HANDSHAKE_SECONDS = 10;

    private static final long HANDSHAKE_NANOS = TimeUnit.SECONDS.toNanos(HANDSHAKE_SECONDS);
    /** The maximum number of records that one call reads, so that a server cannot keep the writer thread busy. */
    private static final int RECORDS_PER_CALL = 16;

    /**
     * The maximum number of steps of a handshake in one call, for the same reason. A handshake usually needs 20 to 40
     * steps.
     */
    private static final int STEPS_PER_CALL = 64;

    private static final ByteBuffer[] NOTHING = {ByteBuffer.allocate(0)};

    private final PlainSyslogConnection tcp;
    private final SSLEngine engine;
    private final LongSupplier nanoTime;
    /** Records for the server; written from its start to its position. */
    private final ByteBuffer outgoing;
    /** Records from the server; filled from its start to its position. */
    private final ByteBuffer incoming;
    /** The decrypted data from the server, which is ignored. */
    private final ByteBuffer discarded;

    private boolean begun;
    private boolean ready;
    private long beginNanos;

    /**
     * @param tcp a connection that no other object uses
     * @param engine a TLS engine in client mode
     * @param nanoTime the monotonic clock
     */
    TlsSyslogConnection(PlainSyslogConnection tcp, SSLEngine engine, LongSupplier nanoTime) {
        this.tcp = tcp;
        this.engine = engine;
        this.nanoTime = nanoTime;
        this.outgoing = ByteBuffer.allocate(2 * engine.getSession().getPacketBufferSize());
        this.incoming = ByteBuffer.allocate(2 * engine.getSession().getPacketBufferSize());
        this.discarded = ByteBuffer.allocate(2 * engine.getSession().getApplicationBufferSize());
    }

    @Override
    public boolean finishConnect() throws IOException {
        if (ready) {
            return true;
        }
        if (!tcp.finishConnect()) {
            return false;
        }
        if (!begun) {
            begun = true;
            beginNanos = nanoTime.getAsLong();
            engine.beginHandshake();
        }
        ready = shakeHands();
        if (!ready && nanoTime.getAsLong() - beginNanos > HANDSHAKE_NANOS) {
            throw new IOException("the TLS handshake has not ended within " + HANDSHAKE_SECONDS + " s");
        }
        return ready;
    }

    /** Continues a handshake; returns whether it has ended. */
    private boolean shakeHands() throws IOException {
        for (int step = 0; step < STEPS_PER_CALL && isFlushed(); step++) {
            switch (engine.getHandshakeStatus()) {
                case NEED_TASK -> runTasks();
                case NEED_WRAP -> {
                    int unused = wrap(NOTHING);
                }
                case NEED_UNWRAP, NEED_UNWRAP_AGAIN -> {
                    if (!unwrap()) {
                        return false;
                    }
                }
                case NOT_HANDSHAKING, FINISHED -> {
                    return true;
                }
            }
        }
        return false;
    }

    private void runTasks() {
        Runnable task = engine.getDelegatedTask();
        while (task != null) {
            task.run();
            task = engine.getDelegatedTask();
        }
    }

    /** Encrypts a part of the frames into {@link #outgoing}, which must be empty; returns the number of bytes taken. */
    private int wrap(ByteBuffer[] frames) throws IOException {
        SSLEngineResult result = engine.wrap(frames, outgoing);
        if (result.getStatus() == SSLEngineResult.Status.CLOSED) {
            throw new EOFException("closed the connection");
        }
        return result.bytesConsumed();
    }

    /** Decrypts and discards data from the server; returns false if no data has arrived. */
    private boolean unwrap() throws IOException {
        incoming.flip();
        discarded.clear();
        SSLEngineResult result;
        try {
            result = engine.unwrap(incoming, discarded);
        } finally {
            incoming.compact();
        }
        return switch (result.getStatus()) {
            case OK -> true;
            case BUFFER_UNDERFLOW -> tcp.read(incoming);
            case BUFFER_OVERFLOW -> throw new IOException("sent a TLS record that is too long");
            case CLOSED -> throw new EOFException("closed the connection");
        };
    }

    @Override
    public void detectEnd() throws IOException {
        for (int i = 0; i < RECORDS_PER_CALL && unwrap(); i++) {
            boolean unused = shakeHands(); // for example, answers a key update
        }
    }

    @Override
    public boolean write(ByteBuffer[] frames) throws IOException {
        if (!isFlushed()) {
            return false;
        }
        int taken = wrap(frames);
        boolean unused = isFlushed();
        return taken > 0;
    }

    @Override
    public boolean isFlushed() throws IOException {
        outgoing.flip();
        try {
            boolean isEmpty = !outgoing.hasRemaining();
            return isEmpty || (tcp.write(new ByteBuffer[] {outgoing}) && !outgoing.hasRemaining());
        } finally {
            outgoing.compact();
        }
    }

    /** Sends the alert that ends the connection (RFC 5425 section 4.4) if it can be sent without waiting. */
    @Override
    public void endOutput() throws IOException {
        engine.closeOutbound();
        if (begun && isFlushed()) {
            SSLEngineResult unused = engine.wrap(NOTHING, outgoing);
            boolean alsoUnused = isFlushed();
        }
        tcp.endOutput();
    }

    @Override
    public boolean isClosedByServer() {
        return tcp.isClosedByServer();
    }

    @Override
    public void close() {
        try {
            endOutput();
        } catch (IOException e) {
            // A failure is ignored: the connection is no longer used.
        }
        tcp.close();
    }
}
