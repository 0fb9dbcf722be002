package io.ballast.core.backend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ballast.core.balance.Member;
import io.ballast.core.testing.Backends;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class BackendLoadsTest {

    private static final long NOW = Duration.ofHours(1).toNanos();

    /** Returns backends that share one array for their load values, and backends that have one array each. */
    static Stream<List<Backend>> backends() {
        return Stream.of(
                Backends.limited(20, 3).stream().map(Member::backend).toList(),
                IntStream.range(0, 20).mapToObj(id -> Backends.backend(id, 3)).toList());
    }

    @ParameterizedTest
    @MethodSource("backends")
    void countsEachBackendSeparately(List<Backend> backends) {
        BackendLoads loads = new BackendLoads(backends);
        for (int i = 0; i < backends.size(); i++) {
            Backends.load(backends.get(i), i);
            backends.get(i).responseTime().record(Duration.ofMillis(i + 1).toNanos(), NOW);
        }

        for (int i = 0; i < backends.size(); i++) {
            assertThat(loads.inFlight(i))
                    .isEqualTo(backends.get(i).inFlight().count())
                    .isEqualTo(i);
            assertThat(loads.isFull(i))
                    .isEqualTo(backends.get(i).inFlight().isFull())
                    .isEqualTo(i >= 3);
            assertThat(loads.responseMicros(i, NOW))
                    .isEqualTo(backends.get(i).responseTime().micros(NOW))
                    .isEqualTo((i + 1) * 1000);
        }
    }

    @ParameterizedTest
    @MethodSource("backends")
    void findsLeastLoadedPerWeightFromAnyStart(List<Backend> backends) {
        SplittableRandom random = new SplittableRandom(29);
        int size = backends.size();
        BackendLoads loads = new BackendLoads(backends);
        for (int round = 0; round < 200; round++) {
            backends.forEach(backend -> Backends.load(backend, random.nextInt(3)));
            int[] weights = random.ints(size, 1, 4).toArray();
            int start = random.nextInt(size);

            int expected = start;
            for (int i = start; i < start + size; i++) {
                if (load(backends, weights, i % size) < load(backends, weights, expected)) {
                    expected = i % size;
                }
            }

            assertThat(loads.min(weights, start, NOW)).isEqualTo(expected);
        }
    }

    @Test
    void mixedLoadsCompareEqually() {
        List<Backend> shared = Backends.members(2).stream().map(Member::backend).toList();
        List<Backend> mixed = List.of(Backends.backend(7), shared.get(1), shared.get(0));
        Backends.load(mixed.get(0), 5);
        Backends.load(mixed.get(1), 4);
        Backends.load(mixed.get(2), 6);

        BackendLoads loads = new BackendLoads(mixed);

        assertThat(IntStream.range(0, 3).map(loads::inFlight)).containsExactly(5, 4, 6);
        assertThat(loads.min(new int[] {1, 1, 1}, 2, NOW)).isEqualTo(1);
    }

    @Test
    void allocatesCellsForAnnouncedBackendsOnly() {
        LoadCells cells = new LoadCells(2);

        assertThat(cells.allocateCells()).isNotEqualTo(cells.allocateCells());
        assertThatThrownBy(cells::allocateCells).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void isNeverFullWithoutLimit() {
        BackendLoads loads = new BackendLoads(List.of(Backends.backend(0)));

        assertThat(loads.isFull(0)).isFalse();
    }

    private static double load(List<Backend> backends, int[] weights, int index) {
        return (double) backends.get(index).inFlight().count() / weights[index];
    }
}
