package io.ballast.dns.control;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.dns.DnsFrontend;
import io.ballast.dns.answer.ActiveAnswerConfig;
import io.ballast.dns.answer.AnswerConfig;
import io.ballast.dns.answer.AnswerSettings;
import io.ballast.dns.answer.ControlMessages;
import io.ballast.dns.answer.Transport;
import io.ballast.dns.answer.data.Client;
import io.ballast.dns.config.DnsControlConfig;
import io.ballast.dns.config.DnsLogging;
import io.ballast.dns.config.DnsQueryLogConfig;
import io.ballast.dns.config.DnsQueryLogConfig.Clients;
import io.ballast.dns.config.DnsQueryLogConfig.Format;
import io.ballast.dns.config.LogRotation;
import io.ballast.dns.config.TsigKeyConfig;
import io.ballast.dns.config.TsigKeyConfig.Algorithm;
import io.ballast.dns.config.TsigSecret;
import io.ballast.dns.forward.Deferral;
import io.ballast.dns.querylog.AnsweredQuery;
import io.ballast.dns.stats.DnsCounter;
import io.ballast.dns.stats.DnsStats;
import io.ballast.dns.testing.Messages;
import io.ballast.dns.testing.Reload;
import io.ballast.dns.testing.StreamClient;
import io.ballast.dns.testing.ZoneFixture;
import io.ballast.net.config.TransportKind;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.xbill.DNS.Flags;
import org.xbill.DNS.Message;
import org.xbill.DNS.Name;
import org.xbill.DNS.OPTRecord;
import org.xbill.DNS.Rcode;
import org.xbill.DNS.Section;
import org.xbill.DNS.TSIG;
import org.xbill.DNS.TSIGRecord;
import org.xbill.DNS.Type;

class SignedQueriesTest {

    private static final String SECRET = "c2VjcmV0IG9mIDMyIG9jdGV0cyBpbiB0aGlzIHRlc3Q=";
    private static final String OTHER_SECRET = "YW5vdGhlciBzZWNyZXQgdGhhdCBpcyBub3Qga25vd24=";
    private static final int TIMEOUT_MILLIS = 10_000;

    private final ZoneFixture fixture = new ZoneFixture().pool("web", ZoneFixture.backend("192.0.2.1"));
    private DnsFrontend frontend;

    @BeforeEach
    void start(@TempDir Path directory) throws IOException {
        Path file = Files.writeString(directory.resolve("zone"), """
                $TTL 60
                @ SOA ns.elsewhere.net. me.elsewhere.net. 1 1 1 1 1
                @ NS ns.elsewhere.net.
                long TXT %1$s %1$s
                """.formatted("x".repeat(200)));
        fixture.zone("long.example", file);
        fixture.zone("example.com", ZoneFixture.service("app", "web"));
        List<TsigKeyConfig> keys = new ArrayList<>();
        for (Algorithm each : Algorithm.values()) {
            String name = each.name().toLowerCase(Locale.ROOT).replace('_', '-') + ".key";
            keys.add(new TsigKeyConfig(name, each, new TsigSecret(SECRET)));
        }
        frontend = DnsFrontend.start(
                fixture.dns(Reload.free())
                        .withControl(new DnsControlConfig(keys, 10))
                        .withLogging(logging()),
                fixture.topology(),
                /* eventLoops= */ 2,
                TransportKind.AUTO);
    }

    @AfterEach
    void close() {
        frontend.close();
    }

    @ParameterizedTest
    @CsvSource({"hmac-sha256, HmacSHA256", "hmac-sha384, HmacSHA384", "hmac-sha512, HmacSHA512"})
    void signedQueriesGetSignedAnswers(String algorithm, String mac) throws IOException {
        TSIG key = key(algorithm, mac, SECRET, Clock.systemUTC());

        Signed signed = query(Messages.query("app.example.com", Type.A), key);

        assertThat(Messages.answers(signed.response())).containsExactly("192.0.2.1");
        assertThat(signed.verified()).isEqualTo(Rcode.NOERROR);
        assertThat(frontend.stats().sum(DnsCounter.QUERIES_UDP)).isEqualTo(1);
        assertThat(frontend.stats().sum(DnsCounter.TYPE_A)).isEqualTo(1);
    }

