package io.ballast.dns.forward;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.core.net.IpAddress;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class QueryPermitsTest {

    private static final int MAX = 1000;

    private final QueryPermits places = new QueryPermits(MAX);

    @Test
    void singleClientGetsAtMostHalf() {
        assertThat(takeAll("192.0.2.1")).isEqualTo(MAX / 2);
        assertThat(places.inUse()).isEqualTo(MAX / 2);
    }

    @Test
    void twoClientsGetAtMostOneThirdEach() {
        int one = 0;
        int other = 0;
        for (int i = 0; i < MAX; i++) {
            one += take("192.0.2.1") ? 1 : 0;
            other += take("198.51.100.1") ? 1 : 0;
        }

        assertThat(one).isBetween(MAX / 3 - 1, MAX / 3 + 1);
        assertThat(other).isBetween(MAX / 3 - 1, MAX / 3 + 1);
    }

    @Test
    void modestClientGetsPermitBesideFlood() {
        for (int round = 0; round < MAX; round++) {
            IntStream.range(0, 20).forEach(i -> take("192.0." + i + ".1"));
        }

        assertThat(take("198.51.100.1")).isTrue();
        assertThat(take("198.51.100.1")).isTrue();
    }

    @Test
    void networkGetsAtMostTwoThirds() {
        long taken = IntStream.range(0, 10 * MAX)
                .filter(i -> take("2001:db8::" + Integer.toHexString(i)))
                .count();

        assertThat(taken).isBetween(2L * MAX / 3 - 1, 2L * MAX / 3 + 1);
        assertThat(take("2001:db8:0:1::1")).isTrue();
    }

    @Test
    void neighboursOfFloodingClientGetPermits() {
        takeAll("192.0.2.1");

        assertThat(take("192.0.2.2")).isTrue();
        assertThat(take("192.0.2.3")).isTrue();
    }

    @Test
    void releasedPermitIsAvailable() {
        for (String client : List.of("192.0.2.1", "2001:db8::1")) {
            int taken = takeAll(client);
            for (int i = 0; i < taken; i++) {
                places.release(address(client).high(), address(client).low());
            }

            assertThat(places.inUse()).isZero();
            assertThat(takeAll(client)).isEqualTo(taken);
            for (int i = 0; i < taken; i++) {
                places.release(address(client).high(), address(client).low());
            }
        }
    }

    @Test
    void singlePermitIsForAnyClient() {
        QueryPermits one = new QueryPermits(1);

        assertThat(one.tryAcquire(1, 1)).isTrue();
        assertThat(one.tryAcquire(2, 2)).isFalse();
        one.release(1, 1);
        assertThat(one.tryAcquire(2, 2)).isTrue();
    }

    private int takeAll(String client) {
        int taken = 0;
        while (take(client)) {
            taken++;
        }
        return taken;
    }

    private boolean take(String client) {
        return places.tryAcquire(address(client).high(), address(client).low());
    }

    private static IpAddress address(String text) {
        return IpAddress.parse(text);
    }
}
