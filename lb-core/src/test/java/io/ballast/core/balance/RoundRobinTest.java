package io.ballast.core.balance;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.core.backend.Backend;
import io.ballast.core.config.StrategyKind;
import io.ballast.core.testing.Backends;
import io.ballast.core.testing.SeededRequest;
import java.util.List;
import org.junit.jupiter.api.Test;

class RoundRobinTest extends StrategyContractTest {

    RoundRobinTest() {
        super(StrategyKind.ROUND_ROBIN);
    }

    @Test
    void cyclesInMemberOrder() {
        List<Member> members = Backends.members(3);

        assertThat(sequence(strategy().compile(members), 7))
                .containsExactly(
                        at(members, 0),
                        at(members, 1),
                        at(members, 2),
                        at(members, 0),
                        at(members, 1),
                        at(members, 2),
                        at(members, 0));
    }

    @Test
    void sharesAreExactOverWholeCycles() {
        List<Member> members = Backends.members(7);

        assertThat(counts(strategy().compile(members), members, 7 * 1000)).containsOnly(1000);
    }

    @Test
    void ignoresWeights() {
        List<Member> members = Backends.weighted(5, 2, 2, 1);

        assertThat(counts(strategy().compile(members), members, 400)).containsOnly(100);
    }

    @Test
    void sharesAreExactOverThreads() throws InterruptedException {
        List<Member> members = Backends.members(6);

        assertThat(countsOverThreads(strategy().compile(members), members, /* threads= */ 4, /* picks= */ 3000))
                .containsOnly(2000);
    }

    @Test
    void cycleContinuesWhenMembersChange() {
        Strategy strategy = strategy();
        List<Member> members = Backends.members(4);
        sequence(strategy.compile(members), 2);

        assertThat(sequence(strategy.compile(members), 2)).containsExactly(at(members, 2), at(members, 3));
    }

    @Test
    void turnsOfFullMemberAreShared() {
        List<Member> members = List.of(
                new Member(Backends.backend(0), 1, 0),
                new Member(Backends.backend(1, 1), 1, 0),
                new Member(Backends.backend(2), 1, 0),
                new Member(Backends.backend(3), 1, 0));
        Backends.load(at(members, 1), 1);

        assertThat(counts(strategy().compile(members), members, 3000)).containsExactly(1000, 0, 1000, 1000);
    }

    @Test
    void findsOnlyAvailableMember() {
        List<Member> members = Backends.limited(40, 1);
        members.forEach(member -> member.backend().inFlight().begin());
        at(members, 31).inFlight().end();
        Picker picker = strategy().compile(members);

        for (int i = 0; i < 80; i++) {
            assertThat(picker.pick(new SeededRequest(1))).isSameAs(at(members, 31));
        }
    }

    private static Backend at(List<Member> members, int index) {
        return members.get(index).backend();
    }
}
