package io.ballast.dns.forward;

import io.ballast.core.config.HostPort;
import io.ballast.core.control.ControlPlane;
import io.ballast.core.net.Cidr;
import io.ballast.dns.DnsChange;
import io.ballast.dns.DnsFrontend;
import io.ballast.dns.config.DnsConfig;
import io.ballast.dns.config.DnsListenerConfig;
import io.ballast.dns.config.DnsLogging;
import io.ballast.dns.config.DnsTcpConfig;
import io.ballast.dns.config.forward.DnsForwardConfig;
import io.ballast.dns.stats.DnsCounter;
import io.ballast.dns.testing.FakeResolver;
import io.ballast.dns.testing.Messages;
import io.ballast.dns.testing.StreamClient;
import io.ballast.dns.testing.ZoneFixture;
import io.ballast.dns.zone.ZoneInputs;
import io.ballast.dns.zone.signing.SigningSetup;
import io.ballast.net.config.TransportKind;
import io.ballast.net.takeover.InheritedSockets;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.xbill.DNS.Message;

/** A frontend that forwards to fake resolvers, and a loopback client. */
final class ForwarderFixture implements AutoCloseable {

    static final String POOL = "resolvers";

    private static final int TIMEOUT_MILLIS = 10_000;

    private final ZoneFixture fixture;
    private final DnsFrontend frontend;
    private final List<DnsListenerConfig> listeners =
            new ArrayList<>(List.of(DnsListenerConfig.plain(new HostPort("127.0.0.1", 0))));

    /** @param change function that changes the default configuration */
    ForwarderFixture(UnaryOperator<DnsForwardConfig> change, FakeResolver... resolvers) throws IOException {
        this(change, others -> others, resolvers);
    }

    /** @param others function that adds pools and zones */
    ForwarderFixture(
            UnaryOperator<DnsForwardConfig> change, UnaryOperator<ZoneFixture> others, FakeResolver... resolvers)
            throws IOException {
        fixture = others.apply(new ZoneFixture().resolvers(POOL, resolvers));
        frontend = DnsFrontend.start(config(change), fixture.topology(), /* eventLoops= */ 2, TransportKind.AUTO);
    }

    /** Creates a fixture that may have filter lists. */
    ForwarderFixture(
            UnaryOperator<DnsForwardConfig> change, ControlPlane control, Path directory, FakeResolver... resolvers)
            throws IOException {
        this(change, others -> others, List.of(), control, directory, resolvers);
    }

    /** @param others function that adds pools and zones, which may be signed */
    ForwarderFixture(
            UnaryOperator<DnsForwardConfig> change,
            UnaryOperator<ZoneFixture> others,
            ControlPlane control,
            Path directory,
            FakeResolver... resolvers)
            throws IOException {
        this(change, others, List.of(), control, directory, resolvers);
    }

    /** @param more listeners in addition to the unencrypted one */
    ForwarderFixture(
            UnaryOperator<DnsForwardConfig> change,
            UnaryOperator<ZoneFixture> others,
            List<DnsListenerConfig> more,
            ControlPlane control,
            Path directory,
            FakeResolver... resolvers)
            throws IOException {
        listeners.addAll(more);
        fixture = others.apply(new ZoneFixture().resolvers(POOL, resolvers));
        frontend = DnsFrontend.bind(
                config(change),
                ZoneInputs.of(fixture.topology()),
                /* eventLoops= */ 2,
                TransportKind.AUTO,
                new SigningSetup(directory, control, Runnable::run),
                new ListSetup(control, Runnable::run, Runnable::run, directory.resolve("lists")),
                InheritedSockets.none());
        frontend.begin();
    }

    /** Creates a fixture with zones, compiled with the test's clock and executor. */
    ForwarderFixture(
            UnaryOperator<DnsForwardConfig> change,
            UnaryOperator<ZoneFixture> zones,
            ControlPlane control,
            Path directory,
            LongSupplier nanoTime,
            Executor compiler,
            FakeResolver... resolvers)
            throws IOException {
        fixture = zones.apply(new ZoneFixture().resolvers(POOL, resolvers));
        frontend = DnsFrontend.start(
                config(change),
                new ZoneInputs(fixture.topology(), Optional.empty(), nanoTime, compiler),
                /* eventLoops= */ 2,
                TransportKind.AUTO,
                new SigningSetup(directory, control, Runnable::run));
    }

    DnsConfig config(UnaryOperator<DnsForwardConfig> change) {
        return unforwarded().withForward(change.apply(DnsForwardConfig.of(POOL)));
    }

    private DnsConfig unforwarded() {
        return fixture.dns(DnsTcpConfig.DEFAULT, listeners.toArray(DnsListenerConfig[]::new));
    }

