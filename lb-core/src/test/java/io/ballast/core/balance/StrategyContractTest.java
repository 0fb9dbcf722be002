package io.ballast.core.balance;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.ballast.core.backend.Backend;
import io.ballast.core.config.StrategyConfig;
import io.ballast.core.config.StrategyKind;
import io.ballast.core.testing.Backends;
import io.ballast.core.testing.SeededRequest;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The contract of all strategies, with one subclass for each strategy. */
abstract class StrategyContractTest {

    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private static final long SEED = 20_261_120;

    private final StrategyConfig config;

    StrategyContractTest(StrategyConfig config) {
        this.config = config;
    }

    StrategyContractTest(StrategyKind kind) {
        this(StrategyConfig.of(kind));
    }

    /**
     * Returns member sets that cover different kinds of indexes, weights and priorities; one set exceeds the size
     * limit of every table.
     */
    static Stream<List<Member>> memberSets() {
        int[] mixed = IntStream.range(0, 300).map(i -> 1 + i * 7 % 1000).toArray();
        return Stream.of(
                Backends.members(1),
                Backends.members(2),
                Backends.members(7),
                Backends.weighted(5, 2, 2, 1),
                Backends.weighted(1000, 1),
                Backends.tiered(1, 0, 1, 0, 2),
                Backends.members(300),
                Backends.weighted(mixed));
    }

    @Test
    void hasKind() {
        assertThat(strategy().kind()).isEqualTo(config.kind());
    }

    @Test
    void picksNothingWithoutMembers() {
        assertThat(strategy().compile(List.of()).pick(request())).isNull();
    }

    @ParameterizedTest
    @MethodSource("memberSets")
    void picksOnlyMembers(List<Member> members) {
        Picker picker = strategy().compile(members);
        SeededRequest request = request();

        Set<Backend> expected = backends(members);
        for (int i = 0; i < 1000; i++) {
            assertThat(picker.pick(request.affinity(Hash64.mix(i)))).isIn(expected);
        }
    }

    @ParameterizedTest
    @MethodSource("memberSets")
    void visitsEachMemberOnceWhenChoicesAreExcluded(List<Member> members) {
        Picker picker = strategy().compile(members);
        SeededRequest request = request();
        Set<Backend> visited = identitySet();

        for (int i = 0; i < members.size(); i++) {
            Backend choice = picker.pick(request);
            assertThat(choice).isNotNull();
            assertThat(visited.add(choice)).as("%s is new", choice).isTrue();
            request.exclude(choice);
        }

        assertThat(visited).isEqualTo(backends(members));
        assertThat(picker.pick(request)).isNull();
    }

    @Test
    void fillsAllMembersThenPicksNothing() {
        List<Member> members = Backends.limited(5, 3);
        Picker picker = strategy().compile(members);
        SeededRequest request = request();

        for (int i = 0; i < 15; i++) {
            Backend choice = picker.pick(request.affinity(Hash64.mix(i)));
            assertThat(choice).isNotNull();
            assertThat(choice.inFlight().isFull()).isFalse();
            choice.inFlight().begin();
        }

        assertThat(picker.pick(request)).isNull();
        assertThat(members).allMatch(member -> member.backend().inFlight().count() == 3);
    }

    @Test
    void picksMemberAfterCapacityIsFreed() {
        List<Member> members = Backends.limited(4, 1);
        members.forEach(member -> member.backend().inFlight().begin());
        Picker picker = strategy().compile(members);

        members.get(2).backend().inFlight().end();

        assertThat(picker.pick(request())).isSameAs(members.get(2).backend());
    }

    @Test
    void picksOnlyMemberUnlessFullOrExcluded() {
        Backend only = Backends.backend(0, 1);
        Picker picker = strategy().compile(List.of(new Member(only, 3, 0)));

        assertThat(picker.pick(request())).isSameAs(only);
        assertThat(picker.pick(request().exclude(only))).isNull();
        only.inFlight().begin();
        assertThat(picker.pick(request())).isNull();
    }

    @Test
    void newPickerIgnoresRemovedMembers() {
        Strategy strategy = strategy();
        List<Member> members = Backends.members(6);
        strategy.compile(members);

        Picker picker = strategy.compile(members.subList(0, 2));

        Set<Backend> left = backends(members.subList(0, 2));
        SeededRequest request = request();
        for (int i = 0; i < 200; i++) {
            assertThat(picker.pick(request.affinity(Hash64.mix(i)))).isIn(left);
        }
    }

