package io.ballast.agent.registry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.ballast.agent.config.AgentsConfig;
import io.ballast.core.backend.AgentReport.State;
import io.ballast.core.config.HostPort;
import io.ballast.core.config.agent.AgentApproval;
import io.ballast.core.config.agent.AgentToken;
import io.ballast.core.config.agent.AgentTokenHash;
import io.ballast.core.config.agent.PoolAgents;
import io.ballast.dashboard.source.AgentDirectory;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;

class AgentRegistryTest {

    private static final String TOKEN = "token of rack 1";
    private static final String SECRET = "secret of a1";
    private static final String HASH = Hashes.sha256(SECRET);
    private static final String CLIENT = "10.0.1.5";
    private static final BackendKey FIRST = key("web", 1);

    private final Map<String, PoolAgents> pools =
            new LinkedHashMap<>(Map.of("web", pool(AgentApproval.AUTO, 3, token("rack1", TOKEN, Optional.empty()))));
    private final Set<BackendKey> successfulChecks = new HashSet<>();
    private final List<String> events = new ArrayList<>();
    private final List<String> registered = new ArrayList<>();
    private int changes;
    private int saves;
    private Instant now = Instant.parse("2026-01-01T00:00:00Z");
    private long nanos;
    private AgentRegistry registry = registry(3);

    // ---- registration

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

    private AgentRegistry registry(int maxAgents) {
        return new AgentRegistry(
                new AgentsConfig(
                        new HostPort("127.0.0.1", 0),
                        Optional.empty(),
                        AgentsConfig.DEFAULT_STALE,
                        AgentsConfig.DEFAULT_FORGET,
                        maxAgents,
                        /* latency= */ false),
                () -> pools,
                () -> now,
                () -> nanos,
                successfulChecks::contains,
                new RegistryListener() {
                    @Override
                    public void onBackendsChanged() {
                        changes++;
                    }

                    @Override
                    public void onStateChanged() {
                        saves++;
                    }

                    @Override
                    public void onRegistered(AgentIdentity identity) {
                        registered.add(identity.id());
                    }

                    @Override
                    public void onEvent(String subject, String text) {
                        events.add(subject + ": " + text);
                    }
                });
    }

    private void report(ReportedBackend... backends) {
        assertThat(registry.report("a1", SECRET, List.of(backends), "", CLIENT))
                .extracting(AgentRegistry.Result::refusal)
                .containsOnly("");
    }

    private void advance(Duration time) {
        now = now.plus(time);
        nanos += time.toNanos();
        registry.tick();
    }

    private List<BackendKey> joined() {
        return registry.backends().pools().values().stream()
                .flatMap(List::stream)
                .map(AgentBackends.Entry::key)
                .toList();
    }

    private AgentBackends.Entry entry(BackendKey key) {
        return registry.backends().pools().values().stream()
                .flatMap(List::stream)
                .filter(each -> each.key().equals(key))
                .findFirst()
                .orElseThrow();
    }

    private State state(BackendKey key) {
        return entry(key).report().state();
    }

    private int tenths(BackendKey key) {
        return entry(key).report().weightTenths();
    }

    private static AgentRefusal refusal(Callable<?> request) {
        return catchThrowableOfType(AgentRefusal.class, request::call);
    }

    private static ReportedBackend up(BackendKey key) {
        return backend(key, State.UP, 10);
    }

    private static ReportedBackend backend(BackendKey key, State state, int tenths) {
        return new ReportedBackend(key, 1, state, "", tenths);
    }

    private static BackendKey key(String pool, int number) {
        return new BackendKey(pool, new HostPort("10.0.0." + number, 80));
    }

    private static PoolAgents pool(AgentApproval approval, int maxBackends, AgentToken... tokens) {
        return new PoolAgents(List.of(tokens), maxBackends, approval, PoolAgents.DEFAULT_MAX_DRAINED_PERCENT);
    }

    private static AgentToken token(String name, String text, Optional<Instant> expires) {
        return new AgentToken(name, new AgentTokenHash(Hashes.sha256(text)), expires);
    }
}
