package io.ballast.agent.registry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ballast.core.backend.AgentReport.State;
import io.ballast.core.config.agent.AgentApproval;
import io.ballast.dashboard.source.AgentDirectory;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Tests which agents may register, and for how long a registration is valid. */
class AgentRegistryTest extends RegistryFixture {

    @Test
    void tokenOfPoolRegistersAgent() {
        AgentIdentity agent = registry.register("a1", TOKEN, HASH);

        assertThat(agent.status()).isEqualTo("approved");
        assertThat(agent.pools()).containsExactly("web");
        assertThat(saves).isEqualTo(1);
        assertThat(events).containsExactly("agent a1: registered with token rack1, approved");
    }

    @Test
    void unknownExpiredAndRevokedTokensAreRefused() {
        assertThat(refusal(() -> registry.register("a1", "wrong", HASH)).kind())
                .isEqualTo(AgentRefusal.Kind.UNAUTHORIZED);

        pools.put("web", pool(AgentApproval.AUTO, 3, token("rack1", TOKEN, Optional.of(now.plusSeconds(1)))));
        registry.register("a1", TOKEN, HASH);
        advance(Duration.ofSeconds(1));
        assertThat(refusal(() -> registry.register("a2", TOKEN, HASH)).kind())
                .isEqualTo(AgentRefusal.Kind.UNAUTHORIZED);
        assertThat(registry.tokenList())
                .extracting(AgentDirectory.Token::status)
                .containsExactly("expired");

        pools.put("web", pool(AgentApproval.AUTO, 3, token("rack1", TOKEN, Optional.empty())));
        assertThat(registry.revokeToken("rack1", "ann")).isTrue();
        assertThat(refusal(() -> registry.register("a2", TOKEN, HASH)).kind())
                .isEqualTo(AgentRefusal.Kind.UNAUTHORIZED);
        assertThat(registry.tokenList())
                .containsExactly(new AgentDirectory.Token(
                        "rack1", List.of("web"), Optional.empty(), "revoked", 1, /* isCommitted= */ true));
        assertThat(registry.revokeToken("other", "ann")).isFalse();
    }

    @Test
    void twoTokensOfPoolMayBeValid() {
        pools.put(
                "web",
                pool(
                        AgentApproval.AUTO,
                        3,
                        token("old", "old token", Optional.of(now.plusSeconds(60))),
                        token("new", "new token", Optional.empty())));

        assertThat(registry.register("a1", "old token", HASH).token()).isEqualTo("old");
        assertThat(registry.register("a1", "new token", HASH).token()).isEqualTo("new");
    }

    @Test
    void idBelongsToTheSecretThatRegisteredItFirst() {
        registry.register("a1", TOKEN, HASH);

        assertThat(refusal(() -> registry.register("a1", TOKEN, Hashes.sha256("other")))
                        .kind())
                .isEqualTo(AgentRefusal.Kind.CONFLICT);
        assertThat(refusal(() -> registry.report("a1", "other", List.of(), "", CLIENT))
                        .kind())
                .isEqualTo(AgentRefusal.Kind.UNAUTHORIZED);
        assertThat(refusal(() -> registry.report("a2", SECRET, List.of(), "", CLIENT))
                        .kind())
                .isEqualTo(AgentRefusal.Kind.UNKNOWN);
    }

    @Test
    void invalidIdsAndHashesAreRefused() {
        assertThat(refusal(() -> registry.register("a/1", TOKEN, HASH)).kind()).isEqualTo(AgentRefusal.Kind.INVALID);
        assertThat(refusal(() -> registry.register("a1", TOKEN, "12")).kind()).isEqualTo(AgentRefusal.Kind.INVALID);
    }

