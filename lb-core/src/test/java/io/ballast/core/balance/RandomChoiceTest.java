package io.ballast.core.balance;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.core.config.StrategyKind;
import io.ballast.core.testing.Backends;
import io.ballast.core.testing.ChiSquare;
import io.ballast.core.testing.SeededRequest;
import java.util.List;
import org.junit.jupiter.api.Test;

class RandomChoiceTest extends StrategyContractTest {

    private static final int PICKS = 100_000;

    RandomChoiceTest() {
        super(StrategyKind.RANDOM);
    }

    @Test
    void membersOfEqualWeightAreEquallyLikely() {
        List<Member> members = Backends.members(10);

        long[] counts = counts(strategy().compile(members), members, PICKS);

        ChiSquare.assertFits(counts, ChiSquare.equal(10));
        ChiSquare.assertNotTooRegular(counts, ChiSquare.equal(10));
    }

    @Test
    void membersAreDrawnByWeight() {
        List<Member> members = Backends.weighted(5, 2, 2, 1);

        long[] counts = counts(strategy().compile(members), members, PICKS);

        ChiSquare.assertFits(counts, 5, 2, 2, 1);
        ChiSquare.assertNotTooRegular(counts, 5, 2, 2, 1);
    }

    @Test
    void shareOfFullMemberIsDividedByWeight() {
        List<Member> members = List.of(
                new Member(Backends.backend(0), 2, 0),
                new Member(Backends.backend(1, 1), 2, 0),
                new Member(Backends.backend(2), 1, 0),
                new Member(Backends.backend(3), 1, 0));
        Backends.load(members.get(1).backend(), 1);

        long[] counts = counts(strategy().compile(members), members, PICKS);

        assertThat(counts[1]).isZero();
        ChiSquare.assertFits(new long[] {counts[0], counts[2], counts[3]}, 2, 1, 1);
    }

    @Test
    void upperBitsSelectMember() {
        List<Member> members = Backends.members(4);
        Picker picker = strategy().compile(members);

        for (int i = 0; i < 4; i++) {
            SeededRequest request = new SeededRequest(1).script((long) i << 62, ((long) i << 62) + (1L << 62) - 1);
            assertThat(picker.pick(request)).isSameAs(members.get(i).backend());
            assertThat(picker.pick(request)).isSameAs(members.get(i).backend());
        }
    }

    @Test
    void scansMembersAfterEightFailedDraws() {
        List<Member> members = Backends.members(4);
        Picker picker = strategy().compile(members);
        SeededRequest request =
                new SeededRequest(1).exclude(members.get(0).backend()).script(0, 0, 0, 0, 0, 0, 0, 0, 3L << 62);

        assertThat(picker.pick(request)).isSameAs(members.get(1).backend());
        assertThat(request.nextRandom()).as("the ninth is left").isEqualTo(3L << 62);
    }
}
