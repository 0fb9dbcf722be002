package io.ballast.core.balance;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.core.backend.Backend;
import io.ballast.core.config.StrategyKind;
import io.ballast.core.testing.Backends;
import io.ballast.core.testing.ChiSquare;
import io.ballast.core.testing.SeededRequest;
import java.util.List;
import org.junit.jupiter.api.Test;

class PowerOfTwoTest extends StrategyContractTest {

    private final List<Member> members = Backends.members(4);

    PowerOfTwoTest() {
        super(StrategyKind.POWER_OF_TWO);
    }

    @Test
    void picksLessLoadedOfTwoDrawn() {
        Backends.load(at(1), 3);
        Backends.load(at(2), 2);

        assertThat(pick(draw(1, 2))).isSameAs(at(2));
        assertThat(pick(draw(2, 1))).isSameAs(at(2));
        assertThat(pick(draw(1, 3))).isSameAs(at(3));
    }

    @Test
    void firstDrawnWinsTie() {
        assertThat(pick(draw(1, 2))).isSameAs(at(1));
        assertThat(pick(draw(2, 1))).isSameAs(at(2));
    }

    @Test
    void comparesBothOfTwoMembers() {
        List<Member> two = Backends.members(2);
        Backends.load(two.get(0).backend(), 1);

        assertThat(sequence(strategy().compile(two), 50))
                .containsOnly(two.get(1).backend());
    }

    @Test
    void loadIsComparedPerWeight() {
        List<Member> weighted = Backends.weighted(3, 2);
        Backend heavy = weighted.get(0).backend();
        Backend light = weighted.get(1).backend();
        Backends.load(heavy, 4);
        Backends.load(light, 3);
        Picker picker = strategy().compile(weighted);

        assertThat(sequence(picker, 50)).as("4/3 is less than 3/2").containsOnly(heavy);

        Backends.load(heavy, 1);
        assertThat(sequence(picker, 50)).as("5/3 is more than 3/2").containsOnly(light);
    }

    @Test
    void idleMembersAreUsedByWeight() {
        List<Member> weighted = Backends.weighted(5, 2, 2, 1);

        ChiSquare.assertFits(counts(strategy().compile(weighted), weighted, 50_000), 5, 2, 2, 1);
    }

    @Test
    void picksOnlyAvailableOfTwoDrawn() {
        Backends.load(at(1), 9);

        assertThat(pick(draw(2, 1).exclude(at(2)))).isSameAs(at(1));
        assertThat(pick(draw(1, 2).exclude(at(2)))).isSameAs(at(1));
    }

    @Test
    void drawsAgainWhenBothAreExcluded() {
        SeededRequest request = draw(0, 1).script(bits(2, 3)).exclude(at(0)).exclude(at(1));

        assertThat(pick(request)).isSameAs(at(2));
    }

    @Test
    void scansMembersAfterFiveFailedDraws() {
        long pair = bits(1, 0);
        SeededRequest request = new SeededRequest(1)
                .script(pair, pair, pair, pair, pair, 4711)
                .exclude(at(0))
                .exclude(at(1));

        assertThat(pick(request)).as("the first open one after the last drawn").isSameAs(at(2));
        assertThat(request.nextRandom()).as("the sixth is left").isEqualTo(4711);
    }

    @Test
    void sameDrawTwiceStillComparesTwoMembers() {
        List<Member> weighted = Backends.weighted(1000, 1);
        Backends.load(weighted.get(0).backend(), 1001);
        SeededRequest request = new SeededRequest(1).script(0, 4711);

        assertThat(strategy().compile(weighted).pick(request))
                .as("the light one, idle, although both draws hit the heavy one")
                .isSameAs(weighted.get(1).backend());
        assertThat(request.nextRandom()).as("one random number is enough").isEqualTo(4711);
    }

    @Test
    void secondDrawIsUniformAfterSameDraw() {
        List<Member> weighted = Backends.weighted(5, 2, 2, 1);
        Backends.load(weighted.get(0).backend(), 1000);

        long[] counts = counts(strategy().compile(weighted), weighted, 100_000);

        // The heavy member, drawn with a probability of 1/2, always loses. A light member of probability p wins when
        // drawn first (p) or when drawn second after the heavy member (p / 2). If the heavy member is drawn twice,
        // each of the three light members wins with equal probability (1/12).
        assertThat(counts[0]).isZero();
        ChiSquare.assertFits(
                new long[] {counts[1], counts[2], counts[3]},
                0.2 * 3 / 2 + 1 / 12.0,
                0.2 * 3 / 2 + 1 / 12.0,
                0.1 * 3 / 2 + 1 / 12.0);
    }

    @Test
    void loadIsNearlyEvenForUnfinishedExchanges() {
        List<Member> many = Backends.members(100);
        Picker picker = strategy().compile(many);
        SeededRequest request = request();

        for (int i = 0; i < 10_000; i++) {
            picker.pick(request).inFlight().begin();
        }

        assertThat(many)
                .allSatisfy(member -> assertThat(member.backend().inFlight().count())
                        .as("one random choice would give up to 130")
                        .isBetween(95, 103));
    }

    private Backend at(int index) {
        return members.get(index).backend();
    }

    private Backend pick(SeededRequest request) {
        return strategy().compile(members).pick(request);
    }

    private static SeededRequest draw(int first, int second) {
        return new SeededRequest(1).script(bits(first, second));
    }

    /** Random bits that draw these two of four members of equal weight. */
    private static long bits(int first, int second) {
        long upper = (long) first << 62;
        int other = second < first ? second : second - 1;
        long lower = (other * (1L << 32) + 2) / 3;
        return upper | lower;
    }
}
