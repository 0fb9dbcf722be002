package io.ballast.discovery.names;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.xbill.DNS.AAAARecord;
import org.xbill.DNS.ARecord;
import org.xbill.DNS.CNAMERecord;
import org.xbill.DNS.DClass;
import org.xbill.DNS.Flags;
import org.xbill.DNS.Message;
import org.xbill.DNS.Name;
import org.xbill.DNS.Rcode;
import org.xbill.DNS.Record;
import org.xbill.DNS.SRVRecord;
import org.xbill.DNS.Section;
import org.xbill.DNS.SimpleResolver;
import org.xbill.DNS.TextParseException;

/** A DNS server on a free loopback port; the test sets its answers. Thread safety: any thread. */
public final class LoopbackDns implements AutoCloseable {

    private final DatagramSocket socket = new DatagramSocket(0, InetAddress.getLoopbackAddress());
    private final Map<Name, List<Record>> records = new ConcurrentHashMap<>();
    private final AtomicInteger queries = new AtomicInteger();
    private volatile int rcodeOfAll = Rcode.NOERROR;
    private volatile boolean sendsAlong;

    public LoopbackDns() throws SocketException {
        Thread thread = new Thread(this::serve, "loopback-dns");
        thread.setDaemon(true);
        thread.start();
    }

    /** Makes a name resolve to exactly these addresses. */
    public LoopbackDns set(String name, int ttlSeconds, String... addresses) throws IOException {
        Name owner = name(name);
        Record[] all = new Record[addresses.length];
        for (int i = 0; i < all.length; i++) {
            InetAddress address = InetAddress.getByName(addresses[i]);
            all[i] = address.getAddress().length == 4
                    ? new ARecord(owner, DClass.IN, ttlSeconds, address)
                    : new AAAARecord(owner, DClass.IN, ttlSeconds, address);
        }
        records.put(owner, List.of(all));
        return this;
    }

    LoopbackDns alias(String name, int ttlSeconds, String target) throws TextParseException {
        records.put(name(name), List.of(new CNAMERecord(name(name), DClass.IN, ttlSeconds, name(target))));
        return this;
    }

    /** Makes a name resolve to these SRV records, each as {@code PRIORITY WEIGHT PORT TARGET}. */
    public LoopbackDns services(String name, int ttlSeconds, String... services) throws IOException {
        List<Record> all = new ArrayList<>();
        for (String service : services) {
            String[] parts = service.split(" ");
            int[] numbers =
                    Arrays.stream(parts).limit(3).mapToInt(Integer::parseInt).toArray();
            all.add(new SRVRecord(
                    name(name), DClass.IN, ttlSeconds, numbers[0], numbers[1], numbers[2], name(parts[3])));
        }
        records.put(name(name), all);
        return this;
    }

    /** Sets whether responses with SRV records also contain the addresses of the targets. */
    public void sendAlong(boolean along) {
        sendsAlong = along;
    }

    /** Removes all records of a name. */
    public void forget(String name) throws TextParseException {
        records.remove(name(name));
    }

    /** Sets whether the server answers every query with SERVFAIL from now on. */
    public void failing(boolean fails) {
        rcodeOfAll = fails ? Rcode.SERVFAIL : Rcode.NOERROR;
    }

    /** Returns the number of received queries. */
    public int queryCount() {
        return queries.get();
    }

    /** Returns a lookup that queries this server and completes names with these search domains. */
    public NameLookup lookup(String... search) {
        SimpleResolver resolver =
                new SimpleResolver(new InetSocketAddress(socket.getLocalAddress(), socket.getLocalPort()));
        resolver.setTimeout(Duration.ofSeconds(10));
        List<Name> domains = Arrays.stream(search).map(LoopbackDns::knownName).toList();
        return new DnsLookup(new DnsLookup.Setup(resolver, domains, /* ndots= */ 1));
    }

    /** Returns a record lookup with the same server and search domains as {@link #lookup}. */
    public RecordLookup records(String... search) {
        return new DnsRecords((DnsLookup) lookup(search));
    }

    private void serve() {
        byte[] bytes = new byte[4096];
        try {
            while (true) {
                DatagramPacket packet = new DatagramPacket(bytes, bytes.length);
                socket.receive(packet);
                byte[] answer = answer(new Message(Arrays.copyOf(bytes, packet.getLength())))
                        .toWire();
                socket.send(new DatagramPacket(answer, answer.length, packet.getSocketAddress()));
            }
        } catch (SocketException e) {
            // the server was closed
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Message answer(Message query) {
        queries.incrementAndGet();
        Message answer = new Message(query.getHeader().getID());
        Record question = query.getQuestion();
        answer.getHeader().setFlag(Flags.QR);
        answer.addRecord(question, Section.QUESTION);
        answer.getHeader().setRcode(rcodeOfAll);
        if (rcodeOfAll == Rcode.NOERROR) {
            answerTo(question.getName(), question.getType(), answer);
        }
        return answer;
    }

    private void answerTo(Name name, int type, Message answer) {
        List<Record> found = records.get(name);
        if (found == null) {
            answer.getHeader().setRcode(Rcode.NXDOMAIN);
            return;
        }
        for (Record record : found) {
            if (record instanceof CNAMERecord alias) {
                answer.addRecord(record, Section.ANSWER);
                answerTo(alias.getTarget(), type, answer);
            } else if (record.getType() == type) {
                answer.addRecord(record, Section.ANSWER);
            }
            if (sendsAlong && record instanceof SRVRecord service) {
                records.getOrDefault(service.getTarget(), List.of())
                        .forEach(address -> answer.addRecord(address, Section.ADDITIONAL));
            }
        }
    }

    private static Name name(String text) throws TextParseException {
        return Name.fromString(text, Name.root);
    }

    private static Name knownName(String text) {
        try {
            return name(text);
        } catch (TextParseException e) {
            throw new IllegalArgumentException(e);
        }
    }

    @Override
    public void close() {
        socket.close();
    }
}
