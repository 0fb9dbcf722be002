package io.ballast.dns.control;

import io.ballast.dns.answer.Client;
import io.ballast.dns.answer.Transport;
import io.ballast.dns.forward.NextPart;
import io.ballast.dns.forward.ReplyPath;
import io.ballast.dns.wire.Edns;
import io.ballast.dns.wire.Rcode;
import io.ballast.dns.wire.Wire;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.Optional;
import org.xbill.DNS.Flags;
import org.xbill.DNS.Header;
import org.xbill.DNS.Message;
import org.xbill.DNS.Name;
import org.xbill.DNS.OPTRecord;
import org.xbill.DNS.Record;
import org.xbill.DNS.Section;

/**
 * A message that is more than a plain query, with a signature that is right if there is one, and the way back to its sender.
 *
 * <p>Thread safety: one thread at a time; any may respond.
 */
public final class ControlRequest {

    private static final int CODE_MASK = 0x0f;
    private static final int LEAST_DATAGRAM_BYTES = 512;

    private final ControlDesk desk;
    private final byte[] wire;
    private final Message message;
    private final Signature signature;
    private final Client client;
    private final Transport transport;
    private final ReplyPath path;
    private volatile boolean answered;

    ControlRequest(
            ControlDesk desk,
            byte[] wire,
            Message message,
            Signature signature,
            Client client,
            Transport transport,
            ReplyPath path) {
        this.desk = desk;
        this.wire = wire;
        this.message = message;
        this.signature = signature;
        this.client = client;
        this.transport = transport;
        this.path = path;
    }

    /** As it came, signature included. */
    public Message message() {
        return message;
    }

    /** Its octets. Not to be changed. */
    byte[] wire() {
        return wire;
    }

    /** What it asks, or the zone that it is about; empty if it does not say. */
    public Optional<Record> question() {
        return Optional.ofNullable(message.getQuestion());
    }

    /** The key that it is signed with; empty if it is not signed. */
    public Optional<Name> key() {
        return signature.signer();
    }

    public InetAddress client() {
        try {
            return InetAddress.getByAddress(Arrays.copyOf(client.octets(), client.length()));
        } catch (UnknownHostException e) {
            throw new IllegalStateException("an address that was one before", e);
        }
    }

    public Transport transport() {
        return transport;
    }

    /** Whether a response may be of several messages. */
    public boolean isOnStream() {
        return transport == Transport.TCP || transport == Transport.DOT;
    }

    /** Most octets of a response, before it is signed. */
    public int limit() {
        int most = Wire.MAX_MESSAGE_BYTES;
        if (transport.isDatagram()) {
            OPTRecord opt = message.getOPT();
            int wanted = opt == null ? 0 : opt.getPayloadSize();
            most = Math.min(Math.max(wanted, LEAST_DATAGRAM_BYTES), Edns.MAX_PAYLOAD_BYTES);
        }
        return most - signature.bytes();
    }

    /** The begin of a response: its id, opcode and question, and RD as it was asked. */
    public Message response(int rcode) {
        Header asked = message.getHeader();
        Message response = new Message(asked.getID());
        Header header = response.getHeader();
        header.setOpcode(asked.getOpcode());
        header.setFlag(Flags.QR);
        if (asked.getFlag(Flags.RD)) {
            header.setFlag(Flags.RD);
        }
        header.setRcode(rcode);
        question().ifPresent(asking -> response.addRecord(asking, Section.QUESTION));
        return response;
    }

    /** Responds with a code and the question alone. */
    public void respond(int rcode) {
        Message response = response(rcode);
        if (message.getOPT() != null) {
            response.addRecord(
                    new OPTRecord(Edns.MAX_PAYLOAD_BYTES, /* xrcode= */ 0, /* version= */ 0), Section.ADDITIONAL);
        }
        respond(response);
    }

    /** Responds. What does not fit is left out, and the response says so. */
    public void respond(Message response) {
        byte[] made = response.toWire(limit());
        respond(made, made.length);
    }

    /** Responds by octets, which are signed if the message is. The last of several messages, if there were others. */
    public void respond(byte[] response, int length) {
        respond(response, length, response[3] & CODE_MASK);
    }

    private void respond(byte[] response, int length, int rcode) {
        desk.count(rcode);
        byte[] signed = signature.sign(response, length);
        answered = true;
        path.send(signed, signed.length);
    }

    /** Whether the last of its response has been sent. */
    boolean isAnswered() {
        return answered;
    }

    /**
     * Sends one message of several, likewise signed.
     *
     * @param next told when the client takes more
     * @throws UnsupportedOperationException if a response is one message there: see {@link #isOnStream}
     */
    public void respondPart(byte[] response, int length, NextPart next) {
        byte[] signed = signature.sign(response, length);
        path.sendPart(signed, signed.length, next);
    }

    /** The way back as that of a plain query's answer, which is signed on it. */
    ReplyPath signingPath() {
        return (response, length) -> sendSigned(response, length);
    }

    Client sender() {
        return client;
    }

    /** Cuts down to the question what a signature makes too large (RFC 8945 section 5.3). */
    void sendSigned(byte[] response, int length) {
        byte[] fitting = length <= limit() ? response : Truncated.of(response);
        byte[] signed = signature.sign(fitting, length <= limit() ? length : fitting.length);
        answered = true;
        path.send(signed, signed.length);
    }

    /** Whether it is written in a version of EDNS that is not known. */
    boolean isOfOtherEdns() {
        OPTRecord opt = message.getOPT();
        return opt != null && opt.getVersion() != 0;
    }

    /** Says which version of EDNS there is (RFC 6891 section 6.1.3). */
    void refuseEdns() {
        Message response = response(/* rcode= */ 0); // the rest of it stands in the OPT record
        response.addRecord(
                new OPTRecord(Edns.MAX_PAYLOAD_BYTES, /* xrcode= */ Rcode.BADVERS >> 4, /* version= */ 0),
                Section.ADDITIONAL);
        byte[] made = response.toWire(limit());
        respond(made, made.length, Rcode.BADVERS);
    }

    /** Says why the signature is not taken, and nothing else. */
    void refuseSignature() {
        respond(response(Rcode.NOTAUTH));
    }
}
