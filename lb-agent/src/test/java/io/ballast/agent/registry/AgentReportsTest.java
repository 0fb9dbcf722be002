package io.ballast.agent.registry;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.core.backend.AgentReport.State;
import io.ballast.core.config.agent.AgentApproval;
import io.ballast.dashboard.source.AgentDirectory;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Tests the backends that agents report. */
class AgentReportsTest extends RegistryFixture {

    @Test
    void backendJoinsWithTheFirstReportThatItIsUp() {
        registry.register("a1", TOKEN, HASH);

        report(backend(FIRST, State.DOWN, 10));
        assertThat(joined()).isEmpty();
        report(up(FIRST));
        assertThat(joined()).containsExactly(FIRST);
        report(backend(FIRST, State.DOWN, 10));
        assertThat(joined()).containsExactly(FIRST);
        assertThat(state(FIRST)).isEqualTo(State.DOWN);
    }

    @Test
    void missingBackendsAreRemovedAtOnce() {
        registry.register("a1", TOKEN, HASH);
        report(up(FIRST), up(key("web", 2)));

        report(up(key("web", 2)));

        assertThat(joined()).containsExactly(key("web", 2));
    }

    @Test
    void unchangedReportIsNoChange() {
        registry.register("a1", TOKEN, HASH);
        report(up(FIRST));
        int before = changes;

        report(up(FIRST));

        assertThat(changes).isEqualTo(before);
    }

    @Test
    void backendBelongsToTheAgentThatReportedItFirst() {
        registry.register("a1", TOKEN, HASH);
        registry.register("a2", TOKEN, Hashes.sha256("two"));
        report(up(FIRST));

        assertThat(registry.report("a2", "two", List.of(up(FIRST)), "", CLIENT))
                .extracting(AgentRegistry.Result::refusal)
                .containsExactly("agent a1 reports this backend");

        registry.deregister("a1", SECRET);
        assertThat(registry.report("a2", "two", List.of(up(FIRST)), "", CLIENT))
                .extracting(AgentRegistry.Result::refusal)
                .containsExactly("");
    }

    @Test
    void backendsOfPoolAndOfReportAreLimited() {
        registry.register("a1", TOKEN, HASH);

        assertThat(registry.report(
                        "a1",
                        SECRET,
                        List.of(up(FIRST), up(FIRST), up(key("web", 2)), up(key("web", 3)), up(key("web", 4))),
                        "",
                        CLIENT))
                .extracting(AgentRegistry.Result::refusal)
                .containsExactly(
                        "", "listed twice", "", "", "the pool has 3 backends of agents already (max_backends)");
        List<ReportedBackend> many = new ArrayList<>();
        for (int i = 0; i <= AgentRegistry.MAX_BACKENDS_OF_AGENT; i++) {
            many.add(up(key("web", i)));
        }
        assertThat(refusal(() -> registry.report("a1", SECRET, many, "", CLIENT))
                        .kind())
                .isEqualTo(AgentRefusal.Kind.INVALID);
    }

    @Test
    void otherPoolsAreRefused() {
        pools.put("db", pool(AgentApproval.AUTO, 3, token("db", "db token", Optional.empty())));
        registry.register("a1", TOKEN, HASH);

        assertThat(registry.report("a1", SECRET, List.of(up(key("db", 1)), up(key("none", 1))), "", CLIENT))
                .extracting(AgentRegistry.Result::refusal)
                .allMatch(text -> text.contains("may not add backends to this pool"));
    }

    @Test
    void deregistrationRemovesBackendsAndKeepsTheRegistration() {
        registry.register("a1", TOKEN, HASH);
        report(up(FIRST));

        registry.deregister("a1", SECRET);

        assertThat(joined()).isEmpty();
        report(up(FIRST));
        assertThat(joined()).containsExactly(FIRST);
    }

    @Test
    void loadReducesWeightsWithinTheLimitOfThePool() {
        registry.register("a1", TOKEN, HASH);
        report(backend(FIRST, State.UP, 1), backend(key("web", 2), State.UP, 4), up(key("web", 3)));

        assertThat(tenths(FIRST)).isEqualTo(1);
        assertThat(tenths(key("web", 2))).isEqualTo(10);
        assertThat(registry.counts(0).reduced()).isEqualTo(1);
        assertThat(registry.list().get(0).backends())
                .extracting(AgentDirectory.Backend::wantedPercent, AgentDirectory.Backend::usedPercent)
                .containsExactly(
                        org.assertj.core.groups.Tuple.tuple(10, 10),
                        org.assertj.core.groups.Tuple.tuple(40, 100),
                        org.assertj.core.groups.Tuple.tuple(100, 100));
    }

