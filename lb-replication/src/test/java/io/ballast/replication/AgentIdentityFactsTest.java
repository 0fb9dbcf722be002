package io.ballast.replication;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.agent.node.AgentSharing;
import io.ballast.agent.registry.AgentIdentity;
import io.ballast.agent.registry.AgentJsonForm;
import io.ballast.agent.registry.RuntimeToken;
import io.ballast.cluster.fact.Fact;
import io.ballast.cluster.fact.FactFamilies;
import io.ballast.cluster.fact.SharedFacts;
import io.ballast.cluster.log.FactLogConfig;
import io.ballast.core.testing.ManualScheduler;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tests how a node without a majority registers agents, and how it applies the facts of other nodes. */
@Timeout(value = 1, unit = TimeUnit.MINUTES)
class AgentIdentityFactsTest {

    private static final Instant CREATED = Instant.parse("2026-01-01T00:00:00Z");

    private final ManualScheduler scheduler = new ManualScheduler();
    private final AgentIdentityFacts family = new AgentIdentityFacts(scheduler.controlPlane());
    private final Recorder node = new Recorder();

    @TempDir
    private Path directory;

    private @Nullable SharedFacts facts;

    /** Records the decisions of the cluster, such as {@code a1 approved web}. */
    private static final class Recorder implements AgentSharing.Target {

        private final List<String> adopted = new ArrayList<>();

        @Override
        public void adopt(String id, Optional<AgentIdentity> identity, boolean isShared) {
            adopted.add(identity.map(each -> id + " " + each.status() + " " + String.join("+", each.pools()))
                    .orElse(id + " removed"));
        }

        @Override
        public void adoptToken(String hash, Optional<RuntimeToken> token) {}
    }

    /** Connects the family to facts that are never started, so there is no leader. */
    @BeforeEach
    void connect() {
        FactFamilies families = new FactFamilies(List.of(family));
        facts = new SharedFacts(new FactLogConfig("n1", List.of("n1"), directory), Clock.systemUTC(), families);
        families.connect(facts);
    }

    @AfterEach
    void close() {
        if (facts != null) {
            facts.close();
        }
    }

    @Test
    void agentsOfANewNodeAreShared() {
        ready(/* isNew= */ true);

        family.start(node, Map.of(agent("a1", 'a', "web"), true));

        assertThat(family.isUnshared("a1")).isTrue();
        assertThat(node.adopted).isEmpty();
    }

    @Test
    void aNodeThatReturnsTakesOverTheAgentsOfTheCluster() {
        commit(agent("a1", 'a', "web"), 1);
        ready(/* isNew= */ false);

        family.start(
                node,
                Map.of(agent("a1", 'b', "db"), true, agent("a2", 'a', "web"), true, agent("a3", 'a', "web"), false));

        assertThat(node.adopted).containsExactlyInAnyOrder("a1 approved web", "a2 removed");
        assertThat(family.isUnshared("a2")).isFalse();
        assertThat(family.isUnshared("a3")).as("registered without a majority").isTrue();
    }

    @Test
    void registrationsOfTwoNodesAreMerged() {
        start();
        family.registered(agent("a1", 'a', "web"));

        commit(agent("a1", 'a', "db"), 1);
        assertThat(node.adopted).containsExactly("a1 approved db+web");
        assertThat(family.isUnshared("a1")).as("web is not shared").isTrue();

        commit(agent("a1", 'a', "db", "web"), 2);
        assertThat(family.isUnshared("a1")).isFalse();
    }

    @Test
    void theFirstCommittedSecretKeepsTheId() {
        start();
        family.registered(agent("a1", 'a', "web"));

        commit(agent("a1", 'b', "db"), 1);

        assertThat(node.adopted).containsExactly("a1 approved db");
        assertThat(family.isUnshared("a1")).isFalse();
    }

    @Test
    void actionsOfOperatorsArePending() {
        start();
        family.registered(agent("a1", 'a', "web"));

        family.changed(agent("a1", 'a', "web", "db"));

        assertThat(family.isUnshared("a1")).isFalse();
        List<String> pending;
        do {
            pending = facts == null
                    ? List.of()
                    : facts.pending().stream()
                            .map(change -> change.key() + " " + change.base())
                            .toList();
        } while (!pending.equals(List.of("agent/a1 0")));
    }

    @Test
    void factsOfOtherVersionsAreIgnored() {
        start();
        family.committed("agent/a1", Optional.of(new Fact("agent/a1", "{\"id\": \"a1\"}", 1)));
        family.committed("agent/a2", Optional.of(new Fact("agent/a2", AgentJsonForm.text(agent("a1", 'a', "web")), 2)));
        scheduler.runDue();

        assertThat(node.adopted).isEmpty();
    }

    @Test
    void aBoundedNumberIsProposedAtOnce() {
        UnsharedAgents all = new UnsharedAgents();
        for (int i = 0; i < 100; i++) {
            all.put(agent("a" + i, 'a', "web"));
        }
        long taken = all.waiting().stream().filter(id -> all.take(id) != null).count();

        assertThat(taken).isEqualTo(UnsharedAgents.MAX_IN_FLIGHT);
        assertThat(all.isInFlight("a0")).isTrue();
        all.answered(agent("a0", 'a', "web"), /* isCommitted= */ true);
        all.answered(agent("a1", 'a', "web"), /* isCommitted= */ false);
        assertThat(all.contains("a0")).isFalse();
        assertThat(all.waiting()).doesNotContain("a1");
        all.retryFailed();
        assertThat(all.waiting()).contains("a1").doesNotContain("a2");
    }

    private void start() {
        ready(/* isNew= */ false);
        family.start(node, Map.of());
    }

    private void ready(boolean isNew) {
        family.ready(isNew);
        scheduler.runDue();
    }

    private void commit(AgentIdentity identity, long version) {
        String key = AgentIdentityFacts.key(identity.id());
        family.committed(key, Optional.of(new Fact(key, AgentJsonForm.text(identity), version)));
        scheduler.runDue();
    }

    private static AgentIdentity agent(String id, char secret, String... pools) {
        return new AgentIdentity(
                id,
                String.valueOf(secret).repeat(64),
                "rack1",
                List.of(pools),
                List.of(),
                /* isRevoked= */ false,
                CREATED,
                CREATED);
    }
}
