package io.ballast.dns.secondary;

import io.ballast.core.config.HostPort;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
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
import org.xbill.DNS.TextParseException;
import org.xbill.DNS.Type;

/** A TCP primary that sends exactly the test's data, valid or not. */
final class ScriptedPrimary implements AutoCloseable {

    private static final int RECORDS_OF_MESSAGE = 3;

    private final ServerSocket server;
    private final Map<Name, List<Record>> wholes = new ConcurrentHashMap<>();
    private final Map<Name, List<Record>> differences = new ConcurrentHashMap<>();
    private final List<String> queried = new CopyOnWriteArrayList<>();
    private volatile @Nullable TSIG key;
    /** Number of transfer messages after which the connection is closed. */
    private volatile int cutAfter = Integer.MAX_VALUE;

    private volatile IxfrFailure ixfrFailure = IxfrFailure.NONE;
    private volatile boolean isSilent;
    private volatile Runnable beforeWhole = () -> {};

    /** Transport failure of an IXFR query. */
    enum IxfrFailure {
        NONE,
        /** Closes the connection. */
        CLOSED,
        /** Sends part of a message, then closes the connection. */
        HALF_SENT,
        /** Sends nothing and leaves the connection open. */
        SILENT
    }

    ScriptedPrimary() throws IOException {
        this(new ServerSocket(0, 50, InetAddress.getLoopbackAddress()));
    }

    /** Creates a primary on a socket, plain or TLS; takes ownership. */
    ScriptedPrimary(ServerSocket server) {
        this.server = server;
        Thread thread = new Thread(this::serve, "tiny-primary");
        thread.setDaemon(true);
        thread.start();
    }

    HostPort address() {
        return new HostPort("127.0.0.1", server.getLocalPort());
    }

    static SOARecord soa(String zone, long serial) {
        return soa(zone, serial, 3600, 600, 86_400);
    }

    static SOARecord soa(String zone, long serial, long refresh, long retry, long expire) {
        Name apex = name(zone);
        return new SOARecord(
                apex, DClass.IN, 300, name("ns." + zone), name("admin." + zone), serial, refresh, retry, expire, 60);
    }

    static Name name(String name) {
        try {
            return Name.fromString(name + (name.endsWith(".") ? "" : "."));
        } catch (TextParseException e) {
            throw new IllegalArgumentException(name, e);
        }
    }

    static Record record(String name, String type, String data) {
        try {
            return Record.fromString(name(name), Type.value(type), DClass.IN, 300, data, Name.root);
        } catch (IOException e) {
            throw new IllegalArgumentException(data, e);
        }
    }

    /** Serves this version of a zone from now on: the SOA record, a name server, and these records. */
    ScriptedPrimary serves(String zone, long serial, Record... records) {
        return serves(soa(zone, serial), records);
    }

    ScriptedPrimary serves(SOARecord soa, Record... records) {
        List<Record> whole = new ArrayList<>(List.of(soa));
        String zone = soa.getName().toString(true);
        whole.add(record(zone, "NS", "ns." + zone + "."));
        whole.add(record("ns." + zone, "A", "192.0.2.53"));
        whole.addAll(List.of(records));
        whole.add(soa);
        return tellsExactly(zone, whole);
    }

    /** Answers AXFR with exactly these records; the first record also answers SOA queries. */
    ScriptedPrimary tellsExactly(String zone, List<? extends Record> records) {
        wholes.put(name(zone), List.copyOf(records));
        return this;
    }

    /** Answers IXFR with exactly these records. */
    void tellsDifferences(String zone, Record... records) {
        differences.put(name(zone), List.of(records));
    }

    void signsBy(@Nullable TSIG signer) {
        key = signer;
    }

    void cutsAfter(int messages) {
        cutAfter = messages;
    }

    /** Makes IXFR queries fail. */
    void failsDifferences(IxfrFailure failure) {
        ixfrFailure = failure;
    }

    /** Sets whether new connections are closed immediately. */
    void isSilent(boolean silent) {
        isSilent = silent;
    }

    /** Runs {@code task} before each AXFR. */
    void beforeWhole(Runnable task) {
        beforeWhole = task;
    }

    /** Returns the types queried since the last call. */
    List<String> queries() {
        List<String> all = List.copyOf(queried);
        queried.clear();
        return all;
    }

    private void serve() {
        try {
            while (true) {
                try (Socket client = server.accept()) {
                    if (!isSilent) {
                        serve(client);
                    }
                } catch (IOException e) {
                    if (server.isClosed()) {
                        return;
                    }
                }
            }
        } catch (RuntimeException e) {
            throw new IllegalStateException("the primary of a test", e);
        }
    }

    private void serve(Socket client) throws IOException {
        DataInputStream in = new DataInputStream(client.getInputStream());
        DataOutputStream out = new DataOutputStream(client.getOutputStream());
        while (true) {
            byte[] bytes = in.readNBytes(in.readUnsignedShort());
            Message query = new Message(bytes);
            int type = query.getQuestion().getType();
            queried.add(Type.string(type));
            if (type == Type.IXFR && ixfrFailure != IxfrFailure.NONE) {
                fail(ixfrFailure, in, out);
                return;
            }
            if (type == Type.AXFR) {
                beforeWhole.run();
            }
            List<List<Record>> messages = messages(query, type);
            TSIGRecord last = query.getTSIG();
            for (int i = 0; i < messages.size(); i++) {
                if (i == cutAfter) {
                    return;
                }
                Message response = new Message(query.getHeader().getID());
                response.getHeader().setFlag(Flags.QR);
                response.getHeader().setOpcode(Opcode.QUERY);
                response.addRecord(query.getQuestion(), Section.QUESTION);
                messages.get(i).forEach(record -> response.addRecord(record, Section.ANSWER));
                if (messages.get(i).isEmpty()) {
                    response.getHeader().setRcode(Rcode.REFUSED);
                }
                TSIG signer = key;
                if (signer != null && last != null) {
                    signer.apply(response, last, /* fullSignature= */ i == 0);
                }
                byte[] wire = response.toWire(Message.MAXLENGTH);
                last = response.getTSIG() == null ? last : Objects.requireNonNull(response.getTSIG());
                out.writeShort(wire.length);
                out.write(wire);
                out.flush();
            }
        }
    }

    private static void fail(IxfrFailure failure, DataInputStream in, DataOutputStream out) throws IOException {
        if (failure == IxfrFailure.HALF_SENT) {
            out.writeShort(100);
            out.write(new byte[50]);
            out.flush();
        } else if (failure == IxfrFailure.SILENT) {
            int end = in.read(); // waits until the secondary closes the connection
            if (end >= 0) {
                throw new IOException("another question on a connection that does not answer");
            }
        }
    }

    private List<List<Record>> messages(Message query, int type) {
        Name zone = query.getQuestion().getName();
        List<Record> whole = wholes.getOrDefault(zone, List.of());
        if (whole.isEmpty()) {
            return List.of(List.of());
        }
        if (type == Type.SOA) {
            return List.of(whole.subList(0, 1));
        }
        List<Record> notified = type == Type.IXFR ? differences.getOrDefault(zone, List.of()) : whole;
        List<List<Record>> messages = new ArrayList<>();
        for (int at = 0; at < notified.size(); at += RECORDS_OF_MESSAGE) {
            messages.add(notified.subList(at, Math.min(notified.size(), at + RECORDS_OF_MESSAGE)));
        }
        return messages.isEmpty() ? List.of(List.of()) : messages;
    }

    @Override
    public void close() throws IOException {
        server.close();
    }
}
