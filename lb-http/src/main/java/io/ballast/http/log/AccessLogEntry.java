package io.ballast.http.log;

import io.ballast.core.log.RecordRing;
import java.util.Arrays;

/**
 * The log data of a client connection's current exchange: numbers, and copies of texts. The texts are copied
 * because the request's head is released before the response ends. One object serves all exchanges of a
 * connection. Event-loop confined; allocates only until its bounded text buffers have reached their largest
 * size.
 */
public final class AccessLogEntry {

    /** Value of a duration if that part of the exchange did not take place. */
    public static final long NEVER = -1;

    static final int NUMBERS = 9;
    static final int INTS = 4;

    private final int[] lengths = new int[AccessLogField.COUNT];
    private final boolean[] truncated = new boolean[AccessLogField.COUNT];
    private final byte[][] texts = new byte[AccessLogField.COUNT][0];

    /** When the first byte arrived, on the clock of {@link System#nanoTime()}. */
    public long startNanos;
    /** Time from the first byte to the end of the request head. */
    public long headNanos;
    /** Time from the end of the request head to the choice of the last backend tried. */
    public long queueNanos;
    /** Time from the choice of the backend to the established connection. */
    public long connectNanos;
    /** Time from the establishment of the backend connection to the response head. */
    public long firstByteNanos;
    /** Time from the first byte of the request to the end of the response. */
    public long totalNanos;

    public long bytesIn;
    public long bytesOut;
    public long bodyBytesOut;
    public int status;
    public int attempts;
    /** The port of a session's client; 0 if the port is not logged or the client has none. */
    public int clientPort;
    /** The value of {@link #version} for HTTP/2. */
    public static final int HTTP_2 = 2;
    /** The value of {@link #version} for HTTP/3. */
    public static final int HTTP_3 = 3;

    /** The HTTP version: the minor version of HTTP/1, {@link #HTTP_2} or {@link #HTTP_3}; negative if unknown. */
    public int version;

    /** Clears the entry and starts to record a new exchange. */
    public void start(long nowNanos) {
        Arrays.fill(lengths, 0);
        startNanos = nowNanos;
        headNanos = NEVER;
        queueNanos = NEVER;
        connectNanos = NEVER;
        firstByteNanos = NEVER;
        totalNanos = NEVER;
        bytesIn = 0;
        bytesOut = 0;
        bodyBytesOut = 0;
        status = 0;
        attempts = 0;
        clientPort = 0;
        version = -1;
    }

    /** Stores {@code source[from, to)}, truncated to the length limit of the field. */
    public void store(AccessLogField field, byte[] source, int from, int to) {
        int index = field.ordinal();
        int length = Math.min(to - from, field.maxBytes());
        if (texts[index].length < length) {
            texts[index] = new byte[Math.min(field.maxBytes(), Math.max(length, 2 * texts[index].length))];
        }
        System.arraycopy(source, from, texts[index], 0, length);
        lengths[index] = length;
        truncated[index] = length < to - from;
    }

    /** Stores {@code source}, truncated to the length limit of the field. */
    public void store(AccessLogField field, byte[] source) {
        store(field, source, 0, source.length);
    }

    /** Stores an ASCII text, truncated to the length limit of the field. */
    public void store(AccessLogField field, String ascii) {
        int index = field.ordinal();
        int length = Math.min(ascii.length(), field.maxBytes());
        if (texts[index].length < length) {
            texts[index] = new byte[field.maxBytes()];
        }
        for (int i = 0; i < length; i++) {
            texts[index][i] = (byte) ascii.charAt(i);
        }
        lengths[index] = length;
        truncated[index] = length < ascii.length();
    }

    /** Puts the exchange into the queue; false if it does not fit. */
    boolean offerTo(RecordRing ring) {
        int max = NUMBERS * Long.BYTES + INTS * Integer.BYTES;
        for (int i = 0; i < AccessLogField.COUNT; i++) {
            max += Integer.BYTES + lengths[i];
        }
        if (!ring.claim(max)) {
            return false;
        }
        ring.putLong(startNanos);
        ring.putLong(headNanos);
        ring.putLong(queueNanos);
        ring.putLong(connectNanos);
        ring.putLong(firstByteNanos);
        ring.putLong(totalNanos);
        ring.putLong(bytesIn);
        ring.putLong(bytesOut);
        ring.putLong(bodyBytesOut);
        ring.putInt(status);
        ring.putInt(attempts);
        ring.putInt(version);
        ring.putInt(clientPort);
        for (int i = 0; i < AccessLogField.COUNT; i++) {
            ring.putInt(truncated[i] ? ~lengths[i] : lengths[i]);
            ring.putBytes(texts[i], lengths[i]);
        }
        ring.commit();
        return true;
    }
}
