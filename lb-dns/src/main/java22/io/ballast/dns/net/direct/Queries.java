package io.ballast.dns.net.direct;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import io.ballast.dns.answer.data.Client;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * A batch of received datagrams with their source addresses.
 *
 * <p>Thread safety: confined to one thread. Cost: allocates only in the constructor.
 */
final class Queries {

    private static final int ADDRESS_STRIDE = 32;
    private static final byte[] NONE = {};

    private final SocketAddresses addresses;
    private final MessageVector messages;
    private final MemorySegment clients;
    private final @Nullable PacketInfo destinations;
    /**
     * Number of datagrams of the current batch that have been processed. All are processed before the next
     * receive.
     */
    private int taken;

    /**
     * Allocates memory for a batch.
     *
     * @param maxBytes maximum size of a datagram; longer datagrams are truncated. Physical memory is used only
     *     for pages that datagrams fill
     * @param fromWildcard whether the socket is bound to the wildcard address, so that the destination of each
     *     datagram must be stored
     */
    Queries(int count, int maxBytes, SocketAddresses addresses, boolean fromWildcard, Arena allocator) {
        this.addresses = addresses;
        this.messages = new MessageVector(count, maxBytes, allocator, LinuxSyscalls.untouched(allocator));
        this.clients = allocator.allocate((long) count * ADDRESS_STRIDE, ADDRESS_STRIDE);
        for (int i = 0; i < count; i++) {
            messages.name(i, clientAddress(i), addresses.bytes());
        }
        this.destinations = fromWildcard ? new PacketInfo(count, addresses, allocator) : null;
        if (destinations != null) {
            for (int i = 0; i < count; i++) {
                messages.control(i, destinations.address(i), destinations.bytes());
            }
        }
    }

    /**
     * Waits for a datagram and receives all that have arrived. Returns their number, or a negative error number.
     * This overwrites the state of the previous batch.
     */
    int receive(UdpSocket socket) {
        makeRoom();
        return socket.receive(messages.headers(), messages.count());
    }

    /** Like {@link #receive}, but does not wait. */
    int poll(UdpSocket socket) {
        makeRoom();
        return socket.poll(messages.headers(), messages.count());
    }

    private void makeRoom() {
        if (destinations != null) {
            for (int i = 0; i < taken; i++) {
                messages.controlLength(i, destinations.bytes());
            }
            taken = 0;
        }
    }

    /** Copies datagram {@code index} and prepares its memory for the next datagram; returns the length. */
    int take(int index, byte[] to) {
        messages.nameLength(index, addresses.bytes());
        taken = index + 1;
        int length = messages.received(index);
        MemorySegment.copy(messages.contents(), JAVA_BYTE, messages.contentOffset(index), to, 0, length);
        return length;
    }

    /** Reads the sender of datagram {@code index} into {@code client}. */
    void copyClient(int index, Client client) {
        addresses.copyTo(clients, (long) index * ADDRESS_STRIDE, client);
    }

    /**
     * Returns the memory address of the control data that sets the source address of responses to datagram {@code
     * index}; 0 if no control data is needed. Valid until the next batch.
     */
    long source(int index) {
        if (destinations == null || messages.controlLength(index) == 0) {
            return 0;
        }
        destinations.turn(index);
        return destinations.address(index);
    }

    /** Length of the control data of {@link #source}. */
    long sourceLength(int index) {
        return messages.controlLength(index);
    }

    /** Memory address of the sender of datagram {@code index}, valid until the next batch. */
    long clientAddress(int index) {
        return clients.address() + (long) index * ADDRESS_STRIDE;
    }

    /** Copies the source address of datagram {@code index} in native format. */
    byte[] copyClientAddress(int index) {
        return clients.asSlice((long) index * ADDRESS_STRIDE, addresses.bytes()).toArray(JAVA_BYTE);
    }

    /** Copies the result of {@link #source}; may be empty. */
    byte[] copySource(int index) {
        if (destinations == null || source(index) == 0) {
            return NONE;
        }
        return destinations.copy(index, (int) sourceLength(index));
    }
}