    DnsFrontend frontend() {
        return frontend;
    }

    ZoneFixture zones() {
        return fixture;
    }

    InetSocketAddress address() {
        return frontend.addresses().get(0);
    }

    Message query(String name, int type) throws IOException {
        return query(Messages.query(name, type));
    }

    /** Sends a query over UDP and returns the answer. */
    Message query(Message query) throws IOException {
        return Messages.parse(query(query.toWire()));
    }

    byte[] query(byte[] query) throws IOException {
        try (DatagramSocket socket = new DatagramSocket()) {
            socket.setSoTimeout(TIMEOUT_MILLIS);
            socket.connect(address());
            socket.send(new DatagramPacket(query, query.length));
            DatagramPacket answer = new DatagramPacket(new byte[65_535], 65_535);
            socket.receive(answer);
            return Arrays.copyOf(answer.getData(), answer.getLength());
        }
    }

    /** Sends a query over UDP from the given loopback address and returns the answer. */
    Message queryFrom(String client, String name, int type) throws IOException {
        byte[] query = Messages.query(name, type).toWire();
        try (DatagramSocket socket = new DatagramSocket(new InetSocketAddress(client, 0))) {
            socket.setSoTimeout(TIMEOUT_MILLIS);
            socket.connect(address());
            socket.send(new DatagramPacket(query, query.length));
            DatagramPacket answer = new DatagramPacket(new byte[65_535], 65_535);
            socket.receive(answer);
            return Messages.parse(Arrays.copyOf(answer.getData(), answer.getLength()));
        }
    }

    /** Sends all queries, then runs {@code meanwhile}; returns the answers in any order. */
    List<Message> queryTogether(List<byte[]> queries, Action meanwhile) throws Exception {
        try (DatagramSocket socket = new DatagramSocket()) {
            socket.setSoTimeout(TIMEOUT_MILLIS);
            socket.connect(address());
            for (byte[] query : queries) {
                socket.send(new DatagramPacket(query, query.length));
            }
            meanwhile.run();
            List<Message> answers = new ArrayList<>();
            for (int i = 0; i < queries.size(); i++) {
                DatagramPacket answer = new DatagramPacket(new byte[65_535], 65_535);
                socket.receive(answer);
                answers.add(Messages.parse(Arrays.copyOf(answer.getData(), answer.getLength())));
            }
            return answers;
        }
    }

    @FunctionalInterface
    interface Action {
        void run() throws Exception;
    }

    static void await(BooleanSupplier condition) {
        long started = System.nanoTime();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - started > 1_000_000L * TIMEOUT_MILLIS) {
                throw new AssertionError("not within " + TIMEOUT_MILLIS + " ms");
            }
            LockSupport.parkNanos(1_000_000);
        }
    }

    /** Repeats the query until the cached answer has expired. */
    void awaitStale(Message query) {
        await(() -> {
            try {
                query(query);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            return frontend.stats().sum(DnsCounter.FORWARD_STALE) > 0;
        });
    }

    /** Flushes the cached answers that match all parameters; a null parameter matches everything. */
    int flush(@Nullable String name, boolean below, @Nullable String type) {
        return frontend.forwarding().flush(Optional.ofNullable(name), below, Optional.ofNullable(type));
    }

    /** Reloads with another configuration. */
    void reload(UnaryOperator<DnsForwardConfig> change) throws IOException {
        reload(config(change));
    }

    /** Reloads so that only these clients may send a client subnet. */
    void trustSubnetsOf(UnaryOperator<DnsForwardConfig> change, List<Cidr> clients) throws IOException {
        DnsConfig next = config(change).toBuilder().ecsTrusted(clients).build();
        try (DnsChange prepared = frontend.prepare(next, ZoneInputs.of(fixture.topology()))) {
            prepared.commit();
            prepared.releasePrevious();
        }
    }

    /** Reloads with other settings of the query log. */
    void log(UnaryOperator<DnsForwardConfig> change, DnsLogging logging) throws IOException {
        reload(config(change).withLogging(logging));
    }

    /** Reloads with a configuration without forwarding. */
    void stopForwarding() throws IOException {
        reload(unforwarded());
    }

    private void reload(DnsConfig config) throws IOException {
        try (DnsChange next = frontend.prepare(config, ZoneInputs.of(fixture.topology()))) {
            next.commit();
            next.releasePrevious();
        }
    }

    Message queryOverTcp(Message query) throws IOException {
        try (StreamClient client = new StreamClient(address())) {
            client.send(StreamClient.framed(query.toWire()));
            return client.receive();
        }
    }

    @Override
    public void close() {
        frontend.close();
    }
}
