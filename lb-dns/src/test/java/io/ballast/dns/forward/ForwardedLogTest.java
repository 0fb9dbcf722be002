package io.ballast.dns.forward;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ballast.core.control.ControlPlane;
import io.ballast.core.net.Cidr;
import io.ballast.core.net.IpAddress;
import io.ballast.dns.config.DnsLogging;
import io.ballast.dns.config.DnsQueryLogConfig;
import io.ballast.dns.config.DnsQueryLogConfig.Clients;
import io.ballast.dns.config.DnsQueryLogConfig.Format;
import io.ballast.dns.config.DnstapConfig;
import io.ballast.dns.config.DnstapConfig.MessageKind;
import io.ballast.dns.config.LogRotation;
import io.ballast.dns.config.forward.DnsFilterConfig;
import io.ballast.dns.config.forward.DnsFilterConfig.Answer;
import io.ballast.dns.config.forward.DnsFilterConfig.Kind;
import io.ballast.dns.config.forward.DnsFilterConfig.Rewrite;
import io.ballast.dns.config.forward.DnsFilterConfig.RuleList;
import io.ballast.dns.config.forward.DnsForwardConfig;
import io.ballast.dns.querylog.AnsweredQuery;
import io.ballast.dns.querylog.Outcome;
import io.ballast.dns.querylog.QueryListener;
import io.ballast.dns.testing.DnstapReader;
import io.ballast.dns.testing.FakeResolver;
import io.ballast.dns.testing.Messages;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.xbill.DNS.ARecord;
import org.xbill.DNS.CNAMERecord;
import org.xbill.DNS.DClass;
import org.xbill.DNS.Message;
import org.xbill.DNS.Name;
import org.xbill.DNS.Rcode;
import org.xbill.DNS.Section;
import org.xbill.DNS.Type;

/** Tests that queries for names outside the zones are logged, regardless of their outcome. */
class ForwardedLogTest {

    private static final int ALL = 1000;

    @TempDir
    private Path directory;

    private FakeResolver resolver;
    private ControlPlane control;
    private ForwarderFixture fixture;
    private boolean closed;

    @BeforeEach
    void start() throws IOException {
        resolver = new FakeResolver("192.0.2.1");
        control = ControlPlane.start(Clock.systemUTC());
        fixture = new ForwarderFixture(change(DnsForwardConfig.PRIVATE_NETWORKS), control, directory, resolver);
    }

    @AfterEach
    void stop() throws IOException {
        closeFixture();
        control.close();
        resolver.close();
    }

    @Test
    void logsMissThenHit() throws IOException {
        fixture.query("WWW.example", Type.A);
        fixture.query("www.example", Type.A);

        AnsweredQuery miss = only(Outcome.MISS, awaited(2));
        assertThat(miss.name()).isEqualTo("www.example");
        assertThat(miss.type()).isEqualTo("A");
        assertThat(miss.rcode()).isEqualTo("NOERROR");
        assertThat(miss.client()).isEqualTo("127.0.0.1");
        assertThat(miss.transport()).isEqualTo("udp");
        assertThat(miss.decider()).isEqualTo("127.0.0.1:" + resolver.port());
        assertThat(miss.micros()).isPositive();
        assertThat(miss.responseBytes()).isGreaterThan(40);
        assertThat(miss.epochMillis()).isBetween(now() - 60_000, now() + 60_000);
        AnsweredQuery hit = only(Outcome.HIT, awaited(2));
        assertThat(hit.decider()).isEmpty();
        assertThat(hit.micros()).isNotNegative();
    }

    @Test
    void blockedQueryNamesList() throws IOException {
        resolver.answers(query -> {
            Message reply = FakeResolver.reply(query, Rcode.NOERROR);
            Name tracker = Messages.name("tracker.ads.example");
            reply.addRecord(new CNAMERecord(query.getQuestion().getName(), DClass.IN, 300, tracker), Section.ANSWER);
            reply.addRecord(new ARecord(tracker, DClass.IN, 300, InetAddress.getLoopbackAddress()), Section.ANSWER);
            return reply;
        });
        fixture.query("ads.example", Type.A);
        fixture.query("leads-to-ads.example", Type.A);
        fixture.query("leads-to-ads.example", Type.A);

        assertThat(awaited(3)).allSatisfy(query -> {
            assertThat(query.outcome()).isEqualTo(Outcome.BLOCKED);
            assertThat(query.decider()).isEqualTo("mine");
            assertThat(query.rcode()).isEqualTo("NXDOMAIN");
        });
    }

