package io.ballast.dns.testing;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.SocketException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.xbill.DNS.ARecord;
import org.xbill.DNS.DClass;
import org.xbill.DNS.Flags;
import org.xbill.DNS.Message;
import org.xbill.DNS.Name;
import org.xbill.DNS.OPTRecord;
import org.xbill.DNS.Rcode;
import org.xbill.DNS.Record;
import org.xbill.DNS.SOARecord;
import org.xbill.DNS.Section;
import org.xbill.DNS.Type;

/**
 * A loopback resolver over UDP and TCP with answers set by the test. By default it answers address queries
 * with its own address, and other queries with NODATA.
 */
public final class FakeResolver implements AutoCloseable {

    public static final int TTL = 300;

    private final DatagramSocket datagrams;
    private final ServerSocket connections;
    private final List<Message> queried = new CopyOnWriteArrayList<>();
    private final String address;
    private volatile Function<Message, @Nullable Message> answers = this::answer;
    private volatile int payload = 1232;
    private volatile @Nullable ByHand byHand;

    /** Answers UDP queries in a way that the test defines, also incorrectly. */
    @FunctionalInterface
    public interface ByHand {

        /**
         * @param from address of the client
         * @param socket socket that received the query
         */
        void answer(Message query, SocketAddress from, DatagramSocket socket) throws IOException;
    }

    /** @param address address of all names */
    public FakeResolver(String address) throws IOException {
        this.address = address;
        ServerSocket tcp = null;
        DatagramSocket udp = null;
        while (udp == null) {
            tcp = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
            try {
                udp = new DatagramSocket(new InetSocketAddress(InetAddress.getLoopbackAddress(), tcp.getLocalPort()));
            } catch (SocketException e) {
                tcp.close(); // the UDP port is in use
            }
        }
        this.connections = tcp;
        this.datagrams = udp;
        start(this::serveDatagrams);
        start(this::serveConnections);
    }

    private static void start(Runnable task) {
        Thread thread = new Thread(task, "fake-resolver");
        thread.setDaemon(true);
        thread.start();
    }

    public int port() {
        return connections.getLocalPort();
    }

    /** All queries received, over UDP and TCP. */
    public List<Message> queries() {
        return queried;
    }

    /** Number of queries for a name, ignoring case. */
    public long queries(String name) {
        return queried.stream()
                .filter(query -> query.getQuestion().getName().equals(Messages.name(name)))
                .count();
    }

    /** Sets the answers; null sends no answer. */
    public void answers(Function<Message, @Nullable Message> way) {
        answers = way;
    }

    /** Sets how UDP queries are answered; TCP is unchanged. */
    public void answersByHand(ByHand way) {
        byHand = way;
    }

    /** Restores the default answers. */
    public void answersAgain() {
        byHand = null;
        answers = this::answer;
    }

    /** Sends no answers from now on. */
    public void isSilent() {
        answers = query -> null;
    }

    /** Answers with this code and no records from now on. */
    public void fails(int rcode) {
        answers = query -> reply(query, rcode);
    }

    /** Sets the size above which UDP answers are truncated. */
    public void payload(int max) {
        payload = max;
    }

    /** Returns an answer without records. */
    public static Message reply(Message query, int rcode) {
        Message reply = new Message(query.getHeader().getID());
        reply.getHeader().setFlag(Flags.QR);
        reply.getHeader().setFlag(Flags.RA);
        reply.getHeader().setRcode(rcode);
        if (query.getHeader().getFlag(Flags.RD)) {
            reply.getHeader().setFlag(Flags.RD);
        }
        reply.addRecord(query.getQuestion(), Section.QUESTION);
        return reply;
    }

    /** Returns the default answer. */
    public Message answer(Message query) {
        Record question = query.getQuestion();
        Name name = question.getName();
        if (name.toString().toLowerCase(java.util.Locale.ROOT).startsWith("missing")) {
            return denied(query, Rcode.NXDOMAIN);
        }
        if (question.getType() != Type.A) {
            return denied(query, Rcode.NOERROR);
        }
        Message reply = reply(query, Rcode.NOERROR);
        reply.addRecord(new ARecord(name, DClass.IN, TTL, bytes(address)), Section.ANSWER);
        reply.addRecord(
                new OPTRecord(
                        4096, 0, 0, query.getOPT() == null ? 0 : query.getOPT().getFlags()),
                Section.ADDITIONAL);
        return reply;
    }

    /** Returns a negative answer with its SOA. */
    public static Message denied(Message query, int rcode) {
        Message reply = reply(query, rcode);
        Name zone = new Name(
                query.getQuestion().getName(), query.getQuestion().getName().labels() - 2);
        reply.addRecord(
                new SOARecord(zone, DClass.IN, 600, zone, zone, 1, 3600, 600, 86400, /* minimum= */ 60),
                Section.AUTHORITY);
        return reply;
    }

    private static InetAddress bytes(String address) {
        try {
            return InetAddress.getByName(address);
        } catch (IOException e) {
            throw new IllegalArgumentException(address, e);
        }
    }

    private void serveDatagrams() {
        byte[] buffer = new byte[65_535];
        try {
            while (true) {
                DatagramPacket packet = new DatagramPacket(buffer, buffer.length);
                datagrams.receive(packet);
                Message query = new Message(java.util.Arrays.copyOf(buffer, packet.getLength()));
                ByHand way = byHand;
                if (way != null) {
                    queried.add(query);
                    way.answer(query, packet.getSocketAddress(), datagrams);
                    continue;
                }
                Message reply = reply(query);
                if (reply == null) {
                    continue;
                }
                byte[] wire = reply.toWire();
                if (wire.length > payload) {
                    Message cut = reply(query, reply.getRcode());
                    cut.getHeader().setFlag(Flags.TC);
                    wire = cut.toWire();
                }
                datagrams.send(new DatagramPacket(wire, wire.length, packet.getSocketAddress()));
            }
        } catch (IOException e) {
            // The socket was closed.
        }
    }

    private @Nullable Message reply(Message query) {
        queried.add(query);
        return answers.apply(query);
    }

    private void serveConnections() {
        try {
            while (true) {
                Socket socket = connections.accept();
                start(() -> serve(socket));
            }
        } catch (IOException e) {
            // The socket was closed.
        }
    }

    private void serve(Socket socket) {
        try (socket) {
            DataInputStream in = new DataInputStream(socket.getInputStream());
            DataOutputStream out = new DataOutputStream(socket.getOutputStream());
            while (true) {
                byte[] message = new byte[in.readUnsignedShort()];
                in.readFully(message);
                Message reply = reply(new Message(message));
                if (reply != null) {
                    byte[] wire = reply.toWire(65_535);
                    out.writeShort(wire.length);
                    out.write(wire);
                }
            }
        } catch (IOException e) {
            // The client has closed the connection.
        }
    }

    @Override
    public void close() throws IOException {
        datagrams.close();
        connections.close();
    }
}
