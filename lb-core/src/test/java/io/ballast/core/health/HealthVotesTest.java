package io.ballast.core.health;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.core.backend.Backend;
import io.ballast.core.backend.BackendState;
import io.ballast.core.backend.HealthStatus.Origin;
import io.ballast.core.config.HealthConfig;
import io.ballast.core.config.vote.Quorum;
import io.ballast.core.config.vote.VotingConfig;
import io.ballast.core.control.Event;
import io.ballast.core.health.explain.BackendExplanation;
import io.ballast.core.pool.Pool;
import io.ballast.core.testing.Backends;
import io.ballast.core.testing.ManualProbe;
import io.ballast.core.testing.ManualVotes;
import io.ballast.core.testing.Pools;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Tests the votes of a node, n1, in a cluster whose other nodes are simulated. */
class HealthVotesTest extends MonitoredPools {

    private final ManualVotes votes = new ManualVotes();
    private final Backend backend = Backends.unchecked(0, "web");
    private final String name = backend.toString();

    private static HealthConfig health(Optional<Quorum> quorum, int voters) {
        return Pools.tcpEvery(Duration.ofSeconds(5)).withVoting(new VotingConfig(quorum, voters));
    }

    private Pool start(Quorum quorum, int voters) {
        Pool pool = Pools.pool("web", health(Optional.of(quorum), voters), backend);
        watch(pool);
        monitor.join(votes);
        scheduler.runDue();
        return pool;
    }

    private void vote(String node, boolean isUp) {
        votes.vote(name, node, isUp);
        scheduler.runDue();
    }

    /** Completes all checks with this result until the time has passed. */
    private void check(boolean isOk, Duration time) {
        for (Duration passed = Duration.ZERO; passed.compareTo(time) < 0; passed = passed.plusMillis(500)) {
            while (!probe.open().isEmpty()) {
                ManualProbe.Check next = probe.next();
                if (isOk) {
                    next.succeed("connected");
                } else {
                    next.fail("connection refused");
                }
            }
            scheduler.advance(Duration.ofMillis(500));
        }
    }

    /** Returns whether the monitor starts a check within 20 seconds. */
    private boolean isChecking() {
        int before = probe.started();
        check(/* isOk= */ true, Duration.ofSeconds(20));
        return probe.started() > before;
    }

    private List<String> events(Origin origin) {
        return control.timeline().recent().stream()
                .filter(event -> event.origin() == origin)
                .map(Event::text)
                .toList();
    }

    // ---- quorum

    @Test
    void theOwnVerdictIsPublished() {
        start(Quorum.LOCAL, VotingConfig.ALL_NODES);
        assertThat(votes.published).isEmpty();

        check(/* isOk= */ true, Duration.ofSeconds(1));
        assertThat(votes.published).containsEntry(name, "up");
        check(/* isOk= */ false, Duration.ofSeconds(30));
        assertThat(votes.published).containsEntry(name, "down");
        assertThat(votes.changes).isEqualTo(2);
    }

    @Test
    void withQuorumLocalOtherVotesHaveNoEffect() {
        start(Quorum.LOCAL, VotingConfig.ALL_NODES);
        check(/* isOk= */ true, Duration.ofSeconds(1));

        vote("n2", false);
        vote("n3", false);

        assertThat(backend.health().state()).isEqualTo(BackendState.UP);
        assertThat(events(Origin.CLUSTER)).isEmpty();
    }

    @Test
    void aMajorityOverrulesTheOwnCheckAndTheTimelineSaysSo() {
        start(Quorum.MAJORITY, VotingConfig.ALL_NODES);
        check(/* isOk= */ true, Duration.ofSeconds(1));
        vote("n2", true);
        vote("n3", true);

        check(/* isOk= */ false, Duration.ofSeconds(30));

        assertThat(votes.published).containsEntry(name, "down");
        assertThat(backend.health().state()).isEqualTo(BackendState.UP);
        assertThat(events(Origin.CLUSTER))
                .containsExactly("the checks of this node are overruled (down: connection refused), quorum majority:"
                        + " votes for up: 2 of 3, needed: 2");
        assertThat(monitor.voteCounters().overruled()).isEqualTo(1);

        vote("n2", false);
        assertThat(backend.health().state()).isEqualTo(BackendState.DOWN);
        assertThat(backend.health().origin()).isEqualTo(Origin.CLUSTER);
        assertThat(events(Origin.CLUSTER)).contains("the checks of this node are no longer overruled");
        assertThat(monitor.voteCounters().overruled()).isZero();
        assertThat(monitor.voteCounters().overrulings()).isEqualTo(1);
    }

