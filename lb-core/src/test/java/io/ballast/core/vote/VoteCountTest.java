package io.ballast.core.vote;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.core.config.vote.Quorum;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.function.Predicate;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class VoteCountTest {

    private static final List<Quorum> QUORUMS = List.of(
            Quorum.MAJORITY,
            Quorum.ANY,
            Quorum.ALL,
            Quorum.count(1),
            Quorum.count(2),
            Quorum.count(3),
            Quorum.count(9));

    /**
     * Returns one vote for each character: {@code +} for up, {@code -} for down. Each vote is from a different node.
     */
    private static List<Vote> votes(String text) {
        List<Vote> votes = new ArrayList<>();
        for (int i = 0; i < text.length(); i++) {
            if (text.charAt(i) != '.') {
                votes.add(new Vote("n" + i, text.charAt(i) == '+', "fixture"));
            }
        }
        return votes;
    }

    private static VoteCount count(Quorum quorum, String votes) {
        return VoteCount.of(quorum, votes(votes), Optional.empty()).orElseThrow();
    }

    private static VoteCount after(VoteCount before, Quorum quorum, String votes) {
        return VoteCount.of(quorum, votes(votes), Optional.of(before)).orElseThrow();
    }

    @ParameterizedTest(name = "{displayName} [{index}]: {0} of {1} gives {2}")
    @CsvSource(textBlock = """
        majority, +,     true
        majority, -,     false
        majority, +-,    true
        majority, +--,   false
        majority, ++-,   true
        majority, ++--,  true
        majority, +---,  false
        majority, ++---, false
        any,      ----+, true
        any,      -----, false
        all,      ++++-, false
        all,      +++++, true
        2,        +----, false
        2,        ++---, true
        2,        +,     true
        2,        -,     false
        3,        ++,    true
        3,        +-,    false
        """)
    void theQuorumDecides(String quorum, String votes, boolean isUp) {
        VoteCount count = count(Quorum.of(quorum), votes);

        assertThat(count.isUp()).isEqualTo(isUp);
        assertThat(count.isKept()).isFalse();
        assertThat(count.votes()).hasSize(votes.length());
    }

    @ParameterizedTest(name = "{displayName} [{index}]: {0} of {1}, then {2}, gives {3}")
    @CsvSource(textBlock = """
        majority, +++--, ..+--, true,  n2 still reaches it
        majority, +++--, ...--, false, no remaining vote supports the verdict
        majority, ++---, ++...,  true,  no remaining vote supports the verdict
        majority, ++---, ++-..,  false, n2 still does not reach it
        majority, +++--, ..---, false, a vote has changed
        majority, +++--, ..+---, false, a new vote
        3,        +++--, ..+--, true,  n2 still reaches it
        any,      +----, .----, false, no remaining vote supports the verdict
        all,      ++++-, ++++., true,  no remaining vote supports the verdict
        all,      +++--, +++-., false, n3 still does not reach it
        """)
    void aLossOfVotesKeepsASupportedVerdict(String quorum, String before, String votes, boolean isUp, String why) {
        Quorum rule = Quorum.of(quorum);
        VoteCount after = after(count(rule, before), rule, votes);

        assertThat(after.isUp()).as(why).isEqualTo(isUp);
    }

    @Test
    void aKeptVerdictLastsUntilAVoteChanges() {
        VoteCount kept = after(count(Quorum.MAJORITY, "+++--"), Quorum.MAJORITY, "..+--");
        assertThat(kept.isKept()).isTrue();
        assertThat(kept.text()).isEqualTo("votes for up: 1 of 3; kept up, because votes were only lost");

        VoteCount again = after(kept, Quorum.MAJORITY, "..+--");
        assertThat(again).isEqualTo(kept);
        assertThat(after(again, Quorum.MAJORITY, "..+-.").isUp()).isTrue();
        assertThat(after(again, Quorum.MAJORITY, "..---").isUp()).isFalse();
        assertThat(after(again, Quorum.MAJORITY, "+++--").isKept()).isFalse();
    }

    @Test
    void withoutVotesThePreviousVerdictRemains() {
        VoteCount before = count(Quorum.MAJORITY, "--");

        assertThat(VoteCount.of(Quorum.MAJORITY, List.of(), Optional.of(before)))
                .contains(before);
        assertThat(VoteCount.of(Quorum.MAJORITY, List.of(), Optional.empty())).isEmpty();
    }

    // ---- properties

    private static Random random(RepetitionInfo repetition) {
        return new Random(repetition.getCurrentRepetition());
    }

    private static List<Vote> draw(Random random) {
        List<Vote> votes = new ArrayList<>();
        int nodes = 1 + random.nextInt(9);
        int share = random.nextInt(101);
        for (int i = 0; i < nodes; i++) {
            votes.add(new Vote("n" + i, random.nextInt(100) < share, "fixture"));
        }
        return votes;
    }

    private static Quorum drawQuorum(Random random) {
        return QUORUMS.get(random.nextInt(QUORUMS.size()));
    }

    /** Removes some votes, but not all. */
    private static List<Vote> lose(List<Vote> votes, Random random) {
        List<Vote> left = new ArrayList<>(votes);
        Collections.shuffle(left, random);
        return left.subList(0, 1 + random.nextInt(left.size()));
    }

    @RepeatedTest(value = 300, name = "{displayName}, seed {currentRepetition}")
    void aLossChangesTheVerdictOnlyIfAllRemainingVotesContradictIt(RepetitionInfo repetition) {
        Random random = random(repetition);
        Quorum quorum = drawQuorum(random);
        List<Vote> votes = draw(random);
        VoteCount count = VoteCount.of(quorum, votes, Optional.empty()).orElseThrow();

        for (int i = 0; i < 4; i++) {
            VoteCount before = count;
            votes = lose(votes, random);
            count = VoteCount.of(quorum, votes, Optional.of(before)).orElseThrow();
            Predicate<Vote> supports = vote -> vote.isUp() == before.isUp();
            assertThat(count.isUp()).isEqualTo(votes.stream().anyMatch(supports) == before.isUp());
        }
    }

    @RepeatedTest(value = 100, name = "{displayName}, seed {currentRepetition}")
    void nodesThatAgreeDecideAsOneNodeDoes(RepetitionInfo repetition) {
        Random random = random(repetition);
        Quorum quorum = drawQuorum(random);
        boolean isUp = random.nextBoolean();
        List<Vote> votes = draw(random).stream()
                .map(vote -> new Vote(vote.node(), isUp, vote.reason()))
                .toList();

        assertThat(VoteCount.of(quorum, votes, Optional.empty()).orElseThrow().isUp())
                .isEqualTo(isUp);
    }

    @RepeatedTest(value = 300, name = "{displayName}, seed {currentRepetition}")
    void anotherVoteForUpNeverTakesABackendDown(RepetitionInfo repetition) {
        Random random = random(repetition);
        Quorum quorum = drawQuorum(random);
        List<Vote> votes = draw(random);
        boolean before =
                VoteCount.of(quorum, votes, Optional.empty()).orElseThrow().isUp();
        int changed = random.nextInt(votes.size());
        votes.set(changed, new Vote(votes.get(changed).node(), true, "fixture"));

        boolean after =
                VoteCount.of(quorum, votes, Optional.empty()).orElseThrow().isUp();

        assertThat(after || !before).isTrue();
    }

    @RepeatedTest(value = 100, name = "{displayName}, seed {currentRepetition}")
    void theOrderOfVotesDoesNotMatter(RepetitionInfo repetition) {
        Random random = random(repetition);
        Quorum quorum = drawQuorum(random);
        List<Vote> votes = draw(random);
        List<Vote> shuffled = new ArrayList<>(votes);
        Collections.shuffle(shuffled, random);

        assertThat(VoteCount.of(quorum, shuffled, Optional.empty()))
                .isEqualTo(VoteCount.of(quorum, votes, Optional.empty()));
    }

    /**
     * Tests that all nodes reach the same verdict after a partition, regardless of the verdicts that they kept during
     * it.
     */
    @RepeatedTest(value = 300, name = "{displayName}, seed {currentRepetition}")
    void nodesAgreeWhenAPartitionHasEnded(RepetitionInfo repetition) {
        Random random = random(repetition);
        Quorum quorum = drawQuorum(random);
        List<Vote> votes = draw(random);
        Optional<VoteCount> fresh = VoteCount.of(quorum, votes, Optional.empty());
        List<Vote> remaining = lose(votes, random);
        Optional<VoteCount> during = VoteCount.of(quorum, remaining, fresh);

        Optional<VoteCount> healed = VoteCount.of(quorum, votes, during);

        if (remaining.size() < votes.size()) {
            assertThat(healed).isEqualTo(fresh);
        } else {
            assertThat(healed.orElseThrow().isUp())
                    .isEqualTo(fresh.orElseThrow().isUp());
        }
    }
}
