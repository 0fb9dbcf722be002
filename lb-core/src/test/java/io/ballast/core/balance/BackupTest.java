package io.ballast.core.balance;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.core.backend.Backend;
import io.ballast.core.config.StrategyConfig;
import io.ballast.core.config.StrategyKind;
import io.ballast.core.testing.Backends;
import io.ballast.core.testing.SeededRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class BackupTest {

    private final List<Member> members = List.of(
            new Member(Backends.backend(0), 3, 0),
            new Member(Backends.backend(1), 1, 5),
            new Member(Backends.backend(2), 2, 0, /* backup= */ true, ""),
            new Member(Backends.backend(3), 1, 2, /* backup= */ true, ""));
    private final Backend first = members.get(0).backend();
    private final Backend second = members.get(1).backend();
    private final Set<Backend> backups =
            Set.of(members.get(2).backend(), members.get(3).backend());

    @ParameterizedTest
    @EnumSource(StrategyKind.class)
    void servesWhenNoOtherMemberExists(StrategyKind kind) {
        Strategy strategy = Strategies.create(StrategyConfig.of(kind));

        assertThat(choices(strategy.compile(members))).doesNotContainAnyElementsOf(backups);
        assertThat(choices(strategy.compile(members.subList(1, 4)))).containsOnly(second);
        assertThat(choices(strategy.compile(members.subList(2, 4)))).isSubsetOf(backups);
        assertThat(choices(strategy.compile(members))).doesNotContainAnyElementsOf(backups);
    }

    @ParameterizedTest
    @EnumSource(StrategyKind.class)
    void servesAfterAllOtherMembersRefused(StrategyKind kind) {
        Picker picker = Strategies.create(StrategyConfig.of(kind)).compile(members);

        assertThat(picker.pick(new SeededRequest(1).exclude(first).exclude(second)))
                .isIn(backups);
        assertThat(picker.pick(new SeededRequest(1).exclude(first))).isSameAs(second);
    }

    private static List<Backend> choices(Picker picker) {
        SeededRequest request = new SeededRequest(1);
        List<Backend> choices = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            choices.add(picker.pick(request.affinity(Hash64.mix(i))));
        }
        return choices;
    }
}
