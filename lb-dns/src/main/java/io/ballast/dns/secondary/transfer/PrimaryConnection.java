package io.ballast.dns.secondary.transfer;

import io.ballast.core.ErrorText;
import io.ballast.net.tls.SocketTls;
import io.ballast.net.tls.TlsErrors;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;
import org.xbill.DNS.DClass;
import org.xbill.DNS.Flags;
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
 * A TCP or TLS connection to a primary, for sequential queries about a zone. Blocks the calling thread,
 * limited by a total time and by the idle timeout {@link #MAX_IDLE}.
 *
 * <p>With a key, requests are signed, and responses must be signed (<a
 * href="https://datatracker.ietf.org/doc/html/rfc8945">RFC 8945</a>). In a transfer, the last message and at
 * least every hundredth message must be signed. Confined to one thread.
 */
public final class PrimaryConnection implements AutoCloseable {

    /** Time limit for connecting, and for receiving each part of a response. */
    public static final Duration MAX_IDLE = Duration.ofSeconds(10);

    private final Name apex;
    private final @Nullable TSIG key;
    private final Socket socket;
    private final InputStream in;
    private final OutputStream out;

    private PrimaryConnection(Name apex, @Nullable TSIG key, Socket socket) throws IOException {
        this.apex = apex;
        this.key = key;
        this.socket = socket;
        this.in = socket.getInputStream();
        this.out = socket.getOutputStream();
    }

    /**
     * Connects to a primary.
     *
     * @param max the total time limit of the connection
     */
    public static PrimaryConnection open(InetSocketAddress primary, Name apex, PrimarySecurity security, Duration max)
            throws IOException {
        DeadlineSocket socket = new DeadlineSocket(max, MAX_IDLE);
        try {
            socket.setTcpNoDelay(true);
            socket.connect(primary, socket.timeout());
            String host = primary.getAddress().getHostAddress();
            SocketTls tls = security.tls();
            return new PrimaryConnection(apex, security.key(), tls == null ? socket : tls.secure(socket, host));
        } catch (IOException | RuntimeException e) {
            close(socket);
            throw e;
        }
    }

    /** Queries the SOA record of the primary's version of the zone. */
    public SOARecord soa() throws IOException {
        Message query = sendQuery(Type.SOA, null);
        byte[] bytes = receive();
        Message response = parse(bytes, query);
        if (response.getHeader().getRcode() == Rcode.NOTAUTH) {
            requireSuccess(response); // a response that rejects our signature is itself unsigned
        }
        if (key != null) {
            requireValidSignature(key.verify(response, bytes, query.getTSIG()));
        }
        requireSuccess(response);
        for (Record record : response.getSection(Section.ANSWER)) {
            if (record instanceof SOARecord soa && soa.getName().equals(apex)) {
                return soa;
            }
        }
        throw TransferException.ofRefusal("the primary does not have the zone");
    }

    /**
     * Transfers the zone.
     *
     * @param present the current version, to which differences apply; null to transfer the whole zone
     * @param maxBytes the maximum size of all messages together
     * @return whether there is a newer version, which was passed to the sink
     * @throws TransferException if the transfer is refused or malformed
     */
    public boolean transfer(@Nullable SOARecord present, long maxBytes, TransferSink sink) throws IOException {
        Message query = sendQuery(present == null ? Type.AXFR : Type.IXFR, present);
        TSIGRecord signature = query.getTSIG();
        TSIG.StreamVerifier verifier =
                key == null ? null : new TSIG.StreamVerifier(key, Objects.requireNonNull(signature));
        TransferReader reader = new TransferReader(apex, present, sink);
        long bytes = 0;
        do {
            byte[] message = receive();
            bytes += message.length;
            if (bytes > maxBytes) {
                throw TransferException.ofContents(
                        "the transfer exceeds " + maxBytes + " bytes (expected: at most max_size)");
            }
            Message response = parse(message, query);
            requireSuccess(response);
            List<Record> records = response.getSection(Section.ANSWER);
            for (Record record : records) {
                reader.read(record);
            }
            if (reader.hasOnlySoa() && present != null) {
                throw TransferException.ofRefusal("the primary offers no incremental transfer for this version");
            }
            if (records.isEmpty()) {
                throw TransferException.ofRefusal("the answer contains no records");
            }
            if (verifier != null) {
                requireValidSignature(verifier.verify(response, message, reader.isAtEnd()));
            }
        } while (!reader.isAtEnd());
        return reader.isNewer();
    }

    private Message sendQuery(int type, @Nullable SOARecord present) throws IOException {
        Message query = Message.newQuery(Record.newRecord(apex, type, DClass.IN));
        query.getHeader().unsetFlag(Flags.RD);
        if (present != null) {
            query.addRecord(present, Section.AUTHORITY);
        }
        if (key != null) {
            key.apply(query, /* old= */ null);
        }
        byte[] bytes = query.toWire(Message.MAXLENGTH);
        byte[] framed = new byte[2 + bytes.length];
        framed[0] = (byte) (bytes.length >> 8);
        framed[1] = (byte) bytes.length;
        System.arraycopy(bytes, 0, framed, 2, bytes.length);
        write(framed);
        return query;
    }

    private void write(byte[] bytes) throws IOException {
        try {
            out.write(bytes);
            out.flush();
        } catch (SocketException e) {
            read(new byte[1], 0, 1); // throws an exception with the primary's reason for closing, if that was received
            throw e;
        }
    }

    private byte[] receive() throws IOException {
        byte[] length = receive(2);
        return receive(((length[0] & 0xff) << 8) | (length[1] & 0xff));
    }

    private byte[] receive(int length) throws IOException {
        byte[] bytes = new byte[length];
        for (int at = 0; at < length; ) {
            int read = read(bytes, at, length - at);
            if (read < 0) {
                throw new EOFException("the primary closed the connection before the transfer was complete");
            }
            at += read;
        }
        return bytes;
    }

    /**
     * Reads bytes. With TLS 1.3, a primary rejects a certificate only after the handshake, so this read may
     * report the rejection.
     */
    private int read(byte[] bytes, int from, int length) throws IOException {
        try {
            return in.read(bytes, from, length);
        } catch (SSLException e) {
            throw new SSLException(TlsErrors.text(e), e);
        }
    }

    private Message parse(byte[] bytes, Message query) throws IOException {
        Message response;
        try {
            response = new Message(bytes);
        } catch (IOException | RuntimeException e) {
            throw TransferException.ofContents("malformed message: " + ErrorText.of(e));
        }
        Record question = response.getQuestion();
        boolean isResponse = response.getHeader().getFlag(Flags.QR)
                && response.getHeader().getID() == query.getHeader().getID()
                && response.getHeader().getOpcode() == Opcode.QUERY
                && (question == null || question.equals(query.getQuestion()));
        if (!isResponse) {
            throw TransferException.ofContents("the message does not match the query");
        }
        return response;
    }

    private void requireSuccess(Message response) throws TransferException {
        int rcode = response.getHeader().getRcode();
        if (rcode == Rcode.NOERROR) {
            return;
        }
        TSIGRecord signature = response.getTSIG();
        String why =
                signature == null || signature.getError() == 0 ? "" : ", " + Rcode.TSIGstring(signature.getError());
        throw TransferException.ofRefusal("the primary returned " + Rcode.string(rcode) + why);
    }

    private static void requireValidSignature(int error) throws TransferException {
        if (error != Rcode.NOERROR) {
            throw TransferException.ofContents(
                    "invalid TSIG signature: " + (error == Rcode.FORMERR ? "missing" : Rcode.TSIGstring(error)));
        }
    }

    @Override
    public void close() {
        close(socket);
    }

    private static void close(Socket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            // ignore the failure, because no response is expected any more
        }
    }
}
