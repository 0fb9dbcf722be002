package io.ballast.dns.answer.data;

import java.net.InetAddress;
import java.util.Arrays;

/**
 * The address of the client and the arrival time of its query. The transport fills in this object for every message.
 * The values are valid while that message is answered.
 *
 * <p>Thread safety: confined to one thread, which reuses it for every query.
 */
public final class Client {

    private static final int MAX_BYTES = 16;

    private final byte[] bytes = new byte[MAX_BYTES];
    private int length;
    private int port;
    private long arrivedNanos;

    /**
     * Sets the address; allocates an array for its bytes.
     *
     * @param sourcePort source port; 0 if it is not needed
     */
    public void set(InetAddress address, int sourcePort) {
        byte[] ofAddress = address.getAddress();
        System.arraycopy(ofAddress, 0, bytes, 0, ofAddress.length);
        length = ofAddress.length;
        port = sourcePort;
    }

    /**
     * Sets the address length {@code bytes}, 4 or 16. The caller writes the address to the array {@link #bytes}.
     */
    public void set(int bytes, int sourcePort) {
        length = bytes;
        port = sourcePort;
    }

    /** The address in network order; the first {@link #length} bytes are valid. */
    public byte[] bytes() {
        return bytes;
    }

    /** Returns the length of the address in bytes: 4 for IPv4, 16 for IPv6. */
    public int length() {
        return length;
    }

    public int port() {
        return port;
    }

    /** Sets the time at which the query was read, by {@link System#nanoTime()}; queries read together share it. */
    public void setArrivalNanos(long nanos) {
        arrivedNanos = nanos;
    }

    public long arrivedNanos() {
        return arrivedNanos;
    }

    /** Copies the values of {@code other}. */
    public void copy(Client other) {
        System.arraycopy(other.bytes, 0, bytes, 0, other.length);
        set(other.length, other.port);
        arrivedNanos = other.arrivedNanos;
    }

    @Override
    public String toString() {
        return Arrays.toString(Arrays.copyOf(bytes, length)) + ":" + port;
    }
}
