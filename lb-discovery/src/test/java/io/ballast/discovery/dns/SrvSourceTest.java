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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SrvSourceTest {

    private static final String NAME = "_http._tcp.app.test";

    private final LoopbackDns server = new LoopbackDns();
    private final ManualSourceTime time = new ManualSourceTime();
    private final RecordedReports reports = new RecordedReports();
    private final SrvSource source = new SrvSource(NAME, server.records(), time.pacing());

    SrvSourceTest() throws IOException {}

    @AfterEach
    void close() {
        source.close();
        server.close();
    }

    @ParameterizedTest(name = "{displayName} [{index}]: addresses come along={0}")
    @ValueSource(booleans = {false, true})
    void lowestPriorityServesAndOthersAreBackups(boolean along) throws Exception {
        server.sendAlong(along);
        server.services(NAME, 60, "20 1 8082 c.test", "10 5 8080 a.test", "10 0 8081 b.test")
                .set("a.test", 30, "10.0.0.1", "2001:db8::1")
                .set("b.test", 20, "10.0.0.2")
                .set("c.test", 90, "10.0.0.3");

        source.start(reports);

        assertThat(reports.next())
                .isEqualTo(List.of(
                        "10.0.0.1:8080 weight 5",
                        "10.0.0.2:8081",
                        "10.0.0.3:8082 backup",
                        "[2001:db8::1]:8080 weight 5"));
        assertThat(time.pass()).isEqualTo(Duration.ofSeconds(20));
    }

    @Test
    void scalesWeightsBeyondLimit() throws Exception {
        server.services(NAME, 60, "0 50000 80 a.test", "0 5000 80 b.test", "0 1 80 c.test")
                .set("a.test", 60, "10.0.0.1")
                .set("b.test", 60, "10.0.0.2")
                .set("c.test", 60, "10.0.0.3");

        source.start(reports);

        assertThat(reports.next())
                .isEqualTo(List.of("10.0.0.1:80 weight 1000", "10.0.0.2:80 weight 100", "10.0.0.3:80"));
    }

    @Test
    void unresolvedTargetKeepsAddresses() throws Exception {
        server.services(NAME, 60, "0 1 80 a.test", "0 1 81 b.test")
                .set("a.test", 60, "10.0.0.1")
                .set("b.test", 60, "10.0.0.2");
        source.start(reports);
        assertThat(reports.next()).isEqualTo(List.of("10.0.0.1:80", "10.0.0.2:81"));

        server.forget("b.test");
        time.pass();

        assertThat(reports.next()).isEqualTo(List.of("10.0.0.1:80", "10.0.0.2:81"));
        assertThat(time.pass()).isEqualTo(Duration.ofSeconds(10));
        server.services(NAME, 60, "0 1 80 a.test");
        assertThat(reports.next()).isNotNull();
        time.pass();
        assertThat(reports.next()).isEqualTo(List.of("10.0.0.1:80"));
    }

    @Test
    void rootTargetMeansNoService() throws Exception {
        server.services(NAME, 60, "0 0 0 .");
        source.start(reports);

        assertThat(reports.next()).isEqualTo(List.of());

        server.services(NAME, 60, "0 1 80 a.test");
        time.pass();
        assertThat(reports.next())
                .isEqualTo("failed: " + NAME
                        + ": no SRV target has an address and a port: a.test.: does not exist, or has no address");
        server.forget(NAME);
        time.pass();
        assertThat(reports.next()).isEqualTo("failed: " + NAME + ": does not exist, or has no SRV record");
    }

    @Test
    void brokenServerIsQueriedForThreeTargetsAtMost() throws Exception {
        server.services(NAME, 60, "0 1 80 a.test", "0 1 80 b.test", "0 1 80 c.test", "0 1 80 d.test", "0 1 80 e.test");

        source.start(reports);

        assertThat(reports.next().toString()).startsWith("failed");
        assertThat(server.queryCount()).isEqualTo(1 + 3 * 2);
    }
}