    @Test
    void distinguishesRewrittenRefusedAndFailed() throws IOException {
        resolver.fails(Rcode.SERVFAIL);
        fixture.query("by-hand.example", Type.A);
        fixture.queryOverTcp(Messages.query("fails.example", Type.AAAA));
        fixture.reload(change(List.of(Cidr.parse("192.0.2.0/24"))));
        fixture.query("not-for-you.example", Type.A);

        List<AnsweredQuery> all = awaited(3);
        assertThat(all)
                .extracting(AnsweredQuery::outcome)
                .containsExactlyInAnyOrder(Outcome.REFUSED, Outcome.MISS, Outcome.REWRITTEN); // several threads log
        AnsweredQuery miss = only(Outcome.MISS, all);
        assertThat(miss.transport()).isEqualTo("tcp");
        assertThat(miss.rcode()).isEqualTo("SERVFAIL");
        assertThat(miss.type()).isEqualTo("AAAA");
    }

    /** Returns the only query with this outcome; several threads log, so the order is undefined. */
    private static AnsweredQuery only(Outcome outcome, List<AnsweredQuery> queries) {
        List<AnsweredQuery> those =
                queries.stream().filter(query -> query.outcome() == outcome).toList();
        assertThat(those).hasSize(1);
        return those.get(0);
    }

    @Test
    void unansweredQueryIsLoggedAsFailed() throws IOException {
        resolver.isSilent();
        fixture.reload(
                config -> timeout(change(DnsForwardConfig.PRIVATE_NETWORKS).apply(config)));
        fixture.query("silence.example", Type.A);

        AnsweredQuery failed = awaited(1).get(0);
        assertThat(failed.outcome()).isEqualTo(Outcome.FAILED);
        assertThat(failed.rcode()).isEqualTo("SERVFAIL");
        assertThat(failed.micros()).isGreaterThanOrEqualTo(100_000);
    }

    @Test
    void fileAndListenersGetSameEntries() throws IOException {
        Path file = directory.resolve("queries.log");
        List<AnsweredQuery> logged = new CopyOnWriteArrayList<>();
        QueryListener broken = query -> {
            throw new IllegalStateException("a listener that does not work");
        };
        fixture.frontend().queryLog().attach(broken);
        fixture.frontend().queryLog().attach(logged::add);
        log(new DnsLogging(queryLog(Optional.of(file), Clients.ANONYMOUS, /* memory= */ 0), Optional.empty()));

        fixture.query("one.example", Type.A);
        fixture.query("ads.example", Type.A);
        ForwarderFixture.await(() -> lines(file).size() == 2);

        assertThat(lines(file).stream().sorted(Comparator.comparing(line -> line.contains("blocked"))))
                .satisfiesExactly(
                        miss -> assertThat(miss)
                                .contains(
                                        "\"client\":\"127.0.0.0\"", "\"name\":\"one.example\"", "\"outcome\":\"miss\""),
                        blocked -> assertThat(blocked).contains("\"outcome\":\"blocked\",\"by\":\"mine\""));
        assertThat(logged).extracting(AnsweredQuery::client).containsOnly("127.0.0.0");
        assertThat(logged).extracting(AnsweredQuery::name).containsExactlyInAnyOrder("one.example", "ads.example");
        assertThat(fixture.frontend().queryLog().newestQueries(ALL, query -> true))
                .isEmpty();
        assertThat(fixture.frontend().queryLog().droppedCounts()).containsEntry("listener", 2L);
        // The log counts queries after it has written them.
        ForwarderFixture.await(
                () -> fixture.frontend().queryLog().writtenCounts().get("file") == 2);
    }