    @Test
    void oldSecretVouchesForNewOne() {
        registry.register("a1", TOKEN, HASH);

        assertThat(refusal(() -> {
                            registry.replaceSecret("a1", "other", Hashes.sha256("next"));
                            return null;
                        })
                        .kind())
                .isEqualTo(AgentRefusal.Kind.UNAUTHORIZED);
        registry.replaceSecret("a1", SECRET, Hashes.sha256("next"));

        assertThat(registry.report("a1", "next", List.of(up(FIRST)), "", CLIENT))
                .hasSize(1);
        assertThat(refusal(() -> registry.report("a1", SECRET, List.of(), "", CLIENT))
                        .kind())
                .isEqualTo(AgentRefusal.Kind.UNAUTHORIZED);
    }

    @Test
    void numberOfAgentsIsLimitedAndUnusedRegistrationsAreDropped() {
        registry.register("a1", TOKEN, HASH);
        registry.register("a2", TOKEN, HASH);
        registry.register("a3", TOKEN, HASH);
        report(up(FIRST));
        successfulChecks.add(FIRST);
        assertThat(refusal(() -> registry.register("a4", TOKEN, HASH)).kind()).isEqualTo(AgentRefusal.Kind.FULL);

        advance(AgentTable.UNUSED);

        registry.register("a4", TOKEN, HASH);
        assertThat(registry.list()).extracting(AgentDirectory.Agent::id).containsExactly("a1", "a3", "a4");
    }

    @Test
    void reportsKeepARegistrationInUse() {
        registry.register("a1", TOKEN, HASH);
        for (int day = 0; day < 8; day++) {
            advance(Duration.ofDays(1));
            registry.report("a1", SECRET, List.of(), "", CLIENT);
        }
        registry.register("a2", TOKEN, HASH);
        registry.register("a3", TOKEN, HASH);

        assertThat(refusal(() -> registry.register("a4", TOKEN, HASH)).kind()).isEqualTo(AgentRefusal.Kind.FULL);
        assertThat(registered).containsSubsequence("a1", "a1", "a2");
    }

    @Test
    void aRevokedAgentStaysRevokedForThreeMonths() {
        registry.register("a1", TOKEN, HASH);
        registry.revoke("a1", "ann");
        advance(AgentTable.UNUSED);
        registry.register("a2", TOKEN, HASH);
        registry.register("a3", TOKEN, HASH);
        assertThat(refusal(() -> registry.register("a4", TOKEN, HASH)).kind()).isEqualTo(AgentRefusal.Kind.FULL);
        assertThat(refusal(() -> registry.register("a1", TOKEN, HASH)).kind()).isEqualTo(AgentRefusal.Kind.REVOKED);
    }

    // ---- tokens that operators create

    @Test
    void createdTokenRegistersAgentsUntilItIsRevoked() throws IOException {
        registry.createToken(created("rack2", "second token", List.of("web")), "ann");
        AgentIdentity agent = registry.register("a1", "second token", HASH);
        assertThat(agent.pools()).containsExactly("web");
        assertThat(agent.token()).isEqualTo("rack2");
        assertThat(registry.tokenList()).extracting(AgentDirectory.Token::name).containsExactly("rack1", "rack2");

        SavedAgents saved = SavedAgentsJson.read(SavedAgentsJson.write(registry.saved()));
        registry = registry(3);
        registry.restore(saved);
        assertThat(registry.register("a2", "second token", HASH).token()).isEqualTo("rack2");

        assertThat(registry.revokeToken("rack2", "ann")).isTrue();
        assertThat(refusal(() -> registry.register("a3", "second token", HASH)).kind())
                .isEqualTo(AgentRefusal.Kind.UNAUTHORIZED);
        assertThat(registry.report("a1", SECRET, List.of(), "", CLIENT)).isEmpty();
    }

