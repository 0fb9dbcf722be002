package io.ballast.discovery;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.core.config.HostPort;
import io.ballast.discovery.source.DiscoveredBackend;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ScreenedBackendsTest {

    @ParameterizedTest
    @ValueSource(strings = {"127.0.0.1", "::1", "169.254.1.1", "fe80::1", "127.8.0.9"})
    void rejectsLocalAddressesUnlessAllowed(String host) {
        List<DiscoveredBackend> answer = List.of(at(host, 80), at("10.0.0.1", 80));

        ScreenedBackends refused = ScreenedBackends.of(answer, /* allowLocal= */ false);

        assertThat(refused.backends()).containsExactly(at("10.0.0.1", 80));
        assertThat(refused.refusalReasons()).hasSize(1).first().asString().contains("allow_local: true");
        assertThat(ScreenedBackends.of(answer, /* allowLocal= */ true).backends())
                .hasSize(2);
    }

    @ParameterizedTest
    @ValueSource(strings = {"0.0.0.0", "::", "224.0.0.1", "ff02::1", "app.internal", "10.1", "fe80::1%eth0"})
    void rejectsSpecialAddresses(String host) {
        assertThat(ScreenedBackends.of(List.of(at(host, 80)), /* allowLocal= */ true)
                        .backends())
                .isEmpty();
    }

    @Test
    void rejectsMissingPort() {
        assertThat(ScreenedBackends.of(List.of(at("10.0.0.1", 0)), /* allowLocal= */ false)
                        .refusalReasons())
                .containsExactly("10.0.0.1:0: port 0 (expected: a port from 1 to 65535)");
    }

    @Test
    void orderAndSpellingDoNotMatter() {
        List<DiscoveredBackend> one = List.of(at("10.0.0.1", 80), at("2001:db8::1", 80), at("10.0.0.1", 80));
        List<DiscoveredBackend> other = List.of(at("2001:DB8:0:0:0:0:0:1", 80), at("10.0.0.1", 80));

        assertThat(ScreenedBackends.of(one, /* allowLocal= */ false))
                .isEqualTo(ScreenedBackends.of(other, /* allowLocal= */ false));
    }

    @Test
    void scalesLargeWeights() {
        ScreenedBackends screening = ScreenedBackends.of(
                List.of(weighing("10.0.0.1", 60_000), weighing("10.0.0.2", 30_000), weighing("10.0.0.3", 1)),
                /* allowLocal= */ false);

        assertThat(screening.backends()).extracting(DiscoveredBackend::weight).containsExactly(1000, 500, 1);
    }

    @Test
    void omitsBackendsBeyondLimit() {
        List<DiscoveredBackend> answer = IntStream.range(0, ScreenedBackends.MAX_BACKENDS + 5)
                .mapToObj(i -> at("10.1." + i / 250 + "." + i % 250, 80))
                .toList();

        ScreenedBackends screening = ScreenedBackends.of(answer, /* allowLocal= */ false);

        assertThat(screening.backends()).hasSize(ScreenedBackends.MAX_BACKENDS);
        assertThat(screening.refusalReasons())
                .hasSize(3)
                .allMatch(reason -> reason.contains("too many backends (expected: at most 10000)"));
    }

    private static DiscoveredBackend at(String host, int port) {
        return DiscoveredBackend.at(new HostPort(host, port));
    }

    private static DiscoveredBackend weighing(String host, int weight) {
        return new DiscoveredBackend(new HostPort(host, 80), weight, /* backup= */ false, /* draining= */ false);
    }
}