    @Test
    void twoOfThreeTakeABackendDownThatThisNodeReaches() {
        start(Quorum.MAJORITY, VotingConfig.ALL_NODES);
        check(/* isOk= */ true, Duration.ofSeconds(1));

        vote("n2", false);
        assertThat(backend.health().state()).isEqualTo(BackendState.UP);
        vote("n3", false);

        assertThat(backend.health().state()).isEqualTo(BackendState.DOWN);
        assertThat(backend.health().reason())
                .isEqualTo("quorum majority: votes for up: 1 of 3, needed: 2; n2: connection refused");
    }

    @Test
    void aLostNodeChangesNothingAndAloneTheOwnVerdictDecides() {
        start(Quorum.MAJORITY, VotingConfig.ALL_NODES);
        check(/* isOk= */ true, Duration.ofSeconds(1));
        votes.connect("n2");
        votes.connect("n3");
        vote("n2", false);
        vote("n3", false);
        assertThat(backend.health().state()).isEqualTo(BackendState.DOWN);

        votes.disconnect("n2");
        scheduler.runDue();
        assertThat(backend.health().state()).isEqualTo(BackendState.DOWN);

        votes.disconnect("n3");
        scheduler.runDue();
        assertThat(backend.health().state()).isEqualTo(BackendState.UP);
    }

    @Test
    void theVerdictOfOtherNodesAppliesBeforeTheFirstCheck() {
        start(Quorum.MAJORITY, VotingConfig.ALL_NODES);
        vote("n2", false);

        assertThat(backend.health().state()).isEqualTo(BackendState.DOWN);
        check(/* isOk= */ true, Duration.ofSeconds(1));
        assertThat(backend.health().state()).isEqualTo(BackendState.UP); // one of two votes is enough
    }

    @Test
    void theUseOfThePoolIsTheDefault() {
        votes.byUse = Quorum.MAJORITY;
        watch(Pools.pool("web", Pools.tcpEvery(Duration.ofSeconds(5)), backend));
        monitor.join(votes);
        check(/* isOk= */ true, Duration.ofSeconds(1));
        vote("n2", false);
        vote("n3", false);
        assertThat(backend.health().state()).isEqualTo(BackendState.DOWN);

        votes.byUse = Quorum.LOCAL; // simulates a reload after which a listener uses the pool
        watch(Pools.pool("web", Pools.tcpEvery(Duration.ofSeconds(5)), backend));
        assertThat(backend.health().state()).isEqualTo(BackendState.UP);
    }

    @Test
    void overridesHaveMoreAuthorityThanVotes() {
        start(Quorum.MAJORITY, VotingConfig.ALL_NODES);
        check(/* isOk= */ true, Duration.ofSeconds(1));
        control.execute(() -> monitor.applyOverride(backend, drain("ann")));
        vote("n2", false);
        vote("n3", false);
        assertThat(backend.health().state()).isEqualTo(BackendState.DRAINING);

        control.execute(() -> monitor.enable(backend, "ann"));
        scheduler.runDue();
        assertThat(backend.health().state()).isEqualTo(BackendState.DOWN);
        assertThat(backend.health().reason())
                .isEqualTo("enabled by ann, but: quorum majority: votes for up: 1 of 3, needed: 2; n2: connection"
                        + " refused");
    }

