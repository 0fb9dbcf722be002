package io.ballast.core.balance;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.core.backend.Backend;
import io.ballast.core.config.StickyConfig;
import io.ballast.core.config.StickyKey;
import io.ballast.core.config.StrategyConfig;
import io.ballast.core.config.StrategyKind;
import io.ballast.core.testing.Backends;
import io.ballast.core.testing.SeededRequest;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StickyTest extends StrategyContractTest {

    private static final StickyKey OLD = key(1);
    private static final StickyKey NEW = key(2);

    private final List<Member> members = Backends.members(4);
    private final Strategy strategy = sticky(OLD);
    private final SessionTokens tokens = tokens(strategy);

    StickyTest() {
        super(StrategyKind.STICKY);
    }

    @Test
    void clientKeepsMemberWhenOthersChange() {
        Backend own = members.get(2).backend();

        for (int from = 0; from <= 2; from++) {
            Picker picker = strategy.compile(members.subList(from, 4));
            for (int i = 0; i < 20; i++) {
                assertThat(picker.pick(of(own))).isSameAs(own);
            }
        }
    }

    @Test
    void newClientsAreSpreadByInnerStrategy() {
        Strategy weighted = Strategies.create(
                new StrategyConfig(StrategyKind.STICKY, Optional.of(StrategyKind.WEIGHTED_ROUND_ROBIN)));
        List<Member> unequal = Backends.weighted(5, 2, 2, 1);

        assertThat(counts(weighted.compile(unequal), unequal, 1000)).containsExactly(500, 200, 200, 100);
    }

    @Test
    void onlyClientsOfRemovedMemberMove() {
        Backend removed = members.get(0).backend();
        Picker picker = strategy.compile(members.subList(1, 4));
        long[] counts = new long[4];

        SeededRequest request = of(removed);
        for (int i = 0; i < 300; i++) {
            counts[members.indexOf(member(picker.pick(request)))]++;
        }

        assertThat(counts).containsExactly(0, 100, 100, 100);
        assertThat(picker.pick(of(members.get(3).backend())))
                .isSameAs(members.get(3).backend());
        assertThat(strategy.compile(members).pick(of(removed)))
                .as("that came back")
                .isSameAs(removed);
    }

    @Test
    void refusedOrOverflowingRequestUsesOtherMember() {
        List<Member> limited = Backends.limited(3, 1);
        Backend own = limited.get(1).backend();
        Strategy sticky = sticky(OLD);
        Picker picker = sticky.compile(limited);
        SeededRequest request =
                request().token(tokens(sticky).high(own), tokens(sticky).low(own));

        assertThat(picker.pick(request)).isSameAs(own);
        assertThat(picker.pick(request.exclude(own))).isNotNull().isNotSameAs(own);
        own.inFlight().begin();
        assertThat(picker.pick(request.excludeNone())).isNotNull().isNotSameAs(own);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 31, 63, 64, 65, 100, 127})
    void rejectsTokenWithOneChangedBit(int bit) {
        Backend own = members.get(2).backend();
        Picker picker = strategy.compile(members);
        long high = tokens.high(own) ^ (bit < 64 ? 1L << bit : 0);
        long low = tokens.low(own) ^ (bit < 64 ? 0 : 1L << (bit - 64));

        SeededRequest forged = request().token(high, low);

        // The picks use round-robin, not always the same backend.
        assertThat(sequence(picker, 4)).doesNotHaveDuplicates();
        assertThat(picker.pick(forged)).isNotSameAs(picker.pick(forged));
        assertThat(tokens.isCurrent(own, high, low)).isFalse();
    }

    @Test
    void tokenIsValidForItsPoolAndKeyOnly() {
        Backend own = members.get(2).backend();

        assertThat(tokens(sticky(OLD)).high(own)).isEqualTo(tokens.high(own));
        assertThat(tokens(sticky(NEW)).high(own)).isNotEqualTo(tokens.high(own));
        assertThat(tokens.high(Backends.unchecked(2, "other"))).isNotEqualTo(tokens.high(own));
        assertThat(tokens.high(Backends.unchecked(2, "pool"))).isEqualTo(tokens.high(own));
        assertThat(tokens.high(members.get(1).backend())).isNotEqualTo(tokens.high(own));
    }

    @Test
    void firstKeySignsAndAllKeysVerify() {
        Backend own = members.get(2).backend();
        Strategy rotated = sticky(NEW, OLD);
        SessionTokens both = tokens(rotated);
        SessionTokens fresh = tokens(sticky(NEW));
        Picker picker = rotated.compile(members);

        assertThat(picker.pick(of(own))).isSameAs(own);
        assertThat(picker.pick(request().token(fresh.high(own), fresh.low(own))))
                .isSameAs(own);
        assertThat(both.isCurrent(own, fresh.high(own), fresh.low(own))).isTrue();
        assertThat(both.isCurrent(own, tokens.high(own), tokens.low(own))).isFalse();
        assertThat(sticky(NEW).compile(members).pick(of(own)))
                .as("once the old key is gone")
                .isNotSameAs(own);
    }

    @Test
    void generatesKeyForEachStrategy() {
        Backend own = members.get(2).backend();

        assertThat(tokens(strategy()).high(own)).isNotEqualTo(tokens(strategy()).high(own));
    }

    @Test
    void clientOfBackupKeepsBackup() {
        List<Member> withBackup = List.of(
                members.get(0), members.get(1), new Member(members.get(2).backend(), 1, 0, /* backup= */ true, ""));
        Backend backup = members.get(2).backend();
        Picker picker = strategy.compile(withBackup);

        assertThat(sequence(picker, 10)).doesNotContain(backup);
        assertThat(picker.pick(of(backup))).isSameAs(backup);
    }

    @Test
    void innerTiersKeepOrder() {
        Strategy tiers = Strategies.create(new StrategyConfig(StrategyKind.STICKY, Optional.of(StrategyKind.FAILOVER)));
        List<Member> tiered = Backends.tiered(1, 0, 0);

        assertThat(counts(tiers.compile(tiered), tiered, 100)).containsExactly(0, 50, 50);
    }

    @Test
    void tokenFindsEveryMember() {
        List<Member> many = Backends.members(5_000);
        Strategy rotated = sticky(NEW, OLD);
        Picker picker = rotated.compile(many);
        SeededRequest request = request();

        for (Member member : many) {
            Backend backend = member.backend();
            assertThat(picker.pick(request.token(
                            tokens(rotated).high(backend), tokens(rotated).low(backend))))
                    .isSameAs(backend);
            assertThat(picker.pick(request.token(tokens.high(backend), tokens.low(backend))))
                    .isSameAs(backend);
        }
    }

    private SeededRequest of(Backend backend) {
        return request().token(tokens.high(backend), tokens.low(backend));
    }

    private Member member(Backend backend) {
        return members.stream()
                .filter(member -> member.backend() == backend)
                .findFirst()
                .orElseThrow();
    }

    private static Strategy sticky(StickyKey... keys) {
        return Strategies.create(
                StrategyConfig.of(StrategyKind.STICKY).withSticky(StickyConfig.DEFAULT.withKeys(List.of(keys))));
    }

    private static SessionTokens tokens(Strategy strategy) {
        SessionTokens tokens = strategy.tokens();
        assertThat(tokens).isNotNull();
        return tokens;
    }

    private static StickyKey key(int b) {
        byte[] bytes = new byte[32];
        bytes[31] = (byte) b;
        return StickyKey.of(bytes);
    }
}
