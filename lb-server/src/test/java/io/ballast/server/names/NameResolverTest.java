package io.ballast.server.names;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ballast.core.config.HostPort;
import io.ballast.core.config.UnixSocket;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class NameResolverTest {

    private static final Duration TTL = Duration.ofSeconds(60);

    private final ScriptedLookup lookup = new ScriptedLookup();
    private final NameResolver names = new NameResolver(lookup, Runnable::run);

    @Test
    void addressesAreNotLookedUp() {
        assertThat(address("10.0.0.1")).isEqualTo("10.0.0.1");
        assertThat(address("2001:db8::1")).isEqualTo("2001:db8:0:0:0:0:0:1");
        assertThat(lookup.asked).isEmpty();
        assertThat(NameResolver.isName(new HostPort("10.0.0.1", 80))).isFalse();
        assertThat(NameResolver.isName(new UnixSocket("/run/app.sock"))).isFalse();
        assertThat(NameResolver.isName(new HostPort("app.internal", 80))).isTrue();
    }

    @Test
    void theFirstIpv4AddressIsTaken() throws UnknownHostException {
        lookup.set("app", TTL, "2001:db8::1", "10.0.0.1", "10.0.0.2");
        lookup.set("six", TTL, "2001:db8::1", "2001:db8::2");

        assertThat(address("app")).isEqualTo("10.0.0.1");
        assertThat(address("six")).isEqualTo("2001:db8:0:0:0:0:0:1");
    }

    @Test
    void addressStaysWhileTheNameHasItInWhateverOrder() throws UnknownHostException {
        lookup.set("app", TTL, "10.0.0.1", "10.0.0.2");
        names.lookUp("app");
        lookup.set("app", TTL, "10.0.0.2", "10.0.0.1");
        names.lookUp("app");
        assertThat(address("app")).isEqualTo("10.0.0.1");

        lookup.set("app", TTL, "10.0.0.2", "10.0.0.3");
        names.lookUp("app");

        assertThat(address("app")).isEqualTo("10.0.0.2");
    }

    @Test
    void failureKeepsWhatWasKnownAndIsRepeatedSoon() throws UnknownHostException {
        lookup.set("app", TTL, "10.0.0.1");
        names.lookUp("app");
        lookup.forget("app");

        List<Long> waits = new ArrayList<>();
        for (int i = 0; i < 7; i++) {
            waits.add(names.lookUp("app").next().toSeconds());
        }

        assertThat(waits).containsExactly(1L, 2L, 4L, 8L, 16L, 30L, 30L);
        assertThat(address("app")).isEqualTo("10.0.0.1");
    }

    @Test
    void timeIsBounded() throws UnknownHostException {
        lookup.set("short", Duration.ZERO, "10.0.0.1");
        lookup.set("long", Duration.ofDays(1), "10.0.0.1");
        lookup.set("app", TTL, "10.0.0.1");

        names.lookUpAll(List.of("short", "long", "app"));

        assertThat(names.next("short")).isEqualTo(NameResolver.LEAST);
        assertThat(names.next("long")).isEqualTo(NameResolver.MOST);
        assertThat(names.next("app")).isEqualTo(TTL);
    }

    @Test
    void nameThatNeverHadAnAddressHasNone() {
        names.lookUp("app");

        assertThatThrownBy(() -> address("app"))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("no address found for app");
    }

    private String address(String host) {
        InetSocketAddress found = names.apply(new HostPort(host, 80));
        assertThat(found.getPort()).isEqualTo(80);
        return found.getAddress().getHostAddress();
    }
}