    @Test
    void unopenableFileRejectsChange() throws IOException {
        Path nowhere = directory.resolve("no/such/queries.log");
        DnsLogging logging =
                new DnsLogging(queryLog(Optional.of(nowhere), Clients.FULL, /* memory= */ 10), Optional.empty());

        assertThatThrownBy(() -> log(logging))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("dns.query_log.file")
                .hasMessageContaining(nowhere.toString());
        fixture.query("one.example", Type.A);

        assertThat(awaited(1)).hasSize(1);
    }

    @Test
    void dnstapContainsSentMessages() throws IOException {
        Path file = directory.resolve("dns.tap");
        log(new DnsLogging(DnsQueryLogConfig.DEFAULT, Optional.of(tap(file, MessageKind.values()))));

        Message miss = fixture.query("one.example", Type.A);
        Message hit = fixture.query("one.example", Type.A);
        ForwarderFixture.await(
                () -> fixture.frontend().queryLog().writtenCounts().get("dnstap") == 4);
        closeFixture();

        List<DnstapReader.Tapped> tapped = DnstapReader.file(file);
        assertThat(tapped).extracting(DnstapReader.Tapped::type).containsExactlyInAnyOrder(5, 6, 5, 6);
        assertThat(tapped).allSatisfy(each -> {
            assertThat(each.identity()).isEqualTo("lb");
            assertThat(each.version()).isEqualTo("1");
            assertThat(each.address()).containsExactly(127, 0, 0, 1);
            assertThat(each.port()).isPositive();
            assertThat(each.protocol()).isEqualTo(1);
            assertThat(each.querySeconds()).isBetween(now() / 1000 - 60, now() / 1000 + 60);
        });
        assertThat(tapped)
                .filteredOn(each -> each.type() == 6)
                .extracting(each -> Messages.parse(each.response()).getHeader().getID())
                .containsExactlyInAnyOrder(
                        miss.getHeader().getID(), hit.getHeader().getID());
    }

    private void closeFixture() {
        if (!closed) {
            closed = true;
            fixture.close();
        }
    }

    private void log(DnsLogging logging) throws IOException {
        fixture.log(change(DnsForwardConfig.PRIVATE_NETWORKS), logging);
    }

    private List<AnsweredQuery> awaited(int count) {
        ForwarderFixture.await(() -> newest().size() == count);
        return newest();
    }

    private List<AnsweredQuery> newest() {
        return fixture.frontend().queryLog().newestQueries(ALL, query -> true);
    }

    private static long now() {
        return Clock.systemUTC().millis();
    }

    private static List<String> lines(Path file) {
        try {
            return Files.readAllLines(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static DnsQueryLogConfig queryLog(Optional<Path> file, Clients clients, int memory) {
        return new DnsQueryLogConfig(
                /* enabled= */ true,
                file,
                Format.JSON,
                LogRotation.DEFAULT,
                /* authority= */ false,
                clients,
                /* sample= */ 1,
                memory);
    }

    private static DnstapConfig tap(Path file, MessageKind... messages) {
        return new DnstapConfig(Optional.empty(), Optional.of(file), LogRotation.DEFAULT, "lb", "1", Set.of(messages));
    }

    private static UnaryOperator<DnsForwardConfig> change(List<Cidr> clients) {
        RuleList own = new RuleList(
                "mine",
                Kind.BLOCK,
                /* enabled= */ true,
                Optional.empty(),
                Optional.empty(),
                List.of("||ads.example^"),
                RuleList.DEFAULT_REFRESH,
                RuleList.DEFAULT_MAX_SIZE_BYTES);
        DnsFilterConfig filter = new DnsFilterConfig(
                List.of(own),
                Answer.NXDOMAIN,
                List.of(),
                DnsFilterConfig.DEFAULT_TTL,
                DnsFilterConfig.DEFAULT_MAX_RULES,
                List.of(),
                List.of(new Rewrite("by-hand.example", List.of(IpAddress.parse("192.0.2.9")), Optional.empty())));
        return config ->
                config.toBuilder().clients(clients).filter(Optional.of(filter)).build();
    }

    private static DnsForwardConfig timeout(DnsForwardConfig config) {
        return config.toBuilder()
                .timeout(Duration.ofMillis(150))
                .retryAfter(Duration.ofMillis(100))
                .build();
    }
}
