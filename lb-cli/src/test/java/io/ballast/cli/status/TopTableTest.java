package io.ballast.cli.status;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.cli.api.ApiObject;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class TopTableTest {

    @Test
    void totalRateIsTheSumOfTheRows() {
        List<String> lines = new TopTable(pools(List.of(pool("web", 1.5), pool("api", 2.5)))).lines();

        assertThat(lines.get(0)).isEqualTo("2 pools, 2 of 2 backends in service, 4.0 requests/s, 6 in flight");
        assertThat(lines).anyMatch(line -> line.contains("web") && line.contains("1.5"));
        assertThat(lines).anyMatch(line -> line.contains("api") && line.contains("2.5"));
    }

    @Test
    void onePoolIsSingular() {
        assertThat(new TopTable(pools(List.of(pool("web", 0)))).lines().get(0)).startsWith("1 pool, ");
    }

    @Test
    void noPoolIsPlural() {
        assertThat(new TopTable(pools(List.of())).lines().get(0))
                .startsWith("0 pools, 0 of 0 backends in service, 0.0 ");
    }

    private static ApiObject pools(List<Map<String, Object>> pools) {
        return new ApiObject(Map.of("pools", pools));
    }

    private static Map<String, Object> pool(String name, double rps) {
        return Map.of(
                "name",
                name,
                "in_flight",
                3,
                "healthy_count",
                1,
                "backends",
                List.of(Map.of("pool", name, "addr", "192.0.2.1:80", "state", "up", "rps", rps)));
    }
}
