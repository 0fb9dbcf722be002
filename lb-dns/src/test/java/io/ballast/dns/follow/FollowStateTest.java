package io.ballast.dns.follow;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.dns.follow.FollowedAddresses.State;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FollowStateTest {

    private static final LookupResult.Failed SILENCE = new LookupResult.Failed("silence");

    private long now = Long.MAX_VALUE - 1_000; // the clock may overflow
    private FollowState state = FollowState.unknown(now);

    @ParameterizedTest(name = "{displayName} [{index}]: TTL {0}")
    @CsvSource({
        "300, 150, 150",
        "86400, 300, 43200",
        "601, 300, 300",
        "11, 5.5, 5",
        "10, 5, 5",
        "8, 5, 3",
        "6, 5, 1",
        "1, 5, 1",
        "0, 5, 1",
    })
    void halfOfATtlIsForRefreshAndTheOtherForClients(int ttl, double askedAfter, int given) {
        answered("192.0.2.1", ttl);

        assertThat(state.ttlSeconds()).isEqualTo(given);
        assertThat(untilDue().toMillis() / 1000.0).isEqualTo(askedAfter);
    }

    @Test
    void servedTtlNeverExceedsRemainingTtl() {
        for (int ttl = 6; ttl < 5_000; ttl++) {
            answered("192.0.2.1", ttl);

            assertThat(untilDue().plusSeconds(state.ttlSeconds()))
                    .as("TTL %d", ttl)
                    .isLessThanOrEqualTo(Duration.ofSeconds(ttl));
        }
    }

    @Test
    void addressOrderIsNoChange() {
        reply(addresses(300, "192.0.2.200", "192.0.2.3", "192.0.2.3"));
        FollowState before = state;
        reply(addresses(300, "192.0.2.3", "192.0.2.200"));

        assertThat(shown()).containsExactly("192.0.2.3", "192.0.2.200");
        assertThat(state.differsFrom(before)).isFalse();
    }

    @Test
    void addressesAreLimited() {
        String[] many = IntStream.range(0, 100).mapToObj(i -> "192.0.2." + i).toArray(String[]::new);
        reply(addresses(300, many));

        assertThat(shown()).hasSize(FollowState.MAX_ADDRESSES).startsWith("192.0.2.0", "192.0.2.1");
    }

    @Test
    void failureWithinTtlKeepsAddressesUntilExpiry() {
        answered("192.0.2.1", 300);
        pass(Duration.ofSeconds(150));
        reply(SILENCE);

        assertThat(state.state()).isEqualTo(State.KNOWN);
        assertThat(state.isFailing(now)).isFalse();
        assertThat(untilDue()).isEqualTo(Duration.ofSeconds(5));

        pass(Duration.ofMinutes(2));
        reply(SILENCE);
        assertThat(state.ttlSeconds()).as("remaining time").isEqualTo(30);
        pass(Duration.ofSeconds(20));
        reply(SILENCE);
        assertThat(untilDue()).as("when it ends").isEqualTo(Duration.ofSeconds(10));

        pass(Duration.ofSeconds(10));
        reply(SILENCE);
        assertThat(state.state()).isEqualTo(State.STALE);
        assertThat(state.isFailing(now)).isTrue();
        assertThat(state.ttlSeconds()).isEqualTo(30);
        assertThat(state.reason()).contains("silence", "the last addresses are used for one more day");
        assertThat(shown()).containsExactly("192.0.2.1");
        assertThat(state.toFollowedAddresses(now).age()).isEqualTo(Duration.ofMinutes(5));
    }

    @Test
    void failuresAreRetriedWithBackoff() {
        List<Duration> pauses = IntStream.range(0, 6)
                .mapToObj(i -> {
                    reply(SILENCE);
                    return untilDue();
                })
                .toList();

        assertThat(pauses).extracting(Duration::toSeconds).containsExactly(5L, 10L, 20L, 40L, 60L, 60L);
        assertThat(state.state()).isEqualTo(State.FAILED);
        assertThat(state.isFailing(now)).isTrue();
        answered("192.0.2.1", 300);
        assertThat(state.isFailing(now)).isFalse();
    }

    @Test
    void staleAddressesExpireAfterOneDay() {
        answered("192.0.2.1", 300);
        pass(Duration.ofDays(1).minusSeconds(1));
        reply(SILENCE);
        assertThat(state.state()).isEqualTo(State.STALE);
        pass(Duration.ofSeconds(1));
        reply(SILENCE);

        assertThat(state.state()).isEqualTo(State.FAILED);
        assertThat(shown()).isEmpty();
        assertThat(state.ttlSeconds()).isZero();
        assertThat(state.reason()).isEqualTo("silence");
    }

    @Test
    void firstNegativeAnswerIsAcceptedImmediately() {
        reply(new LookupResult.None("no such name", 60));

        assertThat(state.state()).isEqualTo(State.NONE);
        assertThat(state.ttlSeconds()).isEqualTo(30);
        assertThat(untilDue()).isEqualTo(Duration.ofSeconds(30));
        assertThat(state.reason()).isEqualTo("no such name");
    }

    @Test
    void negativeAnswerIsAcceptedWhenRepeated() {
        answered("192.0.2.1", 300);
        reply(new LookupResult.None("no such name", 60));

        assertThat(state.state()).isEqualTo(State.STALE);
        assertThat(shown()).containsExactly("192.0.2.1");
        assertThat(state.ttlSeconds()).isEqualTo(30);
        assertThat(untilDue()).as("after negative caches have expired").isEqualTo(Duration.ofSeconds(61));
        assertThat(state.isFailing(now)).isFalse();

        pass(Duration.ofSeconds(61));
        reply(SILENCE);
        assertThat(shown()).as("silence changes nothing").containsExactly("192.0.2.1");
        reply(new LookupResult.None("no such name", 60));
        assertThat(state.state()).isEqualTo(State.NONE);
        assertThat(shown()).isEmpty();
    }

    @Test
    void singleNegativeAnswerIsIgnored() {
        answered("192.0.2.1", 300);
        reply(new LookupResult.None("no such name", 60));
        answered("192.0.2.1", 300);
        assertThat(state.state()).isEqualTo(State.KNOWN);

        reply(new LookupResult.None("no such name", 60));

        assertThat(shown()).containsExactly("192.0.2.1");
    }

    @Test
    void negativeStateIsKeptDuringFailure() {
        reply(new LookupResult.None("no AAAA records", 60));
        pass(Duration.ofMinutes(5));
        reply(SILENCE);

        assertThat(state.state()).isEqualTo(State.NONE);
        assertThat(state.isFailing(now)).isTrue();
        pass(Duration.ofDays(1));
        reply(SILENCE);
        assertThat(state.state()).isEqualTo(State.FAILED);
    }

    private void answered(String address, int ttl) {
        reply(addresses(ttl, address));
    }

    private void reply(LookupResult reply) {
        state = state.after(reply, RefreshPolicy.DEFAULT, now);
    }

    private void pass(Duration time) {
        now += time.toNanos();
    }

    private Duration untilDue() {
        return Duration.ofNanos(state.dueNanos() - now);
    }

    private List<String> shown() {
        return state.toFollowedAddresses(now).addresses().stream()
                .map(InetAddress::getHostAddress)
                .toList();
    }

    static LookupResult.Addresses addresses(int ttl, String... addresses) {
        return new LookupResult.Addresses(
                Stream.of(addresses).map(FollowStateTest::address).toList(), ttl);
    }

    private static InetAddress address(String text) {
        try {
            return InetAddress.getByName(text);
        } catch (UnknownHostException e) {
            throw new IllegalArgumentException(text, e);
        }
    }
}
