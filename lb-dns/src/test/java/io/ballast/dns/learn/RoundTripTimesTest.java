package io.ballast.dns.learn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.ballast.core.net.IpAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

class RoundTripTimesTest {

    private static final long MILLI = 1_000_000;

    private final RoundTripTimes times = new RoundTripTimes(/* maxNetworks= */ 3, /* secret= */ 42);

    @Test
    void smoothsTimesFromThirdReport() {
        add("203.0.113.7", "eu", 100);
        add("203.0.113.200", "eu", 100);
        assertThat(times.roundTripNanos(network("203.0.113.1"), "eu")).isEmpty();

        add("203.0.113.1", "eu", 200);

        assertThat(times.roundTripNanos(network("203.0.113.1"), "eu").orElseThrow())
                .isCloseTo(130 * MILLI, within(1.0));
        assertThat(times.roundTripNanos(network("203.0.113.1"), "us")).isEmpty();
        assertThat(times.roundTripNanos(network("203.0.112.1"), "eu")).isEmpty();
    }

    @Test
    void ipv6NetworksHave48Bits() {
        for (int i = 0; i < 3; i++) {
            add("2001:db8:1:" + i + "::1", "eu", 10);
        }

        assertThat(times.roundTripNanos(network("2001:db8:1:ffff::9"), "eu")).isPresent();
        assertThat(times.roundTripNanos(network("2001:db8:2::9"), "eu")).isEmpty();
    }

    @Test
    void forgetsTimesAfterOneWeek() {
        for (int i = 0; i < 3; i++) {
            add("203.0.113.7", "eu", 100);
        }

        times.add(List.of(), RoundTripTimes.LIFETIME.toNanos());
        assertThat(times.networks()).hasSize(1);
        times.add(List.of(), RoundTripTimes.LIFETIME.toNanos() + 1);
        assertThat(times.networks()).isEmpty();
    }

    @Test
    void evictsLeastRecentlyReportedNetwork() {
        add("10.0.1.1", "eu", 1);
        add("10.0.2.1", "eu", 1);
        add("10.0.3.1", "eu", 1);
        add("10.0.1.1", "eu", 1);

        add("10.0.4.1", "eu", 1);

        assertThat(times.networks())
                .containsExactlyInAnyOrder(network("10.0.1.1"), network("10.0.3.1"), network("10.0.4.1"));
    }

    @Test
    void findsKnownNetworksOnly() {
        Random random = new Random(7);
        Set<Long> some = new HashSet<>();
        while (some.size() < 5000) {
            some.add(Network.of(random.nextBoolean(), random.nextLong()));
        }
        List<Long> known = new ArrayList<>(some);

        NetworkIndex index = new NetworkIndex(known, 99);

        for (int place = 0; place < known.size(); place++) {
            assertThat(index.find(known.get(place))).isEqualTo(place);
        }
        for (int i = 0; i < 5000; i++) {
            long other = Network.of(random.nextBoolean(), random.nextLong());
            assertThat(index.find(other) == NetworkIndex.UNKNOWN).isEqualTo(!some.contains(other));
        }
    }

    @Test
    void rejectsImpossibleTimes() {
        assertThatThrownBy(() -> add("10.0.0.1", "eu", 0)).hasMessage("rtt_ms: 0 (expected: above 0, up to 60000)");
        assertThatThrownBy(() -> add("10.0.0.1", "eu", 60_001))
                .hasMessage("rtt_ms: 60001 (expected: above 0, up to 60000)");
    }

    private void add(String client, String pool, long millis) {
        times.add(List.of(new RoundTripSample(IpAddress.parse(client), pool, Duration.ofMillis(millis))), 0);
    }

    private static long network(String address) {
        IpAddress ip = IpAddress.parse(address);
        return Network.of(ip.isIpv4(), ip.isIpv4() ? ip.low() << 32 : ip.high());
    }
}
