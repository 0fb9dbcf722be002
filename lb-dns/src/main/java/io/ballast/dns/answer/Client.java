package io.ballast.dns.answer;

import java.net.InetAddress;
import java.util.Arrays;

/**
 * Who asks, and when that was read. A transport fills it in for every message; what it holds is valid while that message is answered.
 *
 * <p>Thread safety: confined to one thread, which uses it for one query after the other.
 */
public final class Client {

    private static final int MOST_OCTETS = 16;

    private final byte[] octets = new byte[MOST_OCTETS];
    private int length;
    private int port;
    private long arrivedNanos;

    /**
     * Takes over an address; its octets are allocated.
     *
     * @param sourcePort 0 where it does not matter
     */
    public void set(InetAddress address, int sourcePort) {
        byte[] ofAddress = address.getAddress();
        System.arraycopy(ofAddress, 0, octets, 0, ofAddress.length);
        length = ofAddress.length;
        port = sourcePort;
    }

    /** Takes over an address whose octets the caller writes to {@link #octets} itself; {@code bytes} is 4 or 16. */
    public void set(int bytes, int sourcePort) {
        length = bytes;
        port = sourcePort;
    }

    /** The address in network order, {@link #length} octets of it. */
    public byte[] octets() {
        return octets;
    }

    /** 4 for IPv4, 16 for IPv6. */
    public int length() {
        return length;
    }

    public int port() {
        return port;
    }

    /** The query has been read at this time, by the clock of {@link System#nanoTime()}; so have others that came with it. */
    public void arrived(long nanos) {
        arrivedNanos = nanos;
    }

    public long arrivedNanos() {
        return arrivedNanos;
    }

    /** Becomes the same as {@code other}. */
    public void copy(Client other) {
        System.arraycopy(other.octets, 0, octets, 0, other.length);
        set(other.length, other.port);
        arrivedNanos = other.arrivedNanos;
    }

    @Override
    public String toString() {
        return Arrays.toString(Arrays.copyOf(octets, length)) + ":" + port;
    }
}
