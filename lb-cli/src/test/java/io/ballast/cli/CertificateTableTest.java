package io.ballast.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.cli.api.ApiObject;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class CertificateTableTest {

    @Test
    void showsIssuersErrorsAndTheRest() {
        Map<String, Object> issued = Map.of(
                "name", "shop.example.com",
                "issuer", "letsencrypt",
                "on_demand", false,
                "not_after", "2026-03-01T00:00:00Z",
                "next_order", "2026-02-01T10:00:00.123Z",
                "failures", 0);
        Map<String, Object> failed = Map.of(
                "name", "a.example",
                "on_demand", true,
                "next_order", "2026-01-01T00:00:00Z",
                "failures", 3,
                "error", "zerossl: rate limit");
        ApiObject page = new ApiObject(Map.of("total", 7, "certificates", List.of(failed, issued)));

        assertThat(CertificateTable.lines(page, 4))
                .containsExactly(
                        "NAME              ISSUER       ORDERED    EXPIRES               NEXT ORDER            FAILURES  LAST ERROR",
                        "a.example         -            on demand  -                     2026-01-01T00:00:00Z         3  zerossl: rate limit",
                        "shop.example.com  letsencrypt  always     2026-03-01T00:00:00Z  2026-02-01T10:00:00Z         0  -",
                        "and 1 more (--offset 6)");
    }

    @Test
    void namesTheNodeOfAClusterThatOrders() {
        assertThat(CertificateTable.lines(new ApiObject(Map.of("total", 0, "ordered_by", "n1")), 0))
                .hasSize(2)
                .endsWith("ordered by node n1");
    }

    @Test
    void emptyListHasOnlyColumnNames() {
        assertThat(CertificateTable.lines(new ApiObject(Map.of("total", 0)), 0)).hasSize(1);
    }
}
