package io.ballast.dns.querylog.dnstap;

import io.ballast.dns.wire.Wire;

/**
 * A query and its answer, whole. Filled in again and again.
 *
 * <p>Thread safety: confined to one thread.
 */
public final class Exchange {

    private static final int MOST_ADDRESS_BYTES = 16;

    private final byte[] client = new byte[MOST_ADDRESS_BYTES];
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
     * Begins another one.
     *
     * @param queryTimeNanos since the epoch
     * @param responseTimeNanos since the epoch
     * @param isForwarded whether resolvers may be asked, or a zone
     * @param protocolNumber of dnstap
     * @param sourcePort 0 if it is not known
     */
    public void begin(
            long queryTimeNanos, long responseTimeNanos, boolean isForwarded, int protocolNumber, int sourcePort) {
        queryNanos = queryTimeNanos;
        responseNanos = responseTimeNanos;
        forwarded = isForwarded;
        protocol = protocolNumber;
        port = sourcePort;
    }

    /** Takes over the client's address, 4 or 16 octets. */
    public void client(byte[] bytes, int offset, int length) {
        System.arraycopy(bytes, offset, client, 0, length);
        clientBytes = length;
        ipv4 = length == Integer.BYTES;
    }

    /** Takes over the query, which has a question. */
    public void query(byte[] bytes, int offset, int length) {
        System.arraycopy(bytes, offset, query, 0, length);
        queryBytes = length;
    }

    /** Takes over the answer. */
    public void response(byte[] bytes, int offset, int length) {
        System.arraycopy(bytes, offset, response, 0, length);
        responseBytes = length;
    }

    /** @param apexBytes length of the zone's name, with which the name that was asked for ends; 0 for no zone */
    public void zone(int apexBytes) {
        int nameEnd = Wire.HEADER_BYTES;
        while (query[nameEnd] != 0) {
            nameEnd += 1 + query[nameEnd];
        }
        zoneStart = nameEnd + 1 - apexBytes;
        zoneBytes = apexBytes;
    }

    /** The octets of the client's address, which may be changed before it is told. */
    public byte[] client() {
        return client;
    }

    public int clientBytes() {
        return clientBytes;
    }

    /** Tells the client's address, or with 0 octets neither address nor port. */
    public void tellClient(int octets) {
        clientBytes = octets;
        port = octets == 0 ? 0 : port;
    }

    /** Whether resolvers may be asked, or a zone. */
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

    /** Where the zone's name begins in the query. */
    int zoneStart() {
        return zoneStart;
    }

    int zoneBytes() {
        return zoneBytes;
    }
}