    @Test
    void aReloadKeepsVotesAndTheOwnVerdict() {
        start(Quorum.MAJORITY, VotingConfig.ALL_NODES);
        vote("n2", true);
        vote("n3", true);
        check(/* isOk= */ false, Duration.ofSeconds(30));
        assertThat(backend.health().state()).isEqualTo(BackendState.UP);
        int changes = votes.changes;

        watch(Pools.pool("web", health(Optional.of(Quorum.ANY), 0), backend));
        assertThat(backend.health().state()).isEqualTo(BackendState.UP);
        watch(Pools.pool("web", health(Optional.of(Quorum.ALL), 0), backend));
        assertThat(backend.health().state()).isEqualTo(BackendState.DOWN);

        assertThat(votes.published).containsEntry(name, "down");
        assertThat(votes.changes).isEqualTo(changes);
    }

    @Test
    void aRemovedBackendHasNoVote() {
        start(Quorum.MAJORITY, VotingConfig.ALL_NODES);
        vote("n2", true);
        vote("n3", true);
        check(/* isOk= */ false, Duration.ofSeconds(30));
        assertThat(votes.published).hasSize(1);

        watch();

        assertThat(votes.published).isEmpty();
        assertThat(monitor.voteCounters().overruled()).isZero();
    }

    @Test
    void aBackendWithoutChecksHasNoVotes() {
        watch(Pools.pool("web", Pools.UNCHECKED, backend));
        monitor.join(votes);
        vote("n2", false);

        assertThat(votes.published).isEmpty();
        assertThat(backend.health().state()).isEqualTo(BackendState.UNKNOWN); // the initial state of the fixture
    }

    // ---- voters

    /** Returns the first backend number for which {@code isChosen} holds. */
    private static int find(IntPredicate isChosen) {
        return IntStream.range(0, 1000).filter(isChosen).findFirst().orElseThrow();
    }

    private boolean isCheckedHere(int id) {
        ManualVotes two = new ManualVotes();
        two.connect("n2");
        HealthVotesTest other = new HealthVotesTest();
        Backend candidate = Backends.unchecked(id, "web");
        two.vote(candidate.toString(), "n2", true);
        other.watch(Pools.pool("web", health(Optional.of(Quorum.MAJORITY), 1), candidate));
        other.monitor.join(two);
        other.scheduler.runDue();
        return other.isChecking();
    }

    @Test
    void theChosenNodeChecksAndTheOtherTakesItsVote() {
        Backend here = Backends.unchecked(find(this::isCheckedHere), "web");
        Backend there = Backends.unchecked(find(id -> !isCheckedHere(id)), "web");
        votes.connect("n2");
        votes.vote(here.toString(), "n2", true);
        votes.vote(there.toString(), "n2", true);
        watch(Pools.pool("web", health(Optional.of(Quorum.MAJORITY), 1), here, there));
        monitor.join(votes);
        check(/* isOk= */ true, Duration.ofSeconds(20));

        assertThat(votes.published).containsOnlyKeys(here.toString());
        assertThat(there.health().state()).isEqualTo(BackendState.UP);
        assertThat(monitor.voteCounters().unchecked()).isEqualTo(1);
        assertThat(monitor.firstResults()).isCompleted();

        votes.vote(there.toString(), "n2", false);
        scheduler.runDue();
        assertThat(there.health().state()).isEqualTo(BackendState.DOWN);
        monitor.connectFailed(there, "connection refused"); // failures count only on nodes that check the backend
        scheduler.runDue();
        assertThat(votes.published).containsOnlyKeys(here.toString());
    }

