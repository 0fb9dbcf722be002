package io.ballast.dns.net.direct;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;

/**
 * A batch of datagrams to send.
 *
 * <p>Thread safety: confined to one thread. Cost: allocates only in the constructor.
 */
final class Responses {

    private final int addressBytes;
    private final boolean fromWildcard;
    private final MessageVector messages;
    private int waiting;

    /** @param fromWildcard whether each response must set its source address */
    Responses(int count, int maxBytes, SocketAddresses addresses, boolean fromWildcard, SegmentAllocator allocator) {
        this.addressBytes = addresses.bytes();
        this.fromWildcard = fromWildcard;
        this.messages = new MessageVector(count, maxBytes, allocator);
    }

    /**
     * Adds the response to datagram {@code query} of {@code queries}. {@code queries} must not change until the
     * response is sent.
     */
    void add(byte[] content, int length, Queries queries, int query) {
        int index = waiting++;
        if (fromWildcard) {
            messages.control(index, queries.source(query), queries.sourceLength(query));
        }
        MemorySegment.copy(content, 0, messages.contents(), JAVA_BYTE, messages.contentOffset(index), length);
        messages.contentLength(index, length);
        messages.name(index, queries.clientAddress(query), addressBytes);
    }

    /**
     * Sends the added responses without waiting.
     *
     * @return the number of responses that could not be sent
     */
    int send(UdpSocket socket) {
        int count = waiting;
        waiting = 0;
        return socket.sendAll(messages, count);
    }
}
