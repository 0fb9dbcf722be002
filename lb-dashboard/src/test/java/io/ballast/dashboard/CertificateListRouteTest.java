package io.ballast.dashboard;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.dashboard.source.OrderedCertificate;
import io.ballast.dashboard.testing.DashboardFixture;
import io.ballast.dashboard.testing.JsonTree;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CertificateListRouteTest {

    private static final String PATH = "/api/v1/certificates/ordered";
    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

    @AutoClose
    private final DashboardFixture fixture;

    CertificateListRouteTest() throws IOException {
        fixture = new DashboardFixture(1);
    }

    @Test
    void listsErrorsFirstWithIssuers() throws Exception {
        fixture.onDemandCertificates(
                List.of(onDemand("later.example", 9, Optional.empty()), onDemand("bad.example", 8, Optional.of("no"))));

        JsonTree page = JsonTree.of(fixture.send("GET", PATH).body());

        assertThat(page.at("total").number()).isEqualTo(3);
        assertThat(page.at("on_demand").number()).isEqualTo(2);
        assertThat(page.at("certificates").at(0).at("name").text()).isEqualTo("bad.example");
        assertThat(page.at("certificates").at(0).at("error").text()).isEqualTo("no");
        assertThat(page.at("certificates").at(0).at("on_demand").flag()).isTrue();
        assertThat(page.at("certificates").at(1).at("name").text()).isEqualTo("ordered.example");
        assertThat(page.at("certificates").at(1).at("issuer").text()).isEqualTo("ca.example");
        assertThat(page.at("certificates").at(1).at("on_demand").flag()).isFalse();
        assertThat(page.at("certificates").at(2).at("name").text()).isEqualTo("later.example");
        assertThat(page.at("certificates").at(2).at("next_order").text()).isEqualTo("2026-01-01T00:00:09Z");
    }

    @Test
    void pageHasLimitAndOffset() throws Exception {
        fixture.onDemandCertificates(IntStream.range(0, 700)
                .mapToObj(i -> onDemand("n" + i + ".example", i, Optional.empty()))
                .toList());

        assertThat(names("")).hasSize(100).startsWith("ordered.example", "n0.example");
        assertThat(names("?limit=500")).hasSize(500);
        assertThat(names("?limit=500&offset=699")).containsExactly("n698.example", "n699.example");
        assertThat(names("?offset=1000000")).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"?limit=501", "?limit=-1", "?offset=x", "?limit=1&limit=2"})
    void rejectsOtherNumbers(String query) throws Exception {
        assertThat(fixture.send("GET", PATH + query).statusCode()).isEqualTo(400);
    }

    private List<String> names(String query) throws Exception {
        return JsonTree.of(fixture.send("GET", PATH + query).body()).at("certificates").items().stream()
                .map(each -> each.at("name").text())
                .toList();
    }

    private static OrderedCertificate onDemand(String name, int seconds, Optional<String> error) {
        return new OrderedCertificate(
                name,
                Optional.of("ca.example"),
                /* isOnDemand= */ true,
                Optional.of(NOW),
                NOW.plusSeconds(seconds),
                Optional.empty(),
                /* failures= */ 0,
                error);
    }
}
