package io.ballast.discovery.names;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ballast.core.config.HostPort;
import io.ballast.core.config.UnixSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;

class NameResolverTest {

    private static final Duration TTL = Duration.ofSeconds(60);

    private static final Duration TIMEOUT = Duration.ofSeconds(10);

    private final ScriptedLookup lookup = new ScriptedLookup();
    private final NameResolver names = new NameResolver(lookup, Runnable::run);

    @Test
    void literalAddressesAreNotResolved() {
        assertThat(address("10.0.0.1")).isEqualTo("10.0.0.1");
        assertThat(address("2001:db8::1")).isEqualTo("2001:db8:0:0:0:0:0:1");
        assertThat(lookup.queried).isEmpty();
        assertThat(NameResolver.isName(new HostPort("10.0.0.1", 80))).isFalse();
        assertThat(NameResolver.isName(new UnixSocket("/run/app.sock"))).isFalse();
        assertThat(NameResolver.isName(new HostPort("app.internal", 80))).isTrue();
    }

    @Test
    void usesFirstIpv4Address() throws UnknownHostException {
        lookup.set("app", TTL, "2001:db8::1", "10.0.0.1", "10.0.0.2");
        lookup.set("six", TTL, "2001:db8::1", "2001:db8::2");

        assertThat(address("app")).isEqualTo("10.0.0.1");
        assertThat(address("six")).isEqualTo("2001:db8:0:0:0:0:0:1");
    }

    @Test
    void switchedNameKeepsFamily() throws UnknownHostException {
        NameResolver deferred = new NameResolver(NameLookup.deferred(() -> lookup), Runnable::run);
        lookup.set("app", TTL, "10.0.0.1", "2001:db8::1");
        deferred.lookUp("app");

        assertThat(deferred.switchFamily("app").address()).isEqualTo(InetAddress.getByName("2001:db8::1"));
        assertThat(deferred.lookUp("app").address()).isEqualTo(InetAddress.getByName("2001:db8::1"));

        lookup.set("app", TTL, "10.0.0.1", "2001:db8::2");
        assertThat(deferred.lookUp("app").address())
                .as("its address is gone")
                .isEqualTo(InetAddress.getByName("10.0.0.1"));
        lookup.forget("app");
        assertThat(deferred.switchFamily("app").address()).isEqualTo(InetAddress.getByName("10.0.0.1"));
        lookup.set("app", TTL, "10.0.0.1");
        assertThat(deferred.switchFamily("app").address()).isEqualTo(InetAddress.getByName("10.0.0.1"));
    }

    @Test
    void keepsAddressRegardlessOfOrder() throws UnknownHostException {
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
    void failureKeepsAddressAndIsRetried() throws UnknownHostException {
        lookup.set("app", TTL, "10.0.0.1");
        names.lookUp("app");
        lookup.forget("app");

        List<Long> waits = new ArrayList<>();
        for (int i = 0; i < 7; i++) {
            waits.add(names.lookUp("app").lookupInterval().toSeconds());
        }

        assertThat(waits).containsExactly(1L, 2L, 4L, 8L, 16L, 30L, 30L);
        assertThat(address("app")).isEqualTo("10.0.0.1");
    }

    @Test
    void ttlIsBounded() throws UnknownHostException {
        lookup.set("short", Duration.ZERO, "10.0.0.1");
        lookup.set("long", Duration.ofDays(1), "10.0.0.1");
        lookup.set("app", TTL, "10.0.0.1");

        names.lookUpAll(List.of("short", "long", "app"), TIMEOUT);

        assertThat(names.nextLookupDelay("short")).isEqualTo(NameResolver.MIN);
        assertThat(names.nextLookupDelay("long")).isEqualTo(NameResolver.MAX);
        assertThat(names.nextLookupDelay("app")).isEqualTo(TTL);
    }

    @Test
    void unansweredNamesDoNotBlock() throws Exception {
        lookup.set("app", TTL, "10.0.0.1");
        lookup.set("silent", TTL, "10.0.0.2");
        CountDownLatch answered = new CountDownLatch(1);
        ExecutorService threads = Executors.newFixedThreadPool(2);
        try {
            NameLookup slow = name -> {
                if (name.equals("silent")) {
                    awaitUninterruptibly(answered);
                }
                return lookup.find(name);
            };
            NameResolver some = new NameResolver(slow, threads);
            some.lookUpAll(List.of("app"), TIMEOUT);

            some.lookUpAll(List.of("app", "silent"), Duration.ofMillis(1));

            assertThat(some.apply(new HostPort("app", 80)).getAddress().getHostAddress())
                    .isEqualTo("10.0.0.1");
            assertThatThrownBy(() -> some.apply(new HostPort("silent", 80))).hasMessage("no address found for silent");
            assertThat(some.nextLookupDelay("silent")).isEqualTo(NameResolver.MIN);
        } finally {
            answered.countDown();
            threads.shutdown();
        }
    }

    private static void awaitUninterruptibly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void unresolvedNameHasNoAddress() {
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
