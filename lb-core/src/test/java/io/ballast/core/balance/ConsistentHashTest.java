package io.ballast.core.balance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.ballast.core.backend.Backend;
import io.ballast.core.config.StrategyKind;
import io.ballast.core.testing.Backends;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ConsistentHashTest extends StrategyContractTest {

    private static final int CLIENTS = 20_000;

    private final List<Member> members = Backends.weighted(5, 2, 2, 1);
    private final Strategy strategy = strategy();

    ConsistentHashTest() {
        super(StrategyKind.IP_HASH);
    }

    @Test
    void clientKeepsMember() {
        Picker picker = strategy.compile(members);

        for (int client = 0; client < 100; client++) {
            assertThat(pick(picker, client)).isSameAs(pick(picker, client));
        }
        assertThat(choices(strategy.compile(members))).isEqualTo(choices(picker));
    }

    @Test
    void neighbouringClientsSpreadByWeight() {
        List<Backend> choices = choices(strategy.compile(members));

        for (Member member : members) {
            long share = choices.stream()
                    .filter(choice -> choice == member.backend())
                    .count();
            assertThat(share / (double) CLIENTS).isCloseTo(member.weight() / 10.0, within(0.01));
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3})
    void onlyClientsOfRemovedMemberMoveAndReturn(int index) {
        Backend removed = members.get(index).backend();
        List<Backend> before = choices(strategy.compile(members));

        List<Backend> without = choices(strategy.compile(
                members.stream().filter(member -> member.backend() != removed).toList()));
        List<Backend> after = choices(strategy.compile(members));

        for (int client = 0; client < CLIENTS; client++) {
            if (before.get(client) == removed) {
                assertThat(without.get(client)).isNotSameAs(removed);
            } else {
                assertThat(without.get(client)).isSameAs(before.get(client));
            }
        }
        assertThat(after).isEqualTo(before);
    }

    @Test
    void clientsReturnFromLastRemainingMember() {
        List<Backend> before = choices(strategy.compile(members));

        assertThat(choices(strategy.compile(members.subList(2, 3))))
                .containsOnly(members.get(2).backend());

        assertThat(choices(strategy.compile(members))).isEqualTo(before);
    }

    @Test
    void largeTableKeepsSizeWhenMembersLeave() {
        List<Member> many = Backends.members(2100); // the table doubles in size above 2,048 members
        Backend removed = many.get(2099).backend();
        List<Backend> before = choices(strategy.compile(many));

        List<Backend> after = choices(strategy.compile(many.subList(0, 2000)));

        Set<Backend> left = backends(many.subList(0, 2000));
        for (int client = 0; client < CLIENTS; client++) {
            if (left.contains(before.get(client))) {
                assertThat(after.get(client)).isSameAs(before.get(client));
            }
        }
        assertThat(before).contains(removed);
    }

    @Test
    void substituteForFullMemberIsStablePerClient() {
        List<Member> limited = IntStream.range(0, 4)
                .mapToObj(id -> new Member(Backends.backend(id, 1), 1, 0))
                .toList();
        Picker picker = strategy.compile(limited);
        List<Integer> clients = IntStream.range(0, CLIENTS)
                .filter(client -> pick(picker, client) == limited.get(0).backend())
                .boxed()
                .toList();
        limited.get(0).backend().inFlight().begin();

        List<Backend> substitutes = new ArrayList<>();
        for (int client : clients) {
            assertThat(pick(picker, client)).isSameAs(pick(picker, client));
            substitutes.add(pick(picker, client));
        }

        for (Member member : limited.subList(1, 4)) {
            long share = substitutes.stream()
                    .filter(choice -> choice == member.backend())
                    .count();
            assertThat(share / (double) clients.size()).isCloseTo(1 / 3.0, within(0.03));
        }
    }

    @ParameterizedTest(name = "{0} members: 2^{1} slots")
    @CsvSource({"2, 16", "2048, 16", "2049, 17", "4096, 17", "10000, 19", "32768, 20", "1000000, 20"})
    void tableGrowsWithMembersUpToLimit(int members, int bits) {
        assertThat(ConsistentHash.bits(members)).isEqualTo(bits);
    }

    private static List<Backend> choices(Picker picker) {
        return IntStream.range(0, CLIENTS)
                .mapToObj(client -> pick(picker, client))
                .toList();
    }

    /** Picks a backend for a client. The address of client n is 10.0.0.0 + n. */
    private static Backend pick(Picker picker, int client) {
        return picker.pick(request().affinity(Affinity.DEFAULT.ofIpv4(0x0A000000 + client)));
    }
}
