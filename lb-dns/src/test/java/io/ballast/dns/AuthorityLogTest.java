package io.ballast.dns;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.core.config.HostPort;
import io.ballast.dns.config.DnsLogging;
import io.ballast.dns.config.DnsQueryLogConfig;
import io.ballast.dns.config.DnsQueryLogConfig.Clients;
import io.ballast.dns.config.DnsQueryLogConfig.Format;
import io.ballast.dns.config.DnstapConfig;
import io.ballast.dns.config.DnstapConfig.MessageKind;
import io.ballast.dns.config.LogRotation;
import io.ballast.dns.querylog.AnsweredQuery;
import io.ballast.dns.querylog.Outcome;
import io.ballast.dns.querylog.QueryLog;
import io.ballast.dns.testing.DnstapReader;
import io.ballast.dns.testing.Messages;
import io.ballast.dns.testing.StreamClient;
import io.ballast.dns.testing.ZoneFixture;
import io.ballast.net.config.TransportKind;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.xbill.DNS.Message;
import org.xbill.DNS.Type;

/** Tests that answers from zones are logged if enabled, and that disabled logging costs nothing. */
class AuthorityLogTest {

    private final ZoneFixture fixture = new ZoneFixture()
            .pool("web", ZoneFixture.backend("192.0.2.1"))
            .zone("example.com", ZoneFixture.service("app", "web"));

    @TempDir
    private Path directory;

    @Test
    void logsZonesAndRefusalsIfConfigured() throws Exception {
        try (DnsFrontend frontend = start(logging(/* authority= */ true, Optional.empty()))) {
            CountDownLatch notified = new CountDownLatch(3);
            frontend.queryLog().attach(query -> notified.countDown());
            query(frontend, "App.example.com", Type.A);
            query(frontend, "none.example.com", Type.TXT);
            query(frontend, "example.org", Type.A);

            assertThat(notified.await(10, TimeUnit.SECONDS)).isTrue();
            List<AnsweredQuery> all = frontend.queryLog().newestQueries(10, query -> true);
            assertThat(all)
                    .extracting(AnsweredQuery::outcome)
                    .containsExactly(Outcome.REFUSED, Outcome.AUTHORITY, Outcome.AUTHORITY);
            assertThat(all).extracting(AnsweredQuery::decider).containsExactly("", "example.com", "example.com");
            assertThat(all).extracting(AnsweredQuery::rcode).containsExactly("REFUSED", "NXDOMAIN", "NOERROR");
            assertThat(all)
                    .extracting(AnsweredQuery::name)
                    .containsExactly("example.org", "none.example.com", "app.example.com");
            assertThat(all).extracting(AnsweredQuery::transport).containsOnly("tcp");
            assertThat(all).extracting(AnsweredQuery::client).containsOnly("127.0.0.1");
        }
    }

    @Test
    void nothingIsLoggedByDefault() throws Exception {
        try (DnsFrontend frontend = start(DnsLogging.DEFAULT)) {
            query(frontend, "app.example.com", Type.A);
            QueryLog log = frontend.queryLog();

            assertThat(log.heartbeats()).as("threads of the log").isEmpty();
            assertThat(log.writtenCounts())
                    .containsOnlyKeys("memory", "file", "dnstap")
                    .containsEntry("memory", 0L);
        }
    }

    @Test
    void dnstapNamesTheZone() throws Exception {
        Path file = directory.resolve("dns.tap");
        DnstapConfig tap = new DnstapConfig(
                Optional.empty(),
                Optional.of(file),
                LogRotation.DEFAULT,
                "lb",
                "",
                Set.of(MessageKind.AUTH_QUERY, MessageKind.AUTH_RESPONSE));
        Message answer;
        try (DnsFrontend frontend = start(logging(/* authority= */ false, Optional.of(tap)))) {
            answer = query(frontend, "app.example.com", Type.A);
        }

        List<DnstapReader.Tapped> tapped = DnstapReader.file(file);
        assertThat(tapped).extracting(DnstapReader.Tapped::type).containsExactly(1, 2);
        assertThat(tapped).allSatisfy(each -> {
            assertThat(each.protocol()).isEqualTo(2);
            assertThat(each.family()).isEqualTo(1);
            assertThat(new String(each.zone(), StandardCharsets.ISO_8859_1)).isEqualTo("\7example\3com\0");
        });
        assertThat(Messages.parse(tapped.get(0).query()).getQuestion()).isEqualTo(answer.getQuestion());
        assertThat(Messages.answers(Messages.parse(tapped.get(1).response()))).containsExactly("192.0.2.1");
    }

    private DnsFrontend start(DnsLogging logging) throws IOException {
        return DnsFrontend.start(
                fixture.dns(new HostPort("127.0.0.1", 0)).withLogging(logging),
                fixture.topology(),
                /* eventLoops= */ 1,
                TransportKind.AUTO);
    }

    private static Message query(DnsFrontend frontend, String name, int type) throws IOException {
        try (StreamClient client = new StreamClient(frontend.addresses().get(0))) {
            client.send(StreamClient.framed(Messages.query(name, type).toWire()));
            return client.receive();
        }
    }

    private static DnsLogging logging(boolean authority, Optional<DnstapConfig> tap) {
        DnsQueryLogConfig queries = new DnsQueryLogConfig(
                /* enabled= */ true,
                Optional.empty(),
                Format.JSON,
                LogRotation.DEFAULT,
                authority,
                Clients.FULL,
                /* sample= */ 1,
                /* memory= */ 10);
        return new DnsLogging(queries, tap);
    }
}