    @Test
    void invalidTokensAreNotCreated() {
        assertThatThrownBy(() -> registry.createToken(created("rack1", "x", List.of("web")), "ann"))
                .hasMessageContaining("rack1");
        assertThatThrownBy(() -> registry.createToken(created("rack2", "x", List.of("other")), "ann"))
                .hasMessageContaining("pool: other");
        assertThatThrownBy(() -> registry.createToken(created("rack2", "x", List.of()), "ann"))
                .hasMessageContaining("pool: none");
        assertThatThrownBy(() -> created("a b", "x", List.of("web"))).hasMessageContaining("name: a b");
        for (int i = 0; i < RuntimeTokens.MAX; i++) {
            registry.createToken(created("t" + i, "token " + i, List.of("web")), "ann");
        }
        assertThatThrownBy(() -> registry.createToken(created("rack2", "x", List.of("web")), "ann"))
                .hasMessageContaining("fewer than 1000");
    }

    private static RuntimeToken created(String name, String token, List<String> pools) {
        return new RuntimeToken(Hashes.sha256(token), name, pools, Optional.empty(), /* isRevoked= */ false);
    }

    // ---- repeated reports

    @Test
    void aRepeatedReportKeepsBackendsFresh() {
        registry.register("a1", TOKEN, HASH);
        registry.report("a1", SECRET, List.of(up(FIRST)), "v1", CLIENT);
        int before = changes;
        for (int i = 0; i < 4; i++) {
            advance(Duration.ofSeconds(20));
            registry.repeat("a1", SECRET, "v1", CLIENT);
        }
        assertThat(state(FIRST)).isEqualTo(State.UP);
        assertThat(changes).isEqualTo(before);

        advance(Duration.ofSeconds(31));
        assertThat(state(FIRST)).isEqualTo(State.STALE);
        registry.repeat("a1", SECRET, "v1", CLIENT);
        assertThat(state(FIRST)).isEqualTo(State.UP);
    }

    @Test
    void onlyTheLastReportCanBeRepeatedAndOnlyIfAllOfItIsInEffect() {
        registry.register("a1", TOKEN, HASH);
        assertOutdated("");
        assertOutdated("v1");
        registry.report("a1", SECRET, List.of(up(FIRST), up(key("other", 1))), "v1", CLIENT);
        assertOutdated("v1");
        registry.report("a1", SECRET, List.of(up(FIRST)), "v2", CLIENT);
        assertOutdated("v1");
        registry.repeat("a1", SECRET, "v2", CLIENT);
        assertThat(refusal(() -> repeat("a1", "other", "v2")).kind()).isEqualTo(AgentRefusal.Kind.UNAUTHORIZED);

        advance(Duration.ofMinutes(6)); // the backend is removed
        assertOutdated("v2");
        assertThat(registry.counts(0).refused()).isEqualTo(1);
    }

    private void assertOutdated(String version) {
        assertThat(refusal(() -> repeat("a1", SECRET, version)).kind()).isEqualTo(AgentRefusal.Kind.OUTDATED);
    }

    private boolean repeat(String id, String secret, String version) {
        registry.repeat(id, secret, version, CLIENT);
        return true;
    }

    // ---- decisions of the cluster

    @Test
    void anAgentOfTheClusterNeedsNoToken() {
        AgentIdentity agent = registry.register("a1", TOKEN, HASH);
        registry = registry(3);

        registry.adoption().adopt("a1", Optional.of(agent), /* isShared= */ true);

        report(up(FIRST));
        assertThat(joined()).containsExactly(FIRST);
        assertThat(registry.saved().agents().get(0).isShared()).isTrue();
    }

    @Test
    void aRevocationOfTheClusterRemovesBackends() {
        AgentIdentity agent = registry.register("a1", TOKEN, HASH);
        report(up(FIRST));
        int before = changes;

        registry.adoption().adopt("a1", Optional.of(agent.revoked()), /* isShared= */ true);

        assertThat(joined()).isEmpty();
        assertThat(changes).isGreaterThan(before);
        assertThat(refusal(() -> registry.report("a1", SECRET, List.of(), "", CLIENT))
                        .kind())
                .isEqualTo(AgentRefusal.Kind.REVOKED);
        assertThat(events).last().isEqualTo("agent a1: revoked on another node");

        registry.adoption().adopt("a1", Optional.empty(), /* isShared= */ true);
        assertThat(registry.list()).isEmpty();
    }

