package io.ballast.dns.protect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.ballast.core.net.Cidr;
import io.ballast.core.net.IpAddress;
import io.ballast.dns.config.RateLimitConfig;
import io.ballast.dns.protect.ResponseRateLimiter.Verdict;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ResponseRateLimiterTest {

    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);
    private static final RateLimitConfig CONFIG = RateLimitConfig.DEFAULT;

    private final ResponseRateLimiter limiter = limiter(CONFIG);
    private long now = 12_345 * SECOND;

    @ParameterizedTest
    @ValueSource(strings = {"192.0.2.1", "2001:db8::1"})
    void addressGetsBurst(String address) {
        assertThat(sent(address, 1000)).isEqualTo(CONFIG.instant());
        assertThat(sent(address, 1000)).isZero();
    }

    @ParameterizedTest
    @ValueSource(strings = {"192.0.2.1", "2001:db8::1"})
    void addressGetsSustainedRate(String address) {
        sent(address, 1000);
        int sent = 0;
        for (int i = 0; i < 60 * 200; i++) {
            now += SECOND / 200;
            sent += sent(address, 1);
        }

        assertThat(sent / 60.0).isCloseTo(CONFIG.rate(), within(2.0));
    }

    @Test
    void clientBelowRateIsNeverLimited() {
        for (int i = 0; i < 10_000; i++) {
            now += SECOND / 45;
            assertThat(check("192.0.2.1")).isEqualTo(Verdict.SEND);
        }
    }

    @Test
    void loadHalvesByExponent() {
        sent("192.0.2.1", 1000);
        // After t seconds, the limiter allows 125 * (1 - e^(-t * 50 / 125)) responses again.
        now += 5 * SECOND;

        assertThat(sent("192.0.2.1", 1000)).isCloseTo(108, within(2));
    }

    @ParameterizedTest(name = "{displayName} [{index}]: /{1} of {0}")
    @CsvSource({
        "192.0.0.0, 24, 32",
        "192.0.0.0, 20, 256",
        "192.0.0.0, 18, 768",
        "2001:db8::, 64, 2",
        "2001:db8::, 56, 3",
        "2001:db8::, 48, 4",
        "2001:db8::, 32, 64",
    })
    void networkGetsItsMultipleHoweverManyAddressesAsk(String network, int bits, int multiple) {
        IpAddress first = IpAddress.parse(network);
        int width = first.isIpv4() ? 32 : 128;
        SplittableRandom random = new SplittableRandom(7);
        int sent = 0;
        for (int i = 0; i < 130_000; i++) {
            // Use random addresses of the network, so that no smaller network reaches its limit first.
            long high = width == 128 && bits < 64 ? first.high() | (random.nextLong() >>> bits) : first.high();
            long low = width == 128 ? random.nextLong() : first.low() | (random.nextLong() >>> (32 + bits));
            sent += limiter.evaluate(high, low, now) == Verdict.SEND ? 1 : 0;
        }

        assertThat(sent).isCloseTo(CONFIG.instant() * multiple, Percentage.withPercentage(1));
    }

    @Test
    void limitedNetworkDoesNotAffectOthers() {
        for (int i = 0; i < 100_000; i++) {
            limiter.evaluate(0, 0xFFFF_C000_0000L | (i & 0xff), now);
        }

        assertThat(check("192.0.0.77")).isEqualTo(Verdict.TRUNCATE);
        assertThat(check("192.0.1.77")).isEqualTo(Verdict.SEND);
        assertThat(check("2001:db8::1")).isEqualTo(Verdict.SEND);
    }

    @Test
    void mappedAddressCountsAsIpv4() {
        sent("192.0.2.1", 1000);

        assertThat(check("::ffff:192.0.2.1")).isEqualTo(Verdict.TRUNCATE);
    }

    @ParameterizedTest(name = "{displayName} [{index}]: slip {0}")
    @CsvSource({"0,0", "1,100", "2,50", "10,10", "100,1"})
    void slipSelectsTruncatedShare(int slip, int expected) {
        ResponseRateLimiter slipping = limiter(new RateLimitConfig(1, 1, slip, List.of()));
        IpAddress address = IpAddress.parse("192.0.2.1");
        assertThat(slipping.evaluate(address.high(), address.low(), now)).isEqualTo(Verdict.SEND);
        int truncated = 0;
        for (int i = 0; i < 100; i++) {
            truncated += slipping.evaluate(address.high(), address.low(), now) == Verdict.TRUNCATE ? 1 : 0;
        }

        assertThat(truncated).isEqualTo(expected);
    }

    @Test
    void exemptNetworkIsNotLimited() {
        ResponseRateLimiter exempting =
                limiter(new RateLimitConfig(1, 1, 1, List.of(Cidr.parse("192.0.2.0/25"), Cidr.parse("2001:db8::/32"))));
        for (int i = 0; i < 1000; i++) {
            for (String exempt : List.of("192.0.2.1", "2001:db8:1::1")) {
                IpAddress address = IpAddress.parse(exempt);
                assertThat(exempting.evaluate(address.high(), address.low(), now))
                        .isEqualTo(Verdict.SEND);
            }
        }
        IpAddress other = IpAddress.parse("192.0.2.128");
        exempting.evaluate(other.high(), other.low(), now);
        assertThat(exempting.evaluate(other.high(), other.low(), now)).isEqualTo(Verdict.TRUNCATE);
    }

    @Test
    void randomFloodKeepsHeavyClientsLimited() {
        sent("192.0.2.1", 1000);
        SplittableRandom random = new SplittableRandom(3);
        for (int i = 0; i < 2_000_000; i++) {
            limiter.evaluate(0, 0xFFFF_0000_0000L | (random.nextInt() & 0xFFFF_FFFFL), now);
        }

        assertThat(check("192.0.2.1")).isEqualTo(Verdict.TRUNCATE);
    }

    @Test
    void randomFloodDoesNotLimitQuietClients() {
        SplittableRandom random = new SplittableRandom(3);
        int limited = 0;
        for (int i = 0; i < 3_000_000; i++) {
            now += 1000; // a million queries per second
            limiter.evaluate(random.nextLong() | (1L << 61), random.nextLong(), now);
            if (i % 50_000 == 0) {
                limited += check("192.0.2.1") == Verdict.SEND ? 0 : 1;
            }
        }

        assertThat(limited).isZero();
    }

    @Test
    void limitIsSharedByThreads() {
        RateLimits shared = new RateLimits(CONFIG, 1, 2);
        ResponseRateLimiter one = new ResponseRateLimiter(shared);
        ResponseRateLimiter other = new ResponseRateLimiter(shared);
        IpAddress address = IpAddress.parse("192.0.2.1");
        int sent = 0;
        for (int i = 0; i < 1000; i++) {
            ResponseRateLimiter turn = i % 2 == 0 ? one : other;
            sent += turn.evaluate(address.high(), address.low(), now) == Verdict.SEND ? 1 : 0;
        }

        assertThat(sent).isEqualTo(CONFIG.instant());
    }

    @Test
    void enforcesHighestLimits() {
        RateLimitConfig max = new RateLimitConfig(RateLimitConfig.MAX, RateLimitConfig.MAX, 1, List.of());
        RateLimits limits = new RateLimits(max, 1, 2);

        double responses = (double) RateTable.CAPACITY / limits.responseLoad(/* ipv4= */ true, 3);

        assertThat(responses).isCloseTo(768.0 * RateLimitConfig.MAX, Percentage.withPercentage(8));
    }

    private static ResponseRateLimiter limiter(RateLimitConfig config) {
        return new ResponseRateLimiter(new RateLimits(config, 0x1234, 0x5678));
    }

    private int sent(String address, int queries) {
        int sent = 0;
        for (int i = 0; i < queries; i++) {
            sent += check(address) == Verdict.SEND ? 1 : 0;
        }
        return sent;
    }

    private Verdict check(String address) {
        IpAddress client = IpAddress.parse(address);
        return limiter.evaluate(client.high(), client.low(), now);
    }
}
