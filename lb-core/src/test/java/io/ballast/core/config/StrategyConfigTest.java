package io.ballast.core.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class StrategyConfigTest {

    @ParameterizedTest
    @EnumSource(StrategyKind.class)
    void findsStrategyByNameAndAliases(StrategyKind kind) {
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
    void unknownNamesAreNotFound() {
        assertThat(StrategyKind.named("")).isEmpty();
        assertThat(StrategyKind.named("ROUND_ROBIN")).isEmpty();
    }

    @Test
    void onlyFailoverHasInnerStrategy() {
        Optional<StrategyKind> random = Optional.of(StrategyKind.RANDOM);
        Optional<StrategyKind> failover = Optional.of(StrategyKind.FAILOVER);

        assertThat(new StrategyConfig(StrategyKind.FAILOVER, random).within()).contains(StrategyKind.RANDOM);
        assertThatThrownBy(() -> new StrategyConfig(StrategyKind.IP_HASH, random))
                .hasMessage("within: random (expected: only with strategy failover, geo, latency or sticky)");
        assertThatThrownBy(() -> new StrategyConfig(StrategyKind.FAILOVER, failover))
                .hasMessage("within: failover (expected: a strategy other than failover, geo, latency and sticky)");
        assertThat(new StrategyConfig(StrategyKind.STICKY, failover).within()).contains(StrategyKind.FAILOVER);
        assertThatThrownBy(() -> new StrategyConfig(StrategyKind.STICKY, Optional.of(StrategyKind.STICKY)))
                .hasMessage("within: sticky (expected: another strategy)");
    }

    @Test
    void onlyLatencyUsesCheckTimes() {
        LatencyConfig learned = new LatencyConfig(1, Optional.empty(), 0, Duration.ZERO, /* learned= */ true);

        assertThat(StrategyConfig.of(StrategyKind.LATENCY).latency()).contains(LatencyConfig.DEFAULT);
        assertThat(new StrategyConfig(StrategyKind.STICKY, Optional.of(StrategyKind.LATENCY)).latency())
                .contains(LatencyConfig.DEFAULT);
        assertThatThrownBy(() -> StrategyConfig.of(StrategyKind.RANDOM).withLatency(LatencyConfig.DEFAULT))
                .hasMessage("latency: given (expected: given if strategy latency is used, absent otherwise)");
        assertThatThrownBy(() -> StrategyConfig.of(StrategyKind.LATENCY).withLatency(learned))
                .hasMessage(
                        "learned: true (expected: only with DNS services, whose clients connect to backends directly)");
    }

    @Test
    void onlyIpHashWorksWithoutRequests() {
        StrategyConfig hash = StrategyConfig.of(StrategyKind.HASH);
        StrategyConfig byPath = hash.withHash(new HashConfig(HashKey.PATH, Optional.empty()));

        assertThat(hash.needsRequests()).isFalse();
        assertThat(byPath.needsRequests()).isTrue();
        assertThat(byPath.isPlain()).isFalse();
        assertThat(StrategyConfig.of(StrategyKind.STICKY).needsRequests()).isTrue();
        assertThat(new StrategyConfig(StrategyKind.FAILOVER, Optional.of(StrategyKind.HASH)).hash())
                .contains(HashConfig.DEFAULT);
        assertThatThrownBy(() -> StrategyConfig.of(StrategyKind.RANDOM).withHash(HashConfig.DEFAULT))
                .hasMessage("hash: given (expected: given if strategy hash is used, absent otherwise)");
        assertThatThrownBy(() -> new HashConfig(HashKey.PATH, Optional.of(1.0)))
                .hasMessage("max_load: 1.0 (expected: more than 1, at most 100)");
        assertThatThrownBy(() -> new HashKey(HashKey.Source.HEADER, ""))
                .hasMessage("key: header (expected: a name for header, cookie and query; no name for client and path)");
    }

    @Test
    void crossSiteCookieMustBeSecure() {
        StickyConfig usual = StickyConfig.DEFAULT;
        StickyConfig everywhere =
                new StickyConfig(Optional.empty(), Optional.empty(), SameSite.NONE, Optional.empty(), List.of());

        assertThat(usual.isSecure(/* byTls= */ true)).isTrue();
        assertThat(usual.isSecure(/* byTls= */ false)).isFalse();
        assertThat(everywhere.isSecure(/* byTls= */ false)).isTrue();
        assertThatThrownBy(() -> new StickyConfig(
                        Optional.empty(), Optional.empty(), SameSite.NONE, Optional.of(false), List.of()))
                .hasMessage(
                        "secure: false (expected: true with same_site: none, because browsers reject the cookie otherwise)");
    }

    @Test
    void keysAreNotPrinted() {
        StickyKey key = StickyKey.of(new byte[32]);

        assertThat(key.toString() + StickyConfig.DEFAULT.withKeys(List.of(key))).doesNotContain("0000");
        assertThat(key.bytes()).isEqualTo(new byte[32]);
        assertThatThrownBy(() -> new StickyKey("12")).hasMessage("key: 2 characters (expected: 64 hexadecimal digits)");
    }
}