    @Test
    void sameAddressInTwoPoolsIsJudgedSeparately() {
        pools.put("db", pool(AgentApproval.AUTO, 3, token("rack1", TOKEN, Optional.empty())));
        registry.register("a1", TOKEN, HASH);

        report(up(FIRST), up(key("db", 1)));
        report(backend(FIRST, State.DOWN, 10), up(key("db", 1)));

        assertThat(state(FIRST)).isEqualTo(State.DOWN);
        assertThat(state(key("db", 1))).isEqualTo(State.UP);
    }

    @Test
    void refusedRequestsLeaveNoState() {
        for (int i = 0; i < 10_000; i++) {
            String id = "a" + i;
            assertThat(refusal(() -> registry.register(id, "wrong", HASH)).kind())
                    .isEqualTo(AgentRefusal.Kind.UNAUTHORIZED);
            assertThat(refusal(() -> registry.report(id, SECRET, List.of(up(FIRST)), "", CLIENT))
                            .kind())
                    .isEqualTo(AgentRefusal.Kind.UNKNOWN);
        }

        assertThat(registry.list()).isEmpty();
        assertThat(registry.saved()).isEqualTo(SavedAgents.EMPTY);
        assertThat(events).isEmpty();
        assertThat(registry.counts(0).refused()).isEqualTo(20_000);
    }

    // ---- time

    @Test
    void reportIsStaleAfter30SecondsUntilTheNextOne() {
        registry.register("a1", TOKEN, HASH);
        report(up(FIRST));

        advance(Duration.ofSeconds(30));
        assertThat(state(FIRST)).isEqualTo(State.UP);
        advance(Duration.ofSeconds(1));
        assertThat(state(FIRST)).isEqualTo(State.STALE);
        assertThat(registry.counts(0).stale()).isEqualTo(1);
        assertThat(events).last().isEqualTo("agent a1: has not reported for 30 s; the checks of this node decide");

        report(up(FIRST));
        assertThat(state(FIRST)).isEqualTo(State.UP);
    }

    @Test
    void backendsAreRemovedAfterFiveMinutesUnlessChecksSucceed() {
        registry.register("a1", TOKEN, HASH);
        report(up(FIRST), up(key("web", 2)));
        successfulChecks.add(FIRST);

        advance(Duration.ofMinutes(5));
        assertThat(joined()).hasSize(2);
        advance(Duration.ofSeconds(1));
        assertThat(joined()).containsExactly(FIRST);

        successfulChecks.clear();
        advance(Duration.ofSeconds(1));
        assertThat(joined()).isEmpty();
        report(up(FIRST));
        assertThat(joined()).containsExactly(FIRST);
    }

    @Test
    void backendsLeaveWithTheSettingsOfTheirPool() {
        registry.register("a1", TOKEN, HASH);
        report(up(FIRST));

        pools.clear();
        registry.poolsChanged();

        assertThat(registry.counts(0).backends()).isZero();
    }

    // ---- state

    @Test
    void stateSurvivesARestart() throws IOException {
        registry.register("a1", TOKEN, HASH);
        registry.register("a2", TOKEN, HASH);
        registry.revoke("a2", "ann");
        registry.revokeToken("rack1", "ann");
        report(up(FIRST), backend(key("web", 2), State.DOWN, 10));
        SavedAgents saved = SavedAgentsJson.read(SavedAgentsJson.write(registry.saved()));
        assertThat(saved).isEqualTo(registry.saved());

        registry = registry(3);
        registry.restore(saved);

        assertThat(joined()).containsExactly(FIRST);
        assertThat(refusal(() -> registry.report("a2", SECRET, List.of(), "", CLIENT))
                        .kind())
                .isEqualTo(AgentRefusal.Kind.REVOKED);
        assertThat(refusal(() -> registry.register("a3", TOKEN, HASH)).kind())
                .isEqualTo(AgentRefusal.Kind.UNAUTHORIZED);
        advance(Duration.ofSeconds(30));
        assertThat(state(FIRST)).isEqualTo(State.UP);
        advance(Duration.ofSeconds(1));
        assertThat(state(FIRST)).isEqualTo(State.STALE);
        report(up(FIRST));
        assertThat(state(FIRST)).isEqualTo(State.UP);
    }

    // ---- helpers
}
