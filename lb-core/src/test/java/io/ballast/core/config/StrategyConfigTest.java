package io.ballast.core.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class StrategyConfigTest {

    @ParameterizedTest
    @EnumSource(StrategyKind.class)
    void everyStrategyIsFoundByItsNameAndByItsAliases(StrategyKind kind) {
        assertThat(StrategyKind.named(kind.label())).contains(kind);
        assertThat(kind.aliases())
                .allSatisfy(alias -> assertThat(StrategyKind.named(alias)).contains(kind));
    }

    @ParameterizedTest
    @CsvSource({
        "w-round-robin, WEIGHTED_ROUND_ROBIN",
        "p2c, POWER_OF_TWO",
        "priority, FAILOVER",
        "least-connection, LEAST_CONNECTION"
    })
    void namesThatUsersKnow(String name, StrategyKind kind) {
        assertThat(StrategyKind.named(name)).contains(kind);
    }

    @Test
    void otherNamesAreNotFound() {
        assertThat(StrategyKind.named("")).isEmpty();
        assertThat(StrategyKind.named("ROUND_ROBIN")).isEmpty();
    }

    @Test
    void onlyFailoverHasARuleInsideItsTiersAndItIsAnother() {
        Optional<StrategyKind> random = Optional.of(StrategyKind.RANDOM);
        Optional<StrategyKind> failover = Optional.of(StrategyKind.FAILOVER);

        assertThat(new StrategyConfig(StrategyKind.FAILOVER, random).within()).contains(StrategyKind.RANDOM);
        assertThatThrownBy(() -> new StrategyConfig(StrategyKind.IP_HASH, random))
                .hasMessage("within: random (expected: only with strategy failover)");
        assertThatThrownBy(() -> new StrategyConfig(StrategyKind.FAILOVER, failover))
                .hasMessage("within: failover (expected: a strategy other than failover)");
    }
}
