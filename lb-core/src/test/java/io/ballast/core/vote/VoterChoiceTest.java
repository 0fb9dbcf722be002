package io.ballast.core.vote;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class VoterChoiceTest {

    private static final int BACKENDS = 6000;
    private static final Set<String> NODES = Set.of("n1", "n2", "n3", "n4", "n5");

    private static Set<String> choose(int backend, Set<String> nodes, int voters) {
        return VoterChoice.of("web/10.0.0." + backend + ":8080", nodes, voters);
    }

    @Test
    void fewNodesAreAllChosen() {
        assertThat(VoterChoice.of("web/a", NODES, 5)).isEqualTo(NODES);
        assertThat(VoterChoice.of("web/a", NODES, 9)).isEqualTo(NODES);
        assertThat(VoterChoice.of("web/a", Set.of("n1"), 1)).containsExactly("n1");
    }

    @Test
    void theWorkIsShared() {
        Map<String, Integer> shares = new HashMap<>();
        for (int i = 0; i < BACKENDS; i++) {
            Set<String> chosen = choose(i, NODES, 2);
            assertThat(chosen).hasSize(2);
            chosen.forEach(node -> shares.merge(node, 1, Integer::sum));
        }

        assertThat(shares).hasSize(5);
        // 2400 on average; the standard deviation is 38
        assertThat(shares.values()).allSatisfy(share -> assertThat(share).isBetween(2200, 2600));
    }

    @Test
    void aNodeThatLeavesIsReplacedByOneOther() {
        Set<String> without = new HashSet<>(NODES);
        without.remove("n3");
        for (int i = 0; i < BACKENDS; i++) {
            Set<String> before = choose(i, NODES, 2);
            Set<String> after = choose(i, without, 2);
            Set<String> kept = new HashSet<>(before);
            kept.remove("n3");
            assertThat(after).hasSize(2).containsAll(kept);
        }
    }

    /** The choice must be the same in all releases: nodes of different releases work together. */
    @Test
    void theChoiceIsTheSameInAllReleases() {
        List<String> chosen = IntStream.range(0, 8)
                .mapToObj(backend -> choose(backend, NODES, 1).iterator().next())
                .toList();

        assertThat(chosen).containsExactly("n5", "n2", "n2", "n5", "n5", "n1", "n1", "n2");
    }
}