    private static DnsLogging logging() {
        DnsQueryLogConfig queries = new DnsQueryLogConfig(
                /* enabled= */ true,
                Optional.empty(),
                Format.JSON,
                LogRotation.DEFAULT,
                /* authority= */ true,
                Clients.FULL,
                /* sample= */ 1,
                /* memory= */ 10);
        return new DnsLogging(queries, Optional.empty());
    }

    @Test
    void signedQueriesAreLogged() throws Exception {
        BlockingQueue<AnsweredQuery> recorded = new LinkedBlockingQueue<>();
        frontend.queryLog().attach(recorded::add);

        query(Messages.query("app.example.com", Type.A), key("hmac-sha256", "HmacSHA256", SECRET, Clock.systemUTC()));

        AnsweredQuery logged = recorded.poll(TIMEOUT_MILLIS, TimeUnit.MILLISECONDS);
        assertThat(logged).isNotNull();
        assertThat(logged.name()).isEqualTo("app.example.com");
        assertThat(logged.decider()).isEqualTo("example.com");
        assertThat(logged.client()).isEqualTo("127.0.0.1");
    }

    @Test
    void unknownKeyGetsBadkeyUnsigned() throws IOException {
        Signed signed = query(
                Messages.query("app.example.com", Type.A), key("nobodys", "HmacSHA256", SECRET, Clock.systemUTC()));

        TSIGRecord tsig = signed.response().getTSIG();
        assertThat(signed.response().getRcode()).isEqualTo(Rcode.NOTAUTH);
        assertThat(tsig.getError()).isEqualTo(Rcode.BADKEY);
        assertThat(tsig.getSignature()).isEmpty();
        assertThat(signed.response().getSection(Section.ANSWER)).isEmpty();
        assertThat(frontend.stats().sum(DnsCounter.CONTROL_UNSIGNED)).isEqualTo(1);
    }

    @Test
    void wrongSecretGetsBadsig() throws IOException {
        Signed signed = query(
                Messages.query("app.example.com", Type.A),
                key("hmac-sha256", "HmacSHA256", OTHER_SECRET, Clock.systemUTC()));

        assertThat(signed.response().getRcode()).isEqualTo(Rcode.NOTAUTH);
        assertThat(signed.response().getTSIG().getError()).isEqualTo(Rcode.BADSIG);
        assertThat(signed.response().getTSIG().getSignature()).isEmpty();
    }

    @Test
    void oldSignatureGetsSignedBadtime() throws IOException {
        Clock late = Clock.offset(Clock.systemUTC(), Duration.ofHours(-1));

        Signed signed =
                query(Messages.query("app.example.com", Type.A), key("hmac-sha256", "HmacSHA256", SECRET, late));

        assertThat(signed.response().getRcode()).isEqualTo(Rcode.NOTAUTH);
        assertThat(signed.response().getTSIG().getError()).isEqualTo(Rcode.BADTIME);
        assertThat(signed.response().getTSIG().getOther()).hasSize(6);
        assertThat(signed.verified()).isEqualTo(Rcode.NOERROR);
    }

    @Test
    void unhandledMessagesAreAnsweredNormally() throws IOException {
        TSIG key = key("hmac-sha256", "HmacSHA256", SECRET, Clock.systemUTC());
        Message notify = Messages.query("example.com", Type.SOA);
        notify.getHeader().setOpcode(4);
        Message update = Messages.query("example.com", Type.SOA);
        update.getHeader().setOpcode(5);

        assertThat(query(notify, key).response().getRcode()).isEqualTo(Rcode.NOTIMP);
        assertThat(query(update, key).response().getRcode()).isEqualTo(Rcode.NOTIMP);
        assertThat(query(Messages.query("example.com", Type.AXFR), key)
                        .response()
                        .getRcode())
                .isEqualTo(Rcode.REFUSED);
        Message unsigned = Messages.query("example.com", Type.IXFR, new OPTRecord(1232, 0, 0));
        Message refused = Reload.query(frontend.addresses().get(0), unsigned);
        assertThat(refused.getRcode()).isEqualTo(Rcode.REFUSED);
        assertThat(refused.getOPT()).isNotNull();
    }

