package io.ballast.dashboard;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.dashboard.source.CertificateStats;
import io.ballast.dashboard.testing.DashboardFixture;
import io.ballast.dashboard.testing.EventStream;
import io.ballast.dashboard.testing.JsonTree;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class CertificatesTest {

    private static final int ROWS = 20;

    private DashboardFixture fixture;

    @BeforeEach
    void start() throws IOException {
        fixture = new DashboardFixture(1);
    }

    @AfterEach
    void stop() {
        fixture.close();
    }

    @Test
    void theSummaryCountsAllCertificatesAndListsTheNextToExpire() throws Exception {
        List<CertificateStats> all = new ArrayList<>();
        for (int i = 1000; i > 4; i--) {
            all.add(certificate("c" + i, Duration.ofDays(10L + i), List.of("h" + i)));
        }
        all.add(certificate("soon", Duration.ofDays(13).plusHours(1), List.of("a", "b", "c", "d", "e")));
        all.add(certificate("over", Duration.ofHours(-1), List.of("z")));
        fixture.listener().certificates(all);

        try (EventStream stream = new EventStream(fixture)) {
            JsonTree certificates = stream.next("snapshot").data().at("certificates");

            assertThat(certificates.at("count").number()).isEqualTo(998);
            assertThat(certificates.at("expired").number()).isEqualTo(1);
            assertThat(certificates.at("expiring").number()).isEqualTo(1);
            assertThat(certificates.at("first").items()).hasSize(ROWS);
            JsonTree over = certificates.at("first").at(0);
            assertThat(over.at("file").text()).isEqualTo("over");
            assertThat(over.at("listener").text()).isEqualTo("front");
            assertThat(over.at("issuer").text()).isEqualTo("CN=Authority");
            assertThat(over.at("days_left").number()).isEqualTo(-1);
            JsonTree soon = certificates.at("first").at(1);
            assertThat(soon.at("days_left").number()).isEqualTo(13);
            assertThat(soon.at("names").items()).hasSize(3);
            assertThat(soon.at("more_names").number()).isEqualTo(2);
            assertThat(certificates.at("first").at(2).at("file").text()).isEqualTo("c5");
        }
    }

    @Test
    void theStreamContainsTheSummaryAndStatsListAllCertificates() throws Exception {
        List<CertificateStats> all = new ArrayList<>();
        for (int i = 0; i < 1000; i++) {
            all.add(certificate("c" + i, Duration.ofDays(30L + i), List.of("h" + i)));
        }
        fixture.listener().certificates(all);

        JsonTree stats = JsonTree.of(fixture.get("/stats").body());
        assertThat(stats.at("listeners").at(0).at("certificates").items()).hasSize(1000);
        try (EventStream stream = new EventStream(fixture)) {
            JsonTree tick = stream.next("tick").data();
            assertThat(tick.at("listeners").at(0).at(1).names()).doesNotContain("certificates");
            assertThat(tick.at("certificates").at("first").items()).hasSize(ROWS);
        }
    }

    private static CertificateStats certificate(String file, Duration left, List<String> names) {
        return new CertificateStats(
                file, names, "CN=Authority", Instant.now().plus(left).plusSeconds(1));
    }
}
