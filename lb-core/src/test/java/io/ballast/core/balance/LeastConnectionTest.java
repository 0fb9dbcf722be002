package io.ballast.core.balance;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.core.backend.Backend;
import io.ballast.core.config.StrategyKind;
import io.ballast.core.testing.Backends;
import io.ballast.core.testing.ChiSquare;
import io.ballast.core.testing.SeededRequest;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class LeastConnectionTest extends StrategyContractTest {

    LeastConnectionTest() {
        super(StrategyKind.LEAST_CONNECTION);
    }

    @Test
    void findsLeastLoadedUpToExactSize() {
        SplittableRandom random = new SplittableRandom(5);
        for (int round = 0; round < 300; round++) {
            int[] weights = random.ints(random.nextLong(2, LeastConnection.EXACT + 1), 1, 6)
                    .toArray();
            List<Member> members = Backends.weighted(weights);
            members.forEach(member -> Backends.load(member.backend(), random.nextInt(1, 40)));

            Backend choice = strategy().compile(members).pick(request());

            double fewest = members.stream()
                    .mapToDouble(LeastConnectionTest::load)
                    .min()
                    .orElseThrow();
            assertThat(members.stream().filter(member -> member.backend() == choice))
                    .singleElement()
                    .satisfies(member -> assertThat(load(member)).isEqualTo(fewest));
        }
    }

    @Test
    void exactSizeIsInclusive() {
        List<Member> members = Backends.members(LeastConnection.EXACT);
        members.forEach(member -> Backends.load(member.backend(), 2));
        Backend last = members.get(LeastConnection.EXACT - 1).backend();
        last.inFlight().end();

        assertThat(sequence(strategy().compile(members), 20)).containsOnly(last);
    }

    @Test
    void tiedMembersTakeTurns() {
        List<Member> members = Backends.members(4);
        Backends.load(members.get(1).backend(), 1);

        assertThat(sequence(strategy().compile(members), 6))
                .containsExactly(
                        at(members, 0), at(members, 2), at(members, 3), at(members, 0), at(members, 2), at(members, 3));
    }

    @Test
    void tiedMembersTakeTurnsUnderLoad() {
        List<Member> members = Backends.members(3);
        members.forEach(member -> Backends.load(member.backend(), 7));

        assertThat(counts(strategy().compile(members), members, 300)).containsOnly(100);
    }

    @Test
    void turnsContinueWhenMembersLeave() {
        Strategy strategy = strategy();
        List<Member> members = Backends.members(5);
        sequence(strategy.compile(members), 5);
        List<Member> fewer = members.subList(0, 2);

        assertThat(sequence(strategy.compile(fewer), 3))
                .containsExactly(at(members, 0), at(members, 1), at(members, 0));
    }

    @Test
    void loadIsComparedPerWeight() {
        List<Member> members = Backends.weighted(3, 2);
        Backends.load(at(members, 0), 4);
        Backends.load(at(members, 1), 3);
        Picker picker = strategy().compile(members);

        assertThat(sequence(picker, 50)).as("4/3 is less than 3/2").containsOnly(at(members, 0));

        Backends.load(at(members, 0), 1);
        assertThat(sequence(picker, 50)).as("5/3 is more than 3/2").containsOnly(at(members, 1));
    }

    @Test
    void idleMembersAreUsedByWeight() {
        List<Member> members = Backends.weighted(5, 2, 2, 1);

        ChiSquare.assertFits(counts(strategy().compile(members), members, 50_000), 5, 2, 2, 1);
    }

    @Test
    void unfinishedExchangesSpreadByWeight() {
        List<Member> members = Backends.weighted(5, 2, 2, 1);
        Picker picker = strategy().compile(members);
        SeededRequest request = request();

        for (int i = 0; i < 1000; i++) {
            picker.pick(request).inFlight().begin();
        }

        assertThat(members)
                .extracting(member -> member.backend().inFlight().count())
                .containsExactly(500, 200, 200, 100);
    }

    @Test
    void skipsFullAndExcludedMembers() {
        List<Member> members = List.of(
                new Member(Backends.backend(0, 1), 100, 0),
                new Member(Backends.backend(1), 1, 0),
                new Member(Backends.backend(2), 1, 0));
        Backends.load(at(members, 0), 1);
        Backends.load(at(members, 2), 5);

        assertThat(strategy().compile(members).pick(request().exclude(at(members, 1))))
                .isSameAs(at(members, 2));
    }

    @Test
    void skipsFullMemberDrawnAsIdle() {
        List<Member> members = List.of(
                new Member(Backends.backend(0), 1000, 0),
                new Member(Backends.backend(1), 1, 0),
                new Member(Backends.backend(2), 1, 0));
        Picker picker = strategy().compile(members);

        SeededRequest request = request().exclude(at(members, 0));
        for (int i = 0; i < 50; i++) {
            assertThat(picker.pick(request)).isIn(at(members, 1), at(members, 2));
        }
    }

    @Test
    void busyMemberIsNotDrawnByWeight() {
        List<Member> members = Backends.weighted(1000, 1, 1);
        Backends.load(at(members, 0), 1);

        assertThat(sequence(strategy().compile(members), 50)).doesNotContain(at(members, 0));
    }

    @Test
    void picksBetterOfTwoBeyondExactSize() {
        List<Member> members = Backends.members(1024);
        IntStream.range(0, 4).forEach(i -> Backends.load(at(members, i), 4 - i));
        long drawsFirstAndThird = 5L << 20; // draws member 0, then member 2: number 1 of the other 1023

        assertThat(strategy().compile(members).pick(new SeededRequest(1).script(drawsFirstAndThird)))
                .isSameAs(at(members, 2));
    }

    @Test
    void loadIsNearlyEvenBeyondExactSize() {
        List<Member> members = Backends.members(1000);
        Picker picker = strategy().compile(members);
        SeededRequest request = request();

        for (int i = 0; i < 50_000; i++) {
            picker.pick(request).inFlight().begin();
        }

        assertThat(members)
                .allSatisfy(member ->
                        assertThat(member.backend().inFlight().count()).isBetween(44, 53));
    }

    private static double load(Member member) {
        return (double) member.backend().inFlight().count() / member.weight();
    }

    private static Backend at(List<Member> members, int index) {
        return members.get(index).backend();
    }
}