    @Test
    void recordsBeyondSignatureSpaceAreOmitted() throws IOException {
        Message query = Messages.query("long.long.example", Type.TXT);
        assertThat(Reload.query(frontend.addresses().get(0), query).getHeader().getFlag(Flags.TC))
                .isFalse();

        Signed signed = query(query, key("hmac-sha256", "HmacSHA256", SECRET, Clock.systemUTC()));

        assertThat(signed.response().getHeader().getFlag(Flags.TC)).isTrue();
        assertThat(signed.response().getRcode()).isEqualTo(Rcode.NOERROR);
        assertThat(signed.response().getSection(Section.ANSWER)).isEmpty();
        assertThat(signed.response().getQuestion()).isEqualTo(query.getQuestion());
        assertThat(signed.verified()).isEqualTo(Rcode.NOERROR);
    }

    @Test
    void waitingQueriesAreLimited() {
        AtomicInteger handled = new AtomicInteger();
        List<Runnable> waiting = new ArrayList<>();
        DnsStats stats = new DnsStats(1);
        NotifyUpdateDispatcher dispatcher = new NotifyUpdateDispatcher(
                waiting::add,
                new ActiveAnswerConfig(new AnswerConfig(frontend.zones().published(), AnswerSettings.OPEN)),
                stats.shard(0),
                new SplittableRandom(1),
                /* recorder= */ null);
        ControlHandler handler = new ControlHandler() {
            @Override
            public boolean onTransfer(ControlRequest request) {
                handled.incrementAndGet();
                request.respond(Rcode.REFUSED);
                return true;
            }
        };
        ControlMessages messages = dispatcher.controlMessages(TsigKeys.NONE, List.of(handler));
        byte[] query = Messages.query("example.com", Type.AXFR).toWire();
        Client client = new Client();
        client.set(InetAddress.getLoopbackAddress(), 5353);
        List<byte[]> sent = new ArrayList<>();
        Deferral deferral = () -> (response, length) -> sent.add(Arrays.copyOf(response, length));
        for (int i = 0; i < NotifyUpdateDispatcher.MAX_WAITING; i++) {
            assertThat(messages.accept(query, query.length, client, Transport.TCP, deferral))
                    .isTrue();
        }

        assertThat(messages.accept(query, query.length, client, Transport.TCP, deferral))
                .isFalse();
        waiting.remove(0).run();
        assertThat(messages.accept(query, query.length, client, Transport.TCP, deferral))
                .isTrue();
        assertThat(handled).hasValue(1);
        assertThat(sent).hasSize(1);
    }

    @Test
    void signedTcpQueriesAreAnsweredBesideOthers() throws IOException {
        TSIG key = key("hmac-sha256", "HmacSHA256", SECRET, Clock.systemUTC());
        Message query = Messages.query("app.example.com", Type.A);
        byte[] wire = signed(query, key);
        try (StreamClient client = new StreamClient(frontend.addresses().get(0))) {
            client.send(StreamClient.framed(wire));
            Message response = client.receive();

            assertThat(response.getTSIG()).isNotNull();
            assertThat(response.getHeader().getFlag(Flags.AA)).isTrue();
            client.send(StreamClient.framed(
                    Messages.query("app.example.com", Type.A).toWire()));
            assertThat(client.receive().getTSIG()).isNull();
        }
    }

    private record Signed(Message response, int verified) {}

    private Signed query(Message query, TSIG key) throws IOException {
        byte[] wire = signed(query, key);
        try (DatagramSocket socket = new DatagramSocket()) {
            socket.setSoTimeout(TIMEOUT_MILLIS);
            socket.connect(frontend.addresses().get(0));
            socket.send(new DatagramPacket(wire, wire.length));
            DatagramPacket answer = new DatagramPacket(new byte[65_535], 65_535);
            socket.receive(answer);
            byte[] bytes = Arrays.copyOf(answer.getData(), answer.getLength());
            Message response = Messages.parse(bytes);
            return new Signed(
                    response, key.verify(response, bytes, Messages.parse(wire).getTSIG()));
        }
    }

    private static byte[] signed(Message query, TSIG key) {
        query.setTSIG(key, Rcode.NOERROR, null);
        return query.toWire(Message.MAXLENGTH);
    }

    private static TSIG key(String name, String mac, String secret, Clock clock) {
        return new TSIG(
                TSIG.algorithmToName(mac),
                Name.fromConstantString(name + ".key."),
                new SecretKeySpec(new TsigSecret(secret).bytes(), mac),
                clock);
    }
}