    @Test
    @Timeout(20)
    void concurrentPickersUseTheirOwnMembers() throws Exception {
        List<Member> all = Backends.weighted(5, 2, 2, 1, 1, 3);
        Strategy strategy = strategy();
        AtomicReference<Compiled> current = new AtomicReference<>(Compiled.of(strategy, all));
        AtomicBoolean done = new AtomicBoolean();
        LongAdder picks = new LongAdder();
        ExecutorService threads = Executors.newFixedThreadPool(3);
        try {
            List<Future<?>> pickers = IntStream.range(0, 3)
                    .<Future<?>>mapToObj(seed -> threads.submit(() -> pickUntil(done, current, seed, picks)))
                    .toList();
            for (int i = 0; i < 40; i++) {
                current.set(Compiled.of(strategy, all.subList(i % 5, i % 5 + 1 + i % 2)));
                long some = picks.sum() + 100;
                while (picks.sum() < some) {
                    Thread.onSpinWait();
                }
            }
            done.set(true);
            for (Future<?> picker : pickers) {
                picker.get();
            }
        } finally {
            done.set(true);
            threads.shutdownNow();
        }
    }

    @ParameterizedTest
    @MethodSource("memberSets")
    void pickAllocatesNothing(List<Member> members) {
        Picker picker = strategy().compile(members);
        SeededRequest request = request().exclude(members.get(0).backend());
        pickOften(picker, request, 20_000); // loads the classes and links the call sites

        long before = THREADS.getThreadAllocatedBytes(Thread.currentThread().getId());
        Backend last = pickOften(picker, request, 20_000);
        long bytes = THREADS.getThreadAllocatedBytes(Thread.currentThread().getId()) - before;

        assertThat(bytes)
                .as("bytes for 20,000 picks, of which the last was %s", last)
                .isLessThan(2_000);
    }

    final Strategy strategy() {
        return Strategies.create(config);
    }

    static SeededRequest request() {
        return new SeededRequest(SEED);
    }

    /**
     * Returns how often each member is picked, in the order of the members; each pick has a different affinity.
     */
    static long[] counts(Picker picker, List<Member> members, int picks) {
        Map<Backend, Integer> index = new HashMap<>();
        members.forEach(member -> index.put(member.backend(), index.size()));
        long[] counts = new long[members.size()];
        SeededRequest request = request();
        for (int i = 0; i < picks; i++) {
            counts[index.get(picker.pick(request.affinity(Hash64.mix(i))))]++;
        }
        return counts;
    }

    /** Returns how often several concurrent threads pick each member, with {@code picks} picks per thread. */
    static long[] countsOverThreads(Picker picker, List<Member> members, int threads, int picks)
            throws InterruptedException {
        long[] total = new long[members.size()];
        List<Thread> started = IntStream.range(0, threads)
                .mapToObj(i -> new Thread(() -> {
                    long[] counts = counts(picker, members, picks);
                    synchronized (total) {
                        Arrays.setAll(total, member -> total[member] + counts[member]);
                    }
                }))
                .toList();
        started.forEach(Thread::start);
        for (Thread thread : started) {
            thread.join();
        }
        return total;
    }

    /** Returns the picked backends in order. */
    static List<Backend> sequence(Picker picker, int picks) {
        SeededRequest request = request();
        List<Backend> sequence = new ArrayList<>();
        for (int i = 0; i < picks; i++) {
            sequence.add(picker.pick(request));
        }
        return sequence;
    }

    static Set<Backend> backends(List<Member> members) {
        Set<Backend> backends = identitySet();
        members.forEach(member -> backends.add(member.backend()));
        return backends;
    }

    private static Set<Backend> identitySet() {
        return Collections.newSetFromMap(new IdentityHashMap<>());
    }

    private static void pickUntil(AtomicBoolean done, AtomicReference<Compiled> current, int seed, LongAdder picks) {
        SeededRequest request = new SeededRequest(seed);
        while (!done.get()) {
            Compiled compiled = current.get();
            assertThat(compiled.members).contains(compiled.picker.pick(request.affinity(request.nextRandom())));
            picks.increment();
        }
    }

    private static Backend pickOften(Picker picker, SeededRequest request, int picks) {
        Backend last = null;
        for (int i = 0; i < picks; i++) {
            last = picker.pick(request.affinity(i * Hash64.GOLDEN_STEP).nowNanos(i * 1_000_000L));
        }
        return last;
    }

    private record Compiled(Set<Backend> members, Picker picker) {
        static Compiled of(Strategy strategy, List<Member> members) {
            return new Compiled(backends(members), strategy.compile(members));
        }
    }
}