    @Test
    void aTokenOfTheClusterIsValidAndARevokedOneIsNot() {
        RuntimeToken token = created("rack2", "second token", List.of("web"));
        registry.adoption().adoptToken(token.hash(), Optional.of(token));
        assertThat(registry.register("a1", "second token", HASH).token()).isEqualTo("rack2");

        registry.adoption().adoptToken(token.hash(), Optional.of(token.revoked()));
        registry.adoption()
                .adoptToken(
                        Hashes.sha256(TOKEN),
                        Optional.of(new RuntimeToken(
                                Hashes.sha256(TOKEN), "rack1", List.of(), Optional.empty(), /* isRevoked= */ true)));
        for (String each : List.of("second token", TOKEN)) {
            assertThat(refusal(() -> registry.register("a2", each, HASH)).kind())
                    .isEqualTo(AgentRefusal.Kind.UNAUTHORIZED);
        }
    }

    @Test
    void registrationsOnTwoNodesAreMerged() {
        pools.put("db", pool(AgentApproval.MANUAL, 3, token("other", "other token", Optional.empty())));
        AgentIdentity first = registry.register("a1", TOKEN, HASH);
        registry = registry(3);
        AgentIdentity second = registry.register("a1", "other token", HASH);

        AgentIdentity merged = second.mergedInto(first);
        assertThat(merged.pools()).containsExactly("web");
        assertThat(merged.pendingPools()).containsExactly("db");
        assertThat(second.revoked().mergedInto(first).isRevoked()).isTrue();
        assertThat(second.mergedInto(first.revoked()).isRevoked()).isTrue();
        assertThat(second.mergedInto(first.withSecret(Hashes.sha256("x"))))
                .isEqualTo(first.withSecret(Hashes.sha256("x")));
    }

    // ---- approval and revocation

    @Test
    void manualApprovalIsRequiredForEachPool() {
        pools.put("db", pool(AgentApproval.MANUAL, 3, token("rack1", TOKEN, Optional.empty())));
        AgentIdentity agent = registry.register("a1", TOKEN, HASH);
        assertThat(agent.pools()).containsExactly("web");
        assertThat(agent.pendingPools()).containsExactly("db");

        assertThat(registry.report("a1", SECRET, List.of(up(FIRST), up(key("db", 2))), "", CLIENT))
                .extracting(AgentRegistry.Result::refusal)
                .containsExactly("", "an operator has to approve the agent for this pool: lb agents approve a1");

        assertThat(registry.approve("a1", "ann")).isTrue();
        report(up(FIRST), up(key("db", 2)));
        assertThat(joined()).containsExactlyInAnyOrder(FIRST, key("db", 2));
        assertThat(registry.approve("other", "ann")).isFalse();
    }

    @Test
    void revocationRemovesBackendsAndRefusesTheAgent() {
        registry.register("a1", TOKEN, HASH);
        report(up(FIRST));

        assertThat(registry.revoke("a1", "ann")).isTrue();

        assertThat(joined()).isEmpty();
        assertThat(refusal(() -> registry.report("a1", SECRET, List.of(up(FIRST)), "", CLIENT))
                        .kind())
                .isEqualTo(AgentRefusal.Kind.REVOKED);
        assertThat(refusal(() -> registry.register("a1", TOKEN, HASH)).kind()).isEqualTo(AgentRefusal.Kind.REVOKED);
        assertThat(registry.find("a1").orElseThrow().status()).isEqualTo("revoked");

        registry.approve("a1", "ann");
        report(up(FIRST));
        assertThat(joined()).containsExactly(FIRST);
    }

    // ---- reports
}
