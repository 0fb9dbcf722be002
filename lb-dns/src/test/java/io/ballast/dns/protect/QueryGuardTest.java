package io.ballast.dns.protect;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.dns.config.CookieConfig;
import io.ballast.dns.config.RateLimitConfig;
import io.ballast.dns.protect.QueryGuard.Verdict;
import io.ballast.dns.stats.DnsCounter;
import io.ballast.dns.stats.DnsStats;
import io.ballast.dns.testing.RawQuery;
import io.ballast.dns.wire.NameHash;
import io.ballast.dns.wire.Query;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class QueryGuardTest {

    private static final String CLIENT_COOKIE = "2464c4abcf10c957";
    private static final byte[] CLIENT = {(byte) 192, 0, 2, 1, 99, 99};
    private static final RateLimitConfig ONE = new RateLimitConfig(1, 1, 1, List.of());

    private final DnsStats stats = new DnsStats(1);
    private final Query query = new Query(new NameHash(1, 2));
    private final QueryGuard guard = guard(CookieConfig.DEFAULT, Optional.of(ONE));

    @ParameterizedTest
    @ValueSource(ints = {0, 7, 13, 17, 19, 37})
    void reflectionPortsAreSuspicious(int port) {
        assertThat(guard.accepts(port)).isFalse();
        assertThat(stats.sum(DnsCounter.SUSPICIOUS_PORTS)).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 53, 853, 1024, 65535})
    void otherPortsAreNotSuspicious(int port) {
        assertThat(guard.accepts(port)).isTrue();
        assertThat(stats.sum(DnsCounter.SUSPICIOUS_PORTS)).isZero();
    }

    @Test
    void responseBeyondLimitIsTruncated() {
        assertThat(check(new RawQuery())).isEqualTo(Verdict.ANSWER);
        assertThat(check(new RawQuery())).isEqualTo(Verdict.TRUNCATE);
        assertThat(stats.sum(DnsCounter.LIMITED_TRUNCATED)).isEqualTo(1);
    }

    @Test
    void responseBeyondLimitIsDroppedWithoutSlip() {
        QueryGuard strict = guard(CookieConfig.DEFAULT, Optional.of(new RateLimitConfig(1, 1, 0, List.of())));
        check(strict, new RawQuery(), /* datagram= */ true);

        assertThat(check(strict, new RawQuery(), /* datagram= */ true)).isEqualTo(Verdict.DROP);
        assertThat(check(strict, new RawQuery().option(10, CLIENT_COOKIE), /* datagram= */ true))
                .isEqualTo(Verdict.DROP);
        assertThat(stats.sum(DnsCounter.LIMITED_DROPPED)).isEqualTo(2);
        assertThat(stats.sum(DnsCounter.LIMITED_TRUNCATED)).isZero();
    }

    @Test
    void connectionsAreNotLimited() {
        for (int i = 0; i < 10; i++) {
            assertThat(check(guard, new RawQuery(), /* datagram= */ false)).isEqualTo(Verdict.ANSWER);
        }
    }

    @Test
    void validCookieIsNotLimited() {
        RawQuery first = new RawQuery().option(10, CLIENT_COOKIE);
        assertThat(check(first)).isEqualTo(Verdict.ANSWER);
        String cookie = cookieOfResponse();

        assertThat(check(first)).as("no valid server cookie yet").isEqualTo(Verdict.BADCOOKIE);
        for (int i = 0; i < 10; i++) {
            assertThat(check(new RawQuery().option(10, cookie))).isEqualTo(Verdict.ANSWER);
        }
        assertThat(stats.sum(DnsCounter.COOKIES_VALID)).isEqualTo(10);
        assertThat(stats.sum(DnsCounter.COOKIES_BAD)).isZero();
    }

    @Test
    void invalidCookieIsAnsweredUpToLimit() {
        RawQuery bad = new RawQuery().option(10, CLIENT_COOKIE + "00".repeat(16));

        assertThat(check(bad)).isEqualTo(Verdict.ANSWER);
        assertThat(check(bad)).isEqualTo(Verdict.BADCOOKIE);
        assertThat(stats.sum(DnsCounter.COOKIES_BAD)).isEqualTo(2);

        assertThat(check(new RawQuery().option(10, cookieOfResponse()))).isEqualTo(Verdict.ANSWER);
    }

    @Test
    void cookieOnlyQueryReportsValidity() {
        RawQuery ask = new RawQuery().withoutQuestion().option(10, CLIENT_COOKIE);
        QueryGuard unlimited = guard(CookieConfig.DEFAULT, Optional.empty());

        assertThat(check(unlimited, ask, /* datagram= */ true)).isEqualTo(Verdict.ANSWER);
        String cookie = cookieOfResponse();
        RawQuery good = new RawQuery().withoutQuestion().option(10, cookie);
        assertThat(check(unlimited, good, /* datagram= */ true)).isEqualTo(Verdict.ANSWER);
        RawQuery bad = new RawQuery().withoutQuestion().option(10, CLIENT_COOKIE + "00".repeat(16));
        assertThat(check(unlimited, bad, /* datagram= */ true)).isEqualTo(Verdict.BADCOOKIE);
        assertThat(cookieOfResponse()).isEqualTo(cookie);
    }

    @Test
    void disabledCookieProvesNothing() {
        QueryGuard without = guard(new CookieConfig(false, List.of()), Optional.of(ONE));
        RawQuery raw = new RawQuery().option(10, CLIENT_COOKIE);

        assertThat(without.hasCookies()).isFalse();
        assertThat(check(without, raw, /* datagram= */ true)).isEqualTo(Verdict.ANSWER);
        assertThat(query.opt().bytes()).isEqualTo(11);
        assertThat(check(without, raw, /* datagram= */ true)).isEqualTo(Verdict.TRUNCATE);
    }

    @Test
    void generatedSecretsDiffer() {
        check(guard(CookieConfig.DEFAULT, Optional.empty()), new RawQuery().option(10, CLIENT_COOKIE), true);
        RawQuery other = new RawQuery().option(10, cookieOfResponse());

        check(guard, other, /* datagram= */ true);

        assertThat(stats.sum(DnsCounter.COOKIES_BAD)).isEqualTo(1);
    }

    private QueryGuard guard(CookieConfig cookies, Optional<RateLimitConfig> limit) {
        InstantSource clock = InstantSource.fixed(Instant.ofEpochSecond(1_700_000_000));
        return Protection.of(cookies, limit, clock, () -> 0).createGuard(stats.shard(0));
    }

    private Verdict check(RawQuery raw) {
        return check(guard, raw, /* datagram= */ true);
    }

    private Verdict check(QueryGuard by, RawQuery raw, boolean datagram) {
        byte[] wire = raw.toWire();
        query.parse(wire, wire.length);
        return by.evaluate(query, CLIENT, 4, datagram);
    }

    private String cookieOfResponse() {
        byte[] out = query.opt().cookie();
        return HexFormat.of().formatHex(Arrays.copyOf(out, out.length));
    }
}
