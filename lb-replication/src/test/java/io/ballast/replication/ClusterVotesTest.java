package io.ballast.replication;

import static io.ballast.core.backend.BackendState.DOWN;
import static io.ballast.core.backend.BackendState.UP;
import static io.ballast.core.config.vote.VotingConfig.ALL_NODES;
import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.core.config.vote.Quorum;
import io.ballast.core.health.explain.BackendExplanation;
import io.ballast.core.health.explain.BackendExplanation.Authority;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests three nodes in one process, which share votes about one backend. */
class ClusterVotesTest {

    private static VotingNodes three(Quorum quorum, int voters) {
        VotingNodes nodes = new VotingNodes(quorum, voters, "n1", "n2", "n3");
        assertThat(nodes.states()).containsExactly(UP, UP, UP);
        return nodes;
    }

    @Test
    void aNodeThatDoesNotReachABackendKeepsItUpIfTheMajorityDoes() {
        VotingNodes nodes = three(Quorum.MAJORITY, ALL_NODES);

        nodes.reach("n1", false);

        assertThat(nodes.states()).containsExactly(UP, UP, UP);
        assertThat(nodes.node("n1").voteEvents())
                .containsExactly("the checks of this node are overruled (down: connection refused), quorum majority:"
                        + " votes for up: 2 of 3, needed: 2");
        assertThat(nodes.node("n2").voteEvents()).isEmpty();
        BackendExplanation explanation = nodes.node("n1").explain();
        assertThat(explanation.levels())
                .filteredOn(BackendExplanation.Level::decides)
                .extracting(BackendExplanation.Level::authority)
                .containsExactly(Authority.VOTES);
        assertThat(explanation.votes().orElseThrow().nodes())
                .extracting(
                        each -> each.node() + " " + each.vote().orElseThrow().label())
                .containsExactly("n1 down", "n2 up", "n3 up");

        nodes.reach("n1", true);
        assertThat(nodes.node("n1").voteEvents()).last().isEqualTo("the checks of this node are no longer overruled");
    }

    @Test
    void withQuorumLocalItIsDownOnThisNodeOnly() {
        VotingNodes nodes = three(Quorum.LOCAL, ALL_NODES);

        nodes.reach("n1", false);

        assertThat(nodes.states()).containsExactly(DOWN, UP, UP);
        assertThat(nodes.node("n2").explain().votes().orElseThrow().nodes())
                .extracting(
                        each -> each.node() + " " + each.vote().orElseThrow().label())
                .containsExactly("n1 down", "n2 up", "n3 up");
    }

    @ParameterizedTest
    @CsvSource({"majority, DOWN", "any, UP", "all, DOWN", "1, UP", "2, DOWN", "3, DOWN"})
    void twoOfThreeDoNotReachTheBackend(String quorum, String state) {
        VotingNodes nodes = three(Quorum.of(quorum), ALL_NODES);

        nodes.reach("n1", false);
        nodes.reach("n2", false);

        assertThat(nodes.states()).extracting(Enum::name).containsExactly(state, state, state);
        nodes.reach("n1", true);
        nodes.reach("n2", true);
        assertThat(nodes.states()).containsExactly(UP, UP, UP);
    }

    @Test
    void aVoteHasItsEffectWithinMilliseconds() {
        VotingNodes nodes = three(Quorum.ALL, ALL_NODES);
        VotingNodes.Node first = nodes.node("n1");
        nodes.node("n1").unreach();
        while (first.state() == UP) {
            nodes.advance(Duration.ofMillis(1));
        }

        nodes.advance(Duration.ofMillis(10));

        assertThat(nodes.states()).containsExactly(DOWN, DOWN, DOWN);
    }

