package io.ballast.replication.limit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.ballast.policy.config.Rate;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class ClusterLimitsTest {

    private static final List<String> VOTERS = List.of("a", "b", "c");
    private static final Rate RATE = new Rate(100, Duration.ofSeconds(1), 200);
    private static final int STEPS_PER_SECOND = 1000 / SharingNodes.STEP_MILLIS;

    private static SharingNodes three(long seed, Rate rate) {
        SharingNodes nodes = new SharingNodes(seed, rate, VOTERS);
        VOTERS.forEach(nodes::join);
        nodes.advance(Duration.ofSeconds(3));
        return nodes;
    }

    /** Sends requests to all nodes for some seconds; the loads are requests per second of each node. */
    private static int run(SharingNodes nodes, int seconds, double... loads) {
        int before = nodes.admitted();
        for (int step = 0; step < seconds * STEPS_PER_SECOND; step++) {
            int at = 0;
            for (SharingNodes.Node node : nodes.nodes.values()) {
                node.request(loads[at++]);
            }
            nodes.step();
        }
        return nodes.admitted() - before;
    }

    @Test
    void nodesTogetherAdmitTheRateForAnySkew() {
        Stream.of(new double[] {300, 0, 0}, new double[] {100, 100, 100}, new double[] {200, 60, 10}, new double[] {
                    90, 90, 0
                })
                .forEach(loads -> {
                    SharingNodes nodes = three(1, RATE);
                    run(nodes, 10, loads);

                    int admitted = run(nodes, 20, loads);

                    assertThat(admitted / 20.0)
                            .as("loads %s", Arrays.toString(loads))
                            .isBetween(0.93 * 100, 1.02 * 100);
                    assertThat(nodes.worstRatio()).isLessThan(1.25);
                });
    }

    @Test
    void clientOfOneNodeGetsItsFullRate() {
        SharingNodes nodes = three(2, RATE);
        run(nodes, 4, 90, 0, 0);

        assertThat(run(nodes, 10, 90, 0, 0)).isBetween(898, 902);
    }

    @Test
    void lessThanTheRateIsAdmittedEverywhere() {
        SharingNodes nodes = three(3, RATE);
        run(nodes, 3, 30, 30, 30);

        assertThat(run(nodes, 10, 30, 30, 30)).isBetween(895, 905);
    }

    @Test
    void allNodesTogetherExceedTheLimitByAQuarterAtMost() {
        double worst = 0;
        long seed = 20261130;
        SplittableRandom random = new SplittableRandom(seed);
        List<Rate> rates = List.of(
                RATE,
                new Rate(100, Duration.ofSeconds(1), 100),
                new Rate(1_000, Duration.ofSeconds(10), 50),
                new Rate(600, Duration.ofMinutes(1), 600),
                new Rate(10_000, Duration.ofHours(1), 10_000));
        for (int i = 0; i < 40; i++) {
            Rate rate = rates.get(i % rates.size());
            double perSecond =
                    Math.max(20, rate.count() * 1000.0 / rate.period().toMillis());
            SharingNodes nodes = three(random.nextLong(), rate);
            for (int phase = 0; phase < 6; phase++) {
                double[] loads = random.doubles(3)
                        .map(draw -> draw < 0.3 ? 0 : draw < 0.6 ? perSecond * draw : perSecond * 20 * draw)
                        .toArray();
                run(nodes, 1 + random.nextInt(8), loads);
            }
            worst = Math.max(worst, nodes.worstRatio());
            assertThat(nodes.worstRatio())
                    .as("seed %d, run %d, %s", seed, i, rate)
                    .isLessThanOrEqualTo(1.25);
        }
        assertThat(worst).isGreaterThan(1); // the loads reach the limit
    }

    @Test
    void lossOfNodesDoesNotExceedTheLimitEither() {
        SplittableRandom random = new SplittableRandom(7);
        for (int i = 0; i < 20; i++) {
            SharingNodes nodes = three(random.nextLong(), RATE);
            run(nodes, 5, 500, 0, 0);
            nodes.cut("a");
            run(nodes, 1 + random.nextInt(3), 500, 0, 0);
            run(nodes, 12, 500, 500, random.nextInt(500));
            nodes.connect("a");
            run(nodes, 8, 0, 500, 500);

            assertThat(nodes.worstRatio()).as("run %d", i).isLessThanOrEqualTo(1.25);
        }
    }

    @Test
    void nodeThatIsCutOffUsesItsOwnPart() {
        SharingNodes nodes = three(4, RATE);
        run(nodes, 5, 500, 0, 0);
        assertThat(nodes.nodes.get("a").share()).isCloseTo(1, within(0.01));
        nodes.cut("a");
        run(nodes, 10, 500, 0, 0);

        assertThat(nodes.nodes.get("a").share()).isCloseTo(1.0 / 3, within(0.01));
    }

    @Test
    void burstIsNotRepeatedOnEachNode() {
        Rate slow = new Rate(1_000, Duration.ofHours(1), 1_000);
        SharingNodes nodes = three(5, slow);

        int admitted = run(nodes, 20, 200, 0, 0) + run(nodes, 20, 0, 200, 0) + run(nodes, 20, 0, 0, 200);

        assertThat(admitted).isBetween(950, 1_250);
    }

    @Test
    void nodeWithoutTheLimitHasNoPart() {
        SharingNodes nodes = new SharingNodes(6, RATE, VOTERS);
        nodes.join("a");
        nodes.join("b");
        nodes.add("c");
        nodes.connect("c");
        nodes.advance(Duration.ofSeconds(3));

        assertThat(nodes.nodes.get("a").share()).isCloseTo(0.5, within(0.01));
        assertThat(nodes.nodes.get("a").limits.stats().limits()).singleElement().satisfies(limit -> {
            assertThat(limit.policy()).isEqualTo("limit");
            assertThat(limit.nodes()).containsExactlyInAnyOrder("a", "b");
        });
    }

    @Test
    void forgottenNodeHasNoPart() {
        SharingNodes nodes = three(8, RATE);
        nodes.cut("c");
        nodes.advance(Duration.ofSeconds(30));
        assertThat(nodes.nodes.get("a").share()).isCloseTo(1.0 / 3, within(0.01));

        nodes.nodes.get("a").limits.forget("c");
        nodes.nodes.get("b").limits.forget("c");
        nodes.advance(Duration.ofSeconds(3));

        assertThat(nodes.nodes.get("a").share()).isCloseTo(0.5, within(0.01));
    }

    @Test
    void messageIsBounded() {
        SharingNodes nodes = three(9, new Rate(1, Duration.ofSeconds(1), 5));
        SharingNodes.Node a = nodes.nodes.get("a");
        new SplittableRandom(1).longs(30_000).forEach(key -> a.table.charge(key, nodes.scheduler.nanoTime(), 0));
        long before = a.limits.counters().sentBytes();
        nodes.advance(Duration.ofSeconds(1));

        long sent = a.limits.counters().sentBytes() - before;

        assertThat(sent).isBetween(2 * 1_000L * 16, 2 * (100 + LimitMessage.MAX_KEYS * 16L));
    }
}
