package io.ballast.dns.net.direct;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import io.ballast.dns.answer.Client;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;

/**
 * A batch of received datagrams with the addresses that they came from.
 *
 * <p>Thread safety: confined to one thread. Cost: allocates only when it is made.
 */
final class Queries {

    private static final int ADDRESS_STRIDE = 32;

    private final SocketAddresses addresses;
    private final MessageVector messages;
    private final MemorySegment clients;

    /** @param mostBytes of a datagram; the rest of a longer one is lost */
    Queries(int count, int mostBytes, SocketAddresses addresses, SegmentAllocator allocator) {
        this.addresses = addresses;
        this.messages = new MessageVector(count, mostBytes, allocator);
        this.clients = allocator.allocate((long) count * ADDRESS_STRIDE, ADDRESS_STRIDE);
        for (int i = 0; i < count; i++) {
            messages.name(i, clientAddress(i), addresses.bytes());
        }
    }

    /** Waits for one datagram and takes with it those that are there; returns how many, or a negative error number. */
    int receive(UdpSocket socket) {
        return socket.receive(messages.headers(), messages.count());
    }

    /** Copies datagram {@code index} out and makes its place ready for the next; returns its length. */
    int take(int index, byte[] to) {
        messages.nameLength(index, addresses.bytes());
        int length = messages.received(index);
        MemorySegment.copy(messages.contents(), JAVA_BYTE, messages.contentOffset(index), to, 0, length);
        return length;
    }

    /** Tells who sent datagram {@code index}. */
    void tell(int index, Client client) {
        addresses.tell(clients, (long) index * ADDRESS_STRIDE, client);
    }

    /** Where in memory the address lies that datagram {@code index} came from, until the next batch. */
    long clientAddress(int index) {
        return clients.address() + (long) index * ADDRESS_STRIDE;
    }
}
