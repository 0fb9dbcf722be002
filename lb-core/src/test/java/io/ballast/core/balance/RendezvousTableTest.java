package io.ballast.core.balance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.ballast.core.backend.Backend;
import io.ballast.core.testing.Backends;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RendezvousTableTest {

    private static final int BITS = 16;
    private static final int SLOTS = 1 << BITS;

    private final List<Member> members = Backends.weighted(5, 2, 2, 1, 10, 3);

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3, 4, 5})
    void removedMemberFreesOnlyItsSlots(int removed) {
        List<Member> left = without(members, removed);
        Backend[] before = owners(members);
        Backend[] after = owners(left);

        for (int slot = 0; slot < SLOTS; slot++) {
            if (before[slot] != members.get(removed).backend()) {
                assertThat(after[slot]).isSameAs(before[slot]);
            }
        }
    }

    @Test
    void freedSlotsAreDividedByWeight() {
        Backend removed = members.get(4).backend();
        Backend[] before = owners(members);
        Backend[] after = owners(without(members, 4));

        long[] inherited = new long[members.size()];
        for (int slot = 0; slot < SLOTS; slot++) {
            if (before[slot] == removed) {
                inherited[indexOf(after[slot])]++;
            }
        }

        double total = Arrays.stream(inherited).sum();
        assertThat(inherited[4]).isZero();
        for (int i : new int[] {0, 1, 2, 3, 5}) {
            assertThat(inherited[i] / total).isCloseTo(members.get(i).weight() / 13.0, within(0.015));
        }
    }

    @Test
    void sharesFollowWeights() {
        double[] shares = new double[members.size()];
        for (Backend owner : owners(members)) {
            shares[indexOf(owner)] += 1.0 / SLOTS;
        }

        for (int i = 0; i < shares.length; i++) {
            double expected = members.get(i).weight() / 23.0;
            double deviation = Math.sqrt(expected * (1 - expected) / SLOTS);
            assertThat(shares[i]).isCloseTo(expected, within(4 * deviation));
        }
    }

    @Test
    void slotsReflectExtremeWeights() {
        List<Member> uneven = Backends.weighted(1000, 1);

        long light = Arrays.stream(owners(uneven))
                .filter(owner -> owner == uneven.get(1).backend())
                .count();

        assertThat(light).as("of 65,536 slots, 65 expected").isBetween(40L, 95L);
    }

    @Test
    void orderOfMembersHasNoEffect() {
        List<Member> shuffled = new ArrayList<>(members);
        Collections.shuffle(shuffled, new Random(4));

        assertThat(owners(shuffled)).isEqualTo(owners(members));
    }

    @Test
    void higherWeightTakesSlotsWithoutMovingOthers() {
        Member heavier = new Member(members.get(1).backend(), 7, 0);
        List<Member> changed = new ArrayList<>(members);
        changed.set(1, heavier);
        Backend[] before = owners(members);
        Backend[] after = owners(changed);

        int won = 0;
        for (int slot = 0; slot < SLOTS; slot++) {
            if (after[slot] != before[slot]) {
                assertThat(after[slot]).isSameAs(heavier.backend());
                won++;
            }
        }
        assertThat(won / (double) SLOTS).isCloseTo(7 / 28.0 - 2 / 23.0, within(0.01));
    }

    @Test
    void nearlyAllOfManyMembersHaveSlots() {
        List<Member> many = Backends.members(2048);

        long owning =
                Arrays.stream(RendezvousTable.owners(many, BITS)).distinct().count();

        assertThat(owning).isEqualTo(2048);
    }

    private int indexOf(Backend backend) {
        return IntStream.range(0, members.size())
                .filter(i -> members.get(i).backend() == backend)
                .findFirst()
                .orElseThrow();
    }

    private static Backend[] owners(List<Member> members) {
        return Arrays.stream(RendezvousTable.owners(members, BITS))
                .mapToObj(index -> members.get(index).backend())
                .toArray(Backend[]::new);
    }

    private static List<Member> without(List<Member> members, int index) {
        List<Member> left = new ArrayList<>(members);
        left.remove(index);
        return left;
    }
}
