package io.ballast.dns.control;

import io.ballast.dns.answer.Transport;
import io.ballast.dns.answer.data.Client;
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
 * A control message with its reply path. If the message has a signature, the signature has been verified.
 *
 * <p>Thread safety: used by one thread at a time; any thread may respond.
 */
public final class ControlRequest {

    private static final int CODE_MASK = 0x0f;
    private static final int MIN_DATAGRAM_BYTES = 512;

    private final NotifyUpdateDispatcher dispatcher;
    private final byte[] wire;
    private final Message message;
    private final TsigSession signature;
    private final Client client;
    private final Transport transport;
    private final ReplyPath path;
    private volatile boolean answered;

    ControlRequest(
            NotifyUpdateDispatcher dispatcher,
            byte[] wire,
            Message message,
            TsigSession signature,
            Client client,
            Transport transport,
            ReplyPath path) {
        this.dispatcher = dispatcher;
        this.wire = wire;
        this.message = message;
        this.signature = signature;
        this.client = client;
        this.transport = transport;
        this.path = path;
    }

    /** The message as received, including its signature. */
    public Message message() {
        return message;
    }

    /** The message in wire format. Must not be changed. */
    byte[] wire() {
        return wire;
    }

    /** The question, or the zone of an UPDATE or NOTIFY; empty if there is none. */
    public Optional<Record> question() {
        return Optional.ofNullable(message.getQuestion());
    }

    /** The name of the signing key; empty if the message is not signed. */
    public Optional<Name> key() {
        return signature.signer();
    }

    public InetAddress client() {
        try {
            return InetAddress.getByAddress(Arrays.copyOf(client.bytes(), client.length()));
        } catch (UnknownHostException e) {
            throw new IllegalStateException("a previously valid address is invalid", e);
        }
    }

    public Transport transport() {
        return transport;
    }

    /** Returns whether a response may consist of several messages. */
    public boolean isOnStream() {
        return transport == Transport.TCP || transport == Transport.DOT;
    }

    /** The maximum size of a response in bytes, before it is signed. */
    public int limit() {
        int max = Wire.MAX_MESSAGE_BYTES;
        if (transport.isDatagram()) {
            OPTRecord opt = message.getOPT();
            int wanted = opt == null ? 0 : opt.getPayloadSize();
            max = Math.min(Math.max(wanted, MIN_DATAGRAM_BYTES), Edns.MAX_PAYLOAD_BYTES);
        }
        return max - signature.bytes();
    }

    /** Starts a response: copies the id, opcode, question and RD flag of the request. */
    public Message response(int rcode) {
        Header queryHeader = message.getHeader();
        Message response = new Message(queryHeader.getID());
        Header header = response.getHeader();
        header.setOpcode(queryHeader.getOpcode());
        header.setFlag(Flags.QR);
        if (queryHeader.getFlag(Flags.RD)) {
            header.setFlag(Flags.RD);
        }
        header.setRcode(rcode);
        question().ifPresent(record -> response.addRecord(record, Section.QUESTION));
        return response;
    }

    /** Responds with a response code and the question, without records. */
    public void respond(int rcode) {
        Message response = response(rcode);
        if (message.getOPT() != null) {
            response.addRecord(
                    new OPTRecord(Edns.MAX_PAYLOAD_BYTES, /* xrcode= */ 0, /* version= */ 0), Section.ADDITIONAL);
        }
        respond(response);
    }

    /** Sends a response. Records that do not fit are omitted, and TC is set. */
    public void respond(Message response) {
        byte[] made = response.toWire(limit());
        respond(made, made.length);
    }

    /**
     * Sends a message in wire format; signs it if the request is signed. It must be the last message of the
     * response.
     */
    public void respond(byte[] response, int length) {
        respond(response, length, response[3] & CODE_MASK);
    }

    private void respond(byte[] response, int length, int rcode) {
        dispatcher.count(rcode);
        byte[] signed = signature.sign(response, length);
        answered = true;
        path.send(signed, signed.length);
    }

    /** Whether the last message of the response has been sent. */
    boolean isAnswered() {
        return answered;
    }

    /**
     * Sends one of several messages of a response. The message is signed if the request is signed.
     *
     * @param next callback that is called when the client can receive the next message
     * @throws UnsupportedOperationException if the transport allows one message only: see {@link #isOnStream}
     */
    public void respondPart(byte[] response, int length, NextPart next) {
        byte[] signed = signature.sign(response, length);
        path.sendPart(signed, signed.length, next);
    }

    /** Returns a reply path that signs the response before it sends it. */
    ReplyPath signingPath() {
        return (response, length) -> sendSigned(response, length);
    }

    Client sender() {
        return client;
    }

    /**
     * Signs and sends a response. If the signature does not fit, the response is truncated to its header and
     * question section (RFC 8945 section 5.3).
     */
    void sendSigned(byte[] response, int length) {
        byte[] fitting = length <= limit() ? response : ResponseTruncation.of(response);
        byte[] signed = signature.sign(fitting, length <= limit() ? length : fitting.length);
        answered = true;
        path.send(signed, signed.length);
    }

    /** Whether the message uses an unsupported version of EDNS. */
    boolean hasUnsupportedEdns() {
        OPTRecord opt = message.getOPT();
        return opt != null && opt.getVersion() != 0;
    }

    /** Responds with BADVERS and the supported version of EDNS (RFC 6891 section 6.1.3). */
    void refuseEdns() {
        Message response = response(/* rcode= */ 0); // the OPT record has the upper bits of the code BADVERS
        response.addRecord(
                new OPTRecord(Edns.MAX_PAYLOAD_BYTES, /* xrcode= */ Rcode.BADVERS >> 4, /* version= */ 0),
                Section.ADDITIONAL);
        byte[] made = response.toWire(limit());
        respond(made, made.length, Rcode.BADVERS);
    }

    /** Responds with NOTAUTH and the TSIG error, without records. */
    void refuseSignature() {
        respond(response(Rcode.NOTAUTH));
    }
}