    @Test
    void thisNodeChecksItselfWhenTheChosenOneIsLost() {
        Backend there = Backends.unchecked(find(id -> !isCheckedHere(id)), "web");
        votes.connect("n2");
        votes.vote(there.toString(), "n2", false);
        watch(Pools.pool("web", health(Optional.of(Quorum.MAJORITY), 1), there));
        monitor.join(votes);
        check(/* isOk= */ false, Duration.ofSeconds(5));
        assertThat(isChecking()).isFalse();
        assertThat(there.health().state()).isEqualTo(BackendState.DOWN);

        votes.disconnect("n2");
        scheduler.runDue();
        assertThat(there.health().state()).isEqualTo(BackendState.DOWN);
        assertThat(probe.open()).hasSize(1);
        check(/* isOk= */ true, Duration.ofSeconds(10));
        assertThat(there.health().state()).isEqualTo(BackendState.UP);
        assertThat(votes.published).containsEntry(there.toString(), "up");

        votes.connect("n2");
        scheduler.runDue();
        assertThat(isChecking()).isTrue(); // n2 has not voted yet
        votes.vote(there.toString(), "n2", true);
        scheduler.runDue();
        assertThat(isChecking()).isFalse();
        assertThat(votes.published).isEmpty();
        assertThat(there.health().state()).isEqualTo(BackendState.UP);
    }

    @Test
    void anEndOfTheRuleBeginsChecksWithTheKnownState() {
        Backend there = Backends.unchecked(find(id -> !isCheckedHere(id)), "web");
        votes.connect("n2");
        votes.vote(there.toString(), "n2", false);
        watch(Pools.pool("web", health(Optional.of(Quorum.MAJORITY), 1), there));
        monitor.join(votes);
        check(/* isOk= */ false, Duration.ofSeconds(5));

        watch(Pools.pool("web", health(Optional.of(Quorum.LOCAL), 0), there));

        assertThat(there.health().state()).isEqualTo(BackendState.DOWN);
        check(/* isOk= */ true, Duration.ofSeconds(20));
        assertThat(there.health().state()).isEqualTo(BackendState.UP);
        assertThat(monitor.voteCounters().unchecked()).isZero();
    }

    // ---- load

    /** Tests that many votes at once are applied in parts, and that other tasks of the control plane run in between. */
    @Test
    void manyVotesAtOnceDoNotDelayOtherWork() {
        int count = 2000;
        Backend[] all = IntStream.range(0, count)
                .mapToObj(id -> Backends.unchecked(id, "web"))
                .toArray(Backend[]::new);
        watch(Pools.pool("web", health(Optional.of(Quorum.MAJORITY), 0), all));
        monitor.join(votes);
        scheduler.runDue();
        for (Backend each : all) {
            votes.vote(each.toString(), "n2", false);
        }
        List<Integer> applied = new ArrayList<>();
        control.execute(() -> applied.add(down(all)));
        control.execute(() -> control.execute(() -> applied.add(down(all))));

        scheduler.runDue();

        assertThat(applied)
                .hasSize(2)
                .allSatisfy(number -> assertThat(number).isLessThanOrEqualTo(3 * HealthVotes.MAX_AT_ONCE));
        assertThat(down(all)).isEqualTo(count);
    }

    private static int down(Backend... all) {
        return Math.toIntExact(IntStream.range(0, all.length)
                .filter(i -> all[i].health().state() == BackendState.DOWN)
                .count());
    }

    @Test
    void explanationsNameEveryVote() {
        Pool pool = start(Quorum.MAJORITY, VotingConfig.ALL_NODES);
        votes.connect("n2");
        votes.connect("n3");
        check(/* isOk= */ true, Duration.ofSeconds(1));
        vote("n2", false);
        BackendExplainer explainer = new BackendExplainer(control, monitor, () -> Pools.topology(pool));
        var explained = explainer.explain("web", backend.address().toString());
        scheduler.runDue();

        BackendExplanation explanation = explained.join().orElseThrow();
        assertThat(explanation.levels())
                .filteredOn(BackendExplanation.Level::decides)
                .singleElement()
                .satisfies(level -> {
                    assertThat(level.authority()).isEqualTo(BackendExplanation.Authority.VOTES);
                    assertThat(level.text()).isEqualTo("votes for up: 1 of 2, needed: 1");
                });
        assertThat(explanation.votes().orElseThrow().nodes())
                .extracting(each -> each.node() + " " + each.isSelf() + " "
                        + each.vote()
                                .map(vote -> vote.label() + " " + vote.reason())
                                .orElse("none"))
                .containsExactly("n1 true up connected", "n2 false down connection refused", "n3 false none");
    }
}
