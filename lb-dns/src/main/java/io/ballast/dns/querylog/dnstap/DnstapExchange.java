package io.ballast.dns.querylog.dnstap;

import io.ballast.dns.wire.Wire;

/**
 * A reusable pair of a query message and its response.
 *
 * <p>Thread safety: confined to one thread.
 */
public final class DnstapExchange {

    private static final int MAX_ADDRESS_BYTES = 16;

    private final byte[] client = new byte[MAX_ADDRESS_BYTES];
    private final byte[] query = new byte[Wire.MAX_MESSAGE_BYTES];
    private final byte[] response = new byte[Wire.MAX_MESSAGE_BYTES];
    private boolean ipv4;
    private int clientBytes;
    private int port;
    private int queryBytes;
    private int responseBytes;
    private long queryNanos;
    private long responseNanos;
    private boolean forwarded;
    private int protocol;
    private int zoneStart;
    private int zoneBytes;

    /**
     * Starts the next pair of a query and its response.
     *
     * @param queryTimeNanos query time since the epoch
     * @param responseTimeNanos response time since the epoch
     * @param isForwarded whether the forwarder answered the query; otherwise a zone answered it
     * @param protocolNumber dnstap number of the transport
     * @param sourcePort source port of the client; 0 if it is not known
     */
    public void begin(
            long queryTimeNanos, long responseTimeNanos, boolean isForwarded, int protocolNumber, int sourcePort) {
        queryNanos = queryTimeNanos;
        responseNanos = responseTimeNanos;
        forwarded = isForwarded;
        protocol = protocolNumber;
        port = sourcePort;
    }

    /** Copies the client's address of 4 or 16 bytes. */
    public void client(byte[] bytes, int offset, int length) {
        System.arraycopy(bytes, offset, client, 0, length);
        clientBytes = length;
        ipv4 = length == Integer.BYTES;
    }

    /** Copies the query, which must have a question. */
    public void query(byte[] bytes, int offset, int length) {
        System.arraycopy(bytes, offset, query, 0, length);
        queryBytes = length;
    }

    /** Copies the response. */
    public void response(byte[] bytes, int offset, int length) {
        System.arraycopy(bytes, offset, response, 0, length);
        responseBytes = length;
    }

    /** @param apexBytes length of the zone name, which is a suffix of the query name; 0 for no zone */
    public void setZone(int apexBytes) {
        int nameEnd = Wire.HEADER_BYTES;
        while (query[nameEnd] != 0) {
            nameEnd += 1 + query[nameEnd];
        }
        zoneStart = nameEnd + 1 - apexBytes;
        zoneBytes = apexBytes;
    }

    /** The bytes of the client's address, which the caller may change to anonymise it. */
    public byte[] client() {
        return client;
    }

    public int clientBytes() {
        return clientBytes;
    }

    /** Sets the length of the client address to report; with 0 bytes, neither address nor port is reported. */
    public void setReportedClientBytes(int bytes) {
        clientBytes = bytes;
        port = bytes == 0 ? 0 : port;
    }

    /** Returns whether the forwarder answered the query; otherwise a zone answered it. */
    public boolean isForwarded() {
        return forwarded;
    }

    boolean isIpv4() {
        return ipv4;
    }

    int port() {
        return port;
    }

    byte[] query() {
        return query;
    }

    int queryBytes() {
        return queryBytes;
    }

    byte[] response() {
        return response;
    }

    int responseBytes() {
        return responseBytes;
    }

    long queryNanos() {
        return queryNanos;
    }

    long responseNanos() {
        return responseNanos;
    }

    int protocol() {
        return protocol;
    }

    /** The offset of the zone name in the query. */
    int zoneStart() {
        return zoneStart;
    }

    int zoneBytes() {
        return zoneBytes;
    }
}
