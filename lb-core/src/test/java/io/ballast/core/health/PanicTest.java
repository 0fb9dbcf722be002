package io.ballast.core.health;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.core.backend.Backend;
import io.ballast.core.backend.StateOverride;
import io.ballast.core.balance.Member;
import io.ballast.core.config.HealthConfig;
import io.ballast.core.config.QueueConfig;
import io.ballast.core.control.Event;
import io.ballast.core.pool.Pool;
import io.ballast.core.pool.WaitQueue;
import io.ballast.core.testing.Backends;
import io.ballast.core.testing.Pools;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Tests panic mode: requests go to all backends if too few backends are healthy. */
class PanicTest extends MonitoredPools {

    private final List<Member> members = Backends.limited(4, /* maxInFlight= */ 1);

    @Test
    void belowThresholdAllBackendsServe() {
        Pool pool = panicky(50);
        watch(pool);

        takeDown(0);
        takeDown(1);
        assertThat(pool.snapshot().isPanic()).as("half is not less than half").isFalse();
        assertThat(pool.snapshot().usable()).hasSize(2);
        takeDown(2);

        assertThat(pool.snapshot().isPanic()).isTrue();
        assertThat(pool.snapshot().usable()).isEqualTo(members);
        assertThat(pool.snapshot().healthy()).containsExactly(members.get(3));
        assertThat(lastOfPool())
                .isEqualTo("panic: 1 of 4 backends are healthy, fewer than 50%; requests go to all of them");
    }

    @Test
    void overriddenBackendsAreExcludedFromPanic() {
        Pool pool = panicky(50);
        watch(pool);
        monitor.applyOverride(backend(3), drain("ann"));
        scheduler.runDue();

        takeDown(0);
        takeDown(1);

        assertThat(pool.snapshot().isPanic()).as("1 of 3 is healthy").isTrue();
        assertThat(pool.snapshot().usable()).containsExactlyElementsOf(members.subList(0, 3));
    }

    @Test
    void eventCountsBackendsOfServingTiers() {
        Member backup = new Member(Backends.backend(4), 1, 0, /* backup= */ true, "");
        Pool pool =
                panicky(70, Stream.concat(members.stream(), Stream.of(backup)).toList());
        watch(pool);

        takeDown(0);
        takeDown(backup.backend());

        assertThat(pool.snapshot().usable()).containsExactlyElementsOf(members);
        assertThat(lastOfPool())
                .isEqualTo("panic: 3 of 5 backends are healthy, fewer than 70%; requests go to 4 of them");
    }

    @Test
    void panicEndsWhenEnoughBackendsRecover() {
        Pool pool = panicky(50);
        watch(pool);
        takeDown(0);
        takeDown(1);
        takeDown(2);

        monitor.applyOverride(
                backend(0), new StateOverride(StateOverride.Kind.UP, "ann", "", Instant.EPOCH, Optional.empty()));
        scheduler.runDue();

        assertThat(pool.snapshot().isPanic()).isFalse();
        assertThat(pool.snapshot().usable()).containsExactly(members.get(0), members.get(3));
        assertThat(lastOfPool()).isEqualTo("panic ended: requests go only to the 2 healthy backends");
        assertThat(texts().filter(text -> text.startsWith("panic:"))).hasSize(1);
    }

    @Test
    void noHealthyBackendIsPanic() {
        Pool pool = panicky(1);
        watch(pool);
        for (int i = 0; i < 4; i++) {
            takeDown(i);
        }

        assertThat(pool.snapshot().isPanic()).isTrue();
        assertThat(pool.snapshot().usable()).isEqualTo(members);
        assertThat(pool.snapshot().healthy()).isEmpty();
    }

    @Test
    void noPanicWithoutThreshold() {
        Pool pool = panicky(0);
        watch(pool);
        for (int i = 0; i < 4; i++) {
            takeDown(i);
        }

        assertThat(pool.snapshot().isPanic()).isFalse();
        assertThat(pool.snapshot().usable()).isEmpty();
        assertThat(texts()).noneMatch(text -> text.contains("panic"));
    }

    @Test
    void queuedRequestsUseUnhealthyBackendInPanic() {
        Pool pool = panicky(100);
        watch(pool);
        takeDown(0);
        members.forEach(
                member -> assertThat(member.backend().inFlight().tryBegin()).isTrue());
        WaitQueue queue = pool.waitQueue();
        List<Backend> served = new ArrayList<>();
        assertThat(queue.join(new WaitQueue.Waiter() {
                    @Override
                    protected void onPermit(Backend backend) {
                        served.add(backend);
                    }

                    @Override
                    protected void onNoBackendUp() {}
                }))
                .isTrue();

        queue.release(backend(0));

        assertThat(served).containsExactly(backend(0));
    }

    private void takeDown(int index) {
        takeDown(backend(index));
    }

    private void takeDown(Backend backend) {
        for (int i = 0; i < HealthConfig.DEFAULT_FALL; i++) {
            monitor.connectFailed(backend, "connection refused");
        }
        scheduler.runDue();
    }

    private Backend backend(int index) {
        return members.get(index).backend();
    }

    private Stream<String> texts() {
        return control.timeline().recent().stream().map(Event::text);
    }

    private String lastOfPool() {
        return control.timeline().recent().stream()
                .filter(event -> event.subject().equals("web"))
                .map(Event::text)
                .reduce((one, other) -> other)
                .orElseThrow();
    }

    private Pool panicky(int percent) {
        return panicky(percent, members);
    }

    private static Pool panicky(int percent, List<Member> members) {
        Pool pool = Pools.pool("web", Pools.tcpEvery(Duration.ofSeconds(5)), members);
        return new Pool(
                pool.config().toBuilder()
                        .panicBelowPercent(percent)
                        .queue(new QueueConfig(/* size= */ 4, Duration.ofSeconds(5)))
                        .build(),
                members,
                /* shards= */ 1);
    }
}
