package io.ballast.core.balance;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.core.backend.Backend;
import io.ballast.core.config.HashConfig;
import io.ballast.core.config.HashKey;
import io.ballast.core.config.StrategyConfig;
import io.ballast.core.config.StrategyKind;
import io.ballast.core.testing.Backends;
import io.ballast.core.testing.SeededRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BoundedHashTest extends StrategyContractTest {

    private static final StrategyConfig CONFIG = StrategyConfig.of(StrategyKind.HASH)
            .withHash(new HashConfig(HashKey.CLIENT, /* maxLoad= */ Optional.of(1.25)));
    private static final long HOT = Hash64.mix(99);
    private static final int KEYS = 5_000;

    /** How far a backend may exceed its bound: the least loaded backend is chosen even if it has reached its bound. */
    private static final int FAR_ENOUGH = 1;

    BoundedHashTest() {
        super(CONFIG);
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 10, 64})
    void hotKeyDoesNotOverloadMember(int count) {
        List<Member> members = Backends.members(count);
        Picker picker = strategy().compile(members);
        SeededRequest request = request().affinity(HOT);

        for (int inFlight = 1; inFlight <= 20 * count; inFlight++) {
            Backend choice = picker.pick(request);
            assertThat(choice).isNotNull();
            choice.inFlight().begin();
            assertThat(choice.inFlight().count())
                    .as("of %s", inFlight)
                    .isLessThanOrEqualTo((int) Math.ceil(1.25 * inFlight / count) + FAR_ENOUGH);
        }
    }

    @Test
    void boundIsProportionalToWeight() {
        List<Member> members = Backends.weighted(6, 3, 1);
        Picker picker = strategy().compile(members);
        SeededRequest request = request();

        for (int i = 0; i < 200; i++) {
            Backend choice = picker.pick(request.affinity(HOT));
            assertThat(choice).isNotNull();
            choice.inFlight().begin();
        }

        assertThat(members)
                .allSatisfy(member -> assertThat(member.backend().inFlight().count())
                        .isLessThanOrEqualTo((int) Math.ceil(1.25 * 200 * member.weight() / 10) + FAR_ENOUGH));
    }

    @Test
    void keyKeepsMemberBelowBound() {
        List<Member> members = Backends.members(8);
        members.forEach(member -> Backends.load(member.backend(), 10));
        Picker bounded = strategy().compile(members);
        Picker plain = Strategies.create(StrategyConfig.of(StrategyKind.HASH)).compile(members);

        assertThat(choices(bounded)).isEqualTo(choices(plain));
    }

    @Test
    void onlyKeysOfOverloadedMemberMoveAndReturn() {
        List<Member> members = Backends.members(8);
        members.forEach(member -> Backends.load(member.backend(), 10));
        Picker picker = strategy().compile(members);
        Backend busy = members.get(3).backend();
        List<Backend> before = choices(picker);

        Backends.load(busy, 50);
        List<Backend> meanwhile = choices(picker);
        IntStream.range(0, 50).forEach(i -> busy.inFlight().end());

        for (int key = 0; key < KEYS; key++) {
            if (before.get(key) == busy) {
                assertThat(meanwhile.get(key)).isNotSameAs(busy);
            } else {
                assertThat(meanwhile.get(key)).isSameAs(before.get(key));
            }
        }
        assertThat(choices(picker)).isEqualTo(before);
    }

    @Test
    void loadEstimateOfManyMembersIsAccurate() {
        List<Member> members = Backends.members(2000); // with so many members, a pick does not sum up all loads
        Picker picker = strategy().compile(members);
        SeededRequest request = request().affinity(HOT);

        for (int i = 0; i < 40_000; i++) {
            Backend choice = picker.pick(request);
            assertThat(choice).isNotNull();
            choice.inFlight().begin();
        }

        // Each member has 20 exchanges on average.
        assertThat(members)
                .allMatch(member -> member.backend().inFlight().count() <= 26)
                .anyMatch(member -> member.backend().inFlight().count() >= 24);
    }

    @Test
    @Timeout(20)
    void concurrentPicksStayNearBound() throws InterruptedException {
        int threads = 4;
        int each = 500;
        List<Member> members = Backends.members(10);
        Picker picker = strategy().compile(members);
        CountDownLatch started = new CountDownLatch(threads);
        List<Thread> all = new ArrayList<>();
        for (int seed = 0; seed < threads; seed++) {
            SeededRequest request = new SeededRequest(seed).affinity(HOT);
            all.add(new Thread(() -> {
                started.countDown();
                for (int i = 0; i < each; i++) {
                    Backend choice = picker.pick(request);
                    if (choice != null) {
                        choice.inFlight().begin();
                    }
                }
            }));
        }
        all.forEach(Thread::start);
        for (Thread thread : all) {
            thread.join();
        }

        assertThat(members.stream()
                        .mapToInt(member -> member.backend().inFlight().count())
                        .sum())
                .isEqualTo(threads * each);
        // Between the pick and the count, each thread may exceed the bound by one exchange.
        assertThat(members).allMatch(member -> member.backend().inFlight().count() <= 250 + threads + FAR_ENOUGH);
    }

    private static List<Backend> choices(Picker picker) {
        SeededRequest request = request();
        return IntStream.range(0, KEYS)
                .mapToObj(key -> picker.pick(request.affinity(Hash64.mix(key))))
                .toList();
    }
}
