package io.ballast.dashboard;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.dashboard.source.PolicyActivity;
import io.ballast.dashboard.source.PolicyStats;
import io.ballast.dashboard.testing.DashboardFixture;
import io.ballast.dashboard.testing.JsonTree;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PolicyRoutesTest {

    private static final String PATH = "/api/v1/policies";
    private static final int MANY = 60;

    @AutoClose
    private final DashboardFixture fixture;

    PolicyRoutesTest() throws IOException {
        fixture = new DashboardFixture(1);
    }

    /** A policy with many keys, of which only the first has a known text, and many refusals. */
    private static final class BusyActivity implements PolicyActivity {

        @Override
        public List<LimitedKey> heaviestKeys(int max) {
            return IntStream.range(0, Math.min(max, MANY))
                    .mapToObj(i -> new LimitedKey(
                            i == 0 ? Optional.of("192.0.2.1") : Optional.empty(), "#" + i, MANY - i, 4, 5, i))
                    .toList();
        }

        @Override
        public List<RefusedRequest> newestRefusals(int max) {
            return IntStream.range(0, Math.min(max, MANY))
                    .mapToObj(i -> new RefusedRequest(
                            Instant.EPOCH, "192.0.2.1", "ann", "web /", "GET", "/" + i, 429, "rate_limited", i == 1))
                    .toList();
        }
    }

    @BeforeEach
    void addPolicies() {
        fixture.policies(List.of(
                new PolicyStats("limit", "rate_limit", /* dryRun= */ false, List.of(), new BusyActivity()),
                new PolicyStats("office", "ip", /* dryRun= */ true, List.of(), PolicyActivity.NONE)));
    }

    private JsonTree get(String query) throws Exception {
        return JsonTree.of(fixture.get(PATH + query).body());
    }

    @Test
    void policiesHaveTheirKeysAndRefusals() throws Exception {
        JsonTree page = get("");

        assertThat(page.at("total").number()).isEqualTo(2);
        JsonTree limit = page.at("policies").at(0);
        assertThat(limit.at("name").text()).isEqualTo("limit");
        assertThat(limit.at("keys").items()).hasSize(10);
        JsonTree key = limit.at("keys").at(0);
        assertThat(key.at("key").text()).isEqualTo("192.0.2.1");
        assertThat(key.at("id").text()).isEqualTo("#0");
        assertThat(key.at("refused").number()).isEqualTo(MANY);
        assertThat(key.at("used").number()).isEqualTo(4);
        assertThat(key.at("limit").number()).isEqualTo(5);
        assertThat(limit.at("keys").at(1).names()).doesNotContain("key").contains("ban_seconds");
        assertThat(limit.at("refusals").items()).hasSize(10);
        JsonTree refusal = limit.at("refusals").at(1);
        assertThat(refusal.names())
                .containsExactly(
                        "time", "client", "identity", "route", "method", "path", "status", "reason", "dry_run");
        assertThat(refusal.at("path").text()).isEqualTo("/1");
        assertThat(refusal.at("dry_run").flag()).isTrue();
        JsonTree office = page.at("policies").at(1);
        assertThat(office.at("dry_run").flag()).isTrue();
        assertThat(office.at("keys").items()).isEmpty();
    }

    @Test
    void numbersOfRowsAreBounded() throws Exception {
        JsonTree limit = get("?keys=50&refusals=3&policy=limit").at("policies").at(0);

        assertThat(limit.at("keys").items()).hasSize(50);
        assertThat(limit.at("refusals").items()).hasSize(3);
        assertThat(get("?offset=1&limit=1").at("policies").at(0).at("name").text())
                .isEqualTo("office");
        assertThat(get("?policy=office").at("total").number()).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"?keys=51", "?refusals=-1", "?limit=501", "?policy=a&policy=b"})
    void rejectsOtherNumbers(String query) throws Exception {
        assertThat(fixture.get(PATH + query).statusCode()).isEqualTo(400);
    }

    @Test
    void unknownPolicyIsNotFound() throws Exception {
        assertThat(fixture.get(PATH + "?policy=other").statusCode()).isEqualTo(404);
    }
}
