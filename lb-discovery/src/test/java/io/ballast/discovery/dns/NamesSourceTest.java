package io.ballast.discovery.dns;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.discovery.names.LoopbackDns;
import io.ballast.discovery.testing.ManualSourceTime;
import io.ballast.discovery.testing.RecordedReports;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class NamesSourceTest {

    private final LoopbackDns server = new LoopbackDns();
    private final ManualSourceTime time = new ManualSourceTime();
    private final RecordedReports reports = new RecordedReports();
    private final NamesSource source = new NamesSource("app.test", 8080, server.records(), time.pacing());

    NamesSourceTest() throws IOException {}

    @AfterEach
    void close() {
        source.close();
        server.close();
    }

    @Test
    void addressesBecomeBackendsAndAreRefreshedAfterTtl() throws Exception {
        server.set("app.test", 42, "10.0.0.2", "2001:db8::1", "10.0.0.1");

        source.start(reports);

        assertThat(reports.next()).isEqualTo(List.of("10.0.0.1:8080", "10.0.0.2:8080", "[2001:db8::1]:8080"));
        server.set("app.test", 0, "10.0.0.3");
        assertThat(time.pass()).isEqualTo(Duration.ofSeconds(42));
        assertThat(reports.next()).isEqualTo(List.of("10.0.0.3:8080"));
        server.set("app.test", 86400, "10.0.0.3");
        assertThat(time.pass()).isEqualTo(Duration.ofSeconds(1));
        assertThat(reports.next()).isEqualTo(List.of("10.0.0.3:8080"));
        assertThat(time.pass()).isEqualTo(Duration.ofMinutes(5));
    }

    @Test
    void failuresAreReportedWithBackoff() throws Exception {
        source.start(reports);

        assertThat(reports.next()).isEqualTo("failed: app.test: does not exist, or has no address");
        assertThat(time.pass()).isBetween(Duration.ofSeconds(1), Duration.ofSeconds(2));
        server.failing(true);
        assertThat(reports.next().toString()).startsWith("failed: app.test: ");
        for (int i = 0; i < 6; i++) {
            assertThat(time.pass()).isLessThanOrEqualTo(Duration.ofSeconds(30));
            assertThat(reports.next()).isEqualTo("failed: app.test: the DNS server returned SERVFAIL");
        }
        server.failing(false);
        server.set("app.test", 10, "10.0.0.1");
        assertThat(time.pass()).isBetween(Duration.ofSeconds(15), Duration.ofSeconds(30));
        assertThat(reports.next()).isEqualTo(List.of("10.0.0.1:8080"));
        server.forget("app.test");
        assertThat(time.pass()).isEqualTo(Duration.ofSeconds(10));
        assertThat(reports.next().toString()).startsWith("failed");
        assertThat(time.pass()).isBetween(Duration.ofSeconds(1), Duration.ofSeconds(2));
    }

    @Test
    void closeEndsThread() throws Exception {
        source.start(reports);
        assertThat(reports.next().toString()).startsWith("failed");

        source.close();

        assertThat(reports.tellerEnds()).isTrue();
    }
}
