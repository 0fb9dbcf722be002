package io.ballast.dns.transfer;

import io.ballast.dns.wire.Wire;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.PortUnreachableException;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.xbill.DNS.DClass;
import org.xbill.DNS.Flags;
import org.xbill.DNS.Header;
import org.xbill.DNS.Message;
import org.xbill.DNS.Name;
import org.xbill.DNS.Opcode;
import org.xbill.DNS.Rcode;
import org.xbill.DNS.Record;
import org.xbill.DNS.SOARecord;
import org.xbill.DNS.Section;
import org.xbill.DNS.TSIG;
import org.xbill.DNS.TSIGRecord;
import org.xbill.DNS.Type;

/**
 * A notification that a zone has changed, with its own port and id.
 *
 * <p>Thread safety: confined to the notifying thread.
 */
final class NotifyMessage {

    /** Result for a message that is not a response to the notification. */
    static final int NO_ANSWER = -1;

    private static final Logger LOG = LoggerFactory.getLogger(NotifyMessage.class);
    private static final SecureRandom RANDOM = new SecureRandom();

    private final Destination destination;
    private final SOARecord version;
    private final Optional<TSIG> key;
    private final int id = RANDOM.nextInt(1 << 16);
    /**
     * The encoded message. It is encoded at the first transmission and never changes afterwards, so that every
     * response can be verified with its signature. The signature remains valid beyond the last retransmission.
     */
    private byte[] bytes = {};

    private @Nullable TSIGRecord signature;
    private @Nullable DatagramChannel channel;
    private int tries;
    private long dueNanos;

    /** The server to notify, and the zone that the notification is about. */
    record Destination(InetSocketAddress server, Name zone) {}

    NotifyMessage(Destination to, SOARecord version, Optional<TSIG> key) {
        this.destination = to;
        this.version = version;
        this.key = key;
    }

    Name zone() {
        return destination.zone();
    }

    InetSocketAddress server() {
        return destination.server();
    }

    long serial() {
        return version.getSerial();
    }

    int tries() {
        return tries;
    }

    /** Time of the next retransmission, on the clock of {@link System#nanoTime}. */
    long dueNanos() {
        return dueNanos;
    }

    /** Sends the notification for the first time. */
    void send(Selector events, long nowNanos, long timeoutNanos) throws IOException {
        Message message = message(destination, version, key, id);
        bytes = message.toWire(Wire.MAX_MESSAGE_BYTES);
        signature = message.getTSIG();
        DatagramChannel opened = DatagramChannel.open();
        channel = opened;
        opened.configureBlocking(/* block= */ false);
        opened.connect(destination.server());
        opened.register(events, SelectionKey.OP_READ, this);
        write(opened, nowNanos, timeoutNanos);
    }

    /** Retransmits the message. */
    void retransmit(long nowNanos, long timeoutNanos) throws IOException {
        if (channel != null) {
            write(channel, nowNanos, timeoutNanos);
        }
    }

    private void write(DatagramChannel to, long nowNanos, long timeoutNanos) throws IOException {
        dueNanos = nowNanos + (timeoutNanos << tries);
        tries++;
        try {
            to.write(ByteBuffer.wrap(bytes));
        } catch (PortUnreachableException e) {
            // An ICMP error for the previous message: the port is closed.
        }
    }

    private static Message message(Destination to, SOARecord version, Optional<TSIG> key, int id) {
        Message message = new Message(id);
        Header header = message.getHeader();
        header.setOpcode(Opcode.NOTIFY);
        header.setFlag(Flags.AA);
        message.addRecord(Record.newRecord(to.zone(), Type.SOA, DClass.IN), Section.QUESTION);
        message.addRecord(version, Section.ANSWER);
        if (key.isPresent()) {
            key.get().apply(message, /* old= */ null);
        }
        return message;
    }

    /**
     * Processes a received message.
     *
     * @return the response code of the server; {@link #NO_ANSWER} if the message is not a response to the
     *     notification
     */
    int receive() throws IOException {
        if (channel == null) {
            return NO_ANSWER;
        }
        ByteBuffer buffer = ByteBuffer.allocate(Wire.MAX_MESSAGE_BYTES);
        channel.read(buffer);
        byte[] come = Arrays.copyOf(buffer.array(), buffer.position());
        Message answer;
        try {
            answer = new Message(come);
        } catch (IOException e) {
            LOG.debug("malformed response from {}", destination.server(), e);
            return NO_ANSWER;
        }
        Header header = answer.getHeader();
        boolean matches = header.getID() == id && header.getFlag(Flags.QR) && header.getOpcode() == Opcode.NOTIFY;
        boolean signed = key.isEmpty() || key.get().verify(answer, come, signature) == Rcode.NOERROR;
        // A response that rejects the signature cannot itself be signed.
        return matches && (signed || header.getRcode() == Rcode.NOTAUTH) ? header.getRcode() : NO_ANSWER;
    }

    void close() {
        try {
            if (channel != null) {
                channel.close();
            }
        } catch (IOException e) {
            LOG.debug("cannot close a socket", e);
        }
    }
}