    @ParameterizedTest
    @CsvSource({"majority, true", "majority, false", "any, true", "any, false", "all, true", "all, false"})
    void aPartitionAloneChangesNothing(String quorum, boolean isReaching) {
        VotingNodes nodes = three(Quorum.of(quorum), ALL_NODES);
        List.of("n1", "n2", "n3").forEach(name -> nodes.reach(name, isReaching));
        List<String> before = List.of("n1", "n2", "n3");
        List<List<String>> events =
                before.stream().map(name -> nodes.node(name).events()).toList();

        nodes.cut("n3");
        nodes.settle();
        nodes.heal("n3");
        nodes.stop("n2");
        nodes.cut("n1");

        assertThat(nodes.node("n1").events()).isEqualTo(events.get(0));
        assertThat(nodes.node("n2").events()).isEqualTo(events.get(1));
        assertThat(nodes.node("n3").events()).isEqualTo(events.get(2));
    }

    @Test
    void aNodeThatIsAloneUsesItsOwnVerdict() {
        VotingNodes nodes = three(Quorum.MAJORITY, ALL_NODES);
        nodes.reach("n1", false);

        nodes.cut("n1");
        assertThat(nodes.states()).containsExactly(DOWN, UP, UP);
        assertThat(nodes.node("n2").explain().votes().orElseThrow().nodes())
                .extracting(each -> each.node())
                .containsExactly("n2", "n3");

        nodes.heal("n1");
        assertThat(nodes.states()).containsExactly(UP, UP, UP);
    }

    /**
     * Two of three nodes do not reach the backend. When one of these two is cut off, all three nodes keep the verdict.
     */
    @Test
    void nodesThatDisagreeKeepTheVerdictThatARemainingVoteSupports() {
        VotingNodes nodes = three(Quorum.MAJORITY, ALL_NODES);
        nodes.reach("n1", false);
        nodes.reach("n2", false);

        nodes.cut("n1");
        assertThat(nodes.states()).containsExactly(DOWN, DOWN, DOWN);
        assertThat(nodes.node("n3").explain().levels())
                .filteredOn(BackendExplanation.Level::decides)
                .extracting(BackendExplanation.Level::text)
                .containsExactly("votes for up: 1 of 2; kept down, because votes were only lost");

        nodes.reach("n2", true);
        assertThat(nodes.states()).containsExactly(DOWN, UP, UP);
    }

    @Test
    void oneVoterChecksAndTheOthersUseItsVote() {
        VotingNodes nodes = three(Quorum.MAJORITY, 1);
        List<String> checking = checking(nodes);
        assertThat(checking).hasSize(1);

        nodes.reach(checking.get(0), false);
        assertThat(nodes.states()).containsExactly(DOWN, DOWN, DOWN);
        nodes.reach(checking.get(0), true);
        assertThat(nodes.states()).containsExactly(UP, UP, UP);
    }

    @Test
    void anotherNodeReplacesAVoterThatDies() {
        VotingNodes nodes = three(Quorum.MAJORITY, 1);
        String voter = checking(nodes).get(0);
        List<String> others = List.of("n1", "n2", "n3").stream()
                .filter(name -> !name.equals(voter))
                .toList();
        List<String> before = nodes.node(others.get(0)).events();

        nodes.stop(voter);

        assertThat(nodes.states()).containsExactly(UP, UP);
        assertThat(nodes.node(others.get(0)).events()).isEqualTo(before);
        List<String> next = checking(nodes);
        assertThat(next).hasSize(1).isSubsetOf(others);
        nodes.reach(next.get(0), false);
        assertThat(nodes.states()).containsExactly(DOWN, DOWN);

        nodes.cut(next.get(0)); // now the last node is alone, and checks itself
        String last = others.stream()
                .filter(name -> !name.equals(next.get(0)))
                .findFirst()
                .orElseThrow();
        assertThat(nodes.node(last).isChecking()).isTrue();
        assertThat(nodes.node(last).state()).isEqualTo(UP);
    }

    /** Returns the nodes that check the backend. */
    private static List<String> checking(VotingNodes nodes) {
        return List.of("n1", "n2", "n3").stream()
                .filter(name -> nodes.node(name).isChecking())
                .toList();
    }
}
