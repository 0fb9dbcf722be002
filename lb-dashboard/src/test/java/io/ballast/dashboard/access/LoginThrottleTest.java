package io.ballast.dashboard.access;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class LoginThrottleTest {

    private static final long SECOND = 1_000_000_000L;

    private final LoginThrottle throttle = new LoginThrottle();
    private final InetAddress client = address("192.0.2.1");
    private long now = -5;

    @Test
    void theDelayDoublesAfterTheFreeAttempts() {
        fail(LoginThrottle.FREE_ATTEMPTS - 1);
        assertThat(throttle.remainingWait(client, now)).isZero();

        fail(1);
        assertThat(throttle.remainingWait(client, now)).isEqualTo(Duration.ofSeconds(1));
        now += SECOND / 4;
        assertThat(throttle.remainingWait(client, now)).isEqualTo(Duration.ofMillis(750));
        now += SECOND;
        assertThat(throttle.remainingWait(client, now)).isZero();

        fail(1);
        assertThat(throttle.remainingWait(client, now)).isEqualTo(Duration.ofSeconds(2));
        fail(1);
        assertThat(throttle.remainingWait(client, now)).isEqualTo(Duration.ofSeconds(4));
        fail(100);
        assertThat(throttle.remainingWait(client, now)).isEqualTo(LoginThrottle.LONGEST_WAIT);
    }

    @Test
    void otherClientsAreNotDelayed() {
        fail(20);

        assertThat(throttle.remainingWait(address("192.0.2.2"), now)).isZero();
    }

    @Test
    void addressesOfOneIpv6NetworkShareADelay() {
        for (int i = 1; i <= LoginThrottle.FREE_ATTEMPTS; i++) {
            throttle.countAttempt(address("2001:db8::" + i), now);
        }

        assertThat(throttle.remainingWait(address("2001:db8::ffff"), now)).isPositive();
        assertThat(throttle.remainingWait(address("2001:db8:0:1::1"), now)).isZero();
    }

    @Test
    void networksOfOneSiteShareADelay() {
        for (int i = 0; i < LoginThrottle.FREE_ATTEMPTS_OF_SITE; i++) {
            assertThat(throttle.remainingWait(address("2001:db8:0:" + i + "::1"), now))
                    .isZero();
            throttle.countAttempt(address("2001:db8:0:" + i + "::1"), now);
        }

        assertThat(throttle.remainingWait(address("2001:db8:0:ffff::1"), now)).isEqualTo(Duration.ofSeconds(1));
        assertThat(throttle.remainingWait(address("2001:db8:1::1"), now)).isZero();

        throttle.uncountAttempt(address("2001:db8:0:3::1"));
        assertThat(throttle.remainingWait(address("2001:db8:0:ffff::1"), now)).isZero();
    }

    @Test
    void aSuccessUndoesOnlyItsOwnAttempt() {
        fail(LoginThrottle.FREE_ATTEMPTS);

        throttle.countAttempt(client, now);
        throttle.uncountAttempt(client);

        assertThat(throttle.remainingWait(client, now)).isEqualTo(Duration.ofSeconds(1));
    }

    @Test
    void anAddressIsForgottenAfterAWhile() {
        fail(20);
        now += LoginThrottle.RETENTION.toNanos();
        assertThat(throttle.remainingWait(client, now)).isZero();

        fail(1);
        assertThat(throttle.remainingWait(client, now)).isZero();
    }

    @Test
    void theNumberOfAddressesIsBounded() {
        fail(20);
        for (int i = 0; i < LoginThrottle.MAX_ENTRIES + 10; i++) {
            throttle.countAttempt(address("10.0." + i / 256 + "." + i % 256), now);
        }

        assertThat(throttle.trackedKeys()).isEqualTo(LoginThrottle.MAX_ENTRIES);
        assertThat(throttle.remainingWait(client, now)).isZero();
    }

    private void fail(int times) {
        for (int i = 0; i < times; i++) {
            throttle.countAttempt(client, now);
        }
    }

    private static InetAddress address(String text) {
        try {
            return InetAddress.getByName(text);
        } catch (UnknownHostException e) {
            throw new AssertionError(e);
        }
    }
}
