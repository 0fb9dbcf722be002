package io.ballast.dns.transfer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.ballast.core.config.HostPort;
import io.ballast.core.config.TransferConfig;
import io.ballast.dns.stats.DnsCounter;
import io.ballast.dns.testing.Messages;
import io.ballast.dns.testing.Reload;
import io.ballast.dns.testing.TransferWorld;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.xbill.DNS.Message;
import org.xbill.DNS.SimpleResolver;
import org.xbill.DNS.Type;

/** A server of another house has the zone from us, and is told when it changes. */
class KnotSecondaryTest {

    private static final Path KNOT = Path.of("/usr/sbin/knotd");
    private static final long PATIENCE_SECONDS = 60;

    @TempDir
    private Path directory;

    private TransferWorld world;
    private HostPort address;
    private Process knot;

    @BeforeEach
    void create() throws IOException {
        assumeTrue(Files.isExecutable(KNOT), "knotd is not installed");
        world = new TransferWorld(directory);
        address = Reload.free();
    }

    @AfterEach
    void close() throws InterruptedException {
        if (knot != null) {
            knot.destroy();
            assertThat(knot.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
        }
        if (world != null) {
            world.close();
        }
    }

    @Test
    void hasTheZoneAndFollowsItsChanges() throws Exception {
        world.write(TransferWorld.head(1) + "a A 192.0.2.1\nb A 192.0.2.2\n");
        startKnot(TransferWorld.SECRET);
        world.start(rules(), 10);

        await(() -> answers("a", Type.A).equals(List.of("192.0.2.1")));
        assertThat(answers("app", Type.A)).containsExactlyInAnyOrder("192.0.2.1", "192.0.2.2");
        await(() -> counted(DnsCounter.NOTIFIES_ACKNOWLEDGED) == 1);
        assertThat(counted(DnsCounter.TRANSFERS_WHOLE)).isEqualTo(1);

        world.write(TransferWorld.head(2) + "a A 192.0.2.11\nb A 192.0.2.2\n");
        world.reload(rules());

        await(() -> answers("a", Type.A).equals(List.of("192.0.2.11")));
        assertThat(answers("b", Type.A)).containsExactly("192.0.2.2");
        assertThat(counted(DnsCounter.TRANSFERS_INCREMENTAL)).isEqualTo(1);
        await(() -> counted(DnsCounter.NOTIFIES_ACKNOWLEDGED) == 2);
    }

    @Test
    void anotherSecretIsRefused() throws Exception {
        world.write(TransferWorld.head(1) + "a A 192.0.2.1\n");
        startKnot("YW5vdGhlciBzZWNyZXQgdGhhdCBpcyBub3Qga25vd24=");
        world.start(rules(), 10);

        await(() -> counted(DnsCounter.NOTIFIES_FAILED) == 1);
        await(() -> counted(DnsCounter.CONTROL_UNSIGNED) > 0);
        assertThat(counted(DnsCounter.TRANSFERS_WHOLE)).isZero();
    }

    private TransferConfig rules() {
        return new TransferConfig(
                TransferWorld.LOOPBACK, List.of(TransferWorld.KEY), List.of(address), Optional.of(TransferWorld.KEY));
    }

    private void startKnot(String secret) throws Exception {
        Path config = directory.resolve("knot.conf");
        Files.writeString(config, """
                server:
                  listen: 127.0.0.1@%d
                  rundir: %2$s
                  udp-workers: 1
                  tcp-workers: 1
                  background-workers: 1
                log:
                  - target: %2$s/knot.log
                    any: debug
                database:
                  storage: %2$s
                key:
                  - id: %3$s
                    algorithm: hmac-sha256
                    secret: %4$s
                remote:
                  - id: primary
                    address: 127.0.0.1@%5$d
                    key: %3$s
                acl:
                  - id: primary
                    address: 127.0.0.1
                    key: %3$s
                    action: notify
                template:
                  - id: default
                    storage: %2$s
                zone:
                  - domain: example.com
                    file: secondary.zone
                    master: primary
                    acl: primary
                """.formatted(
                        address.port(),
                        directory,
                        TransferWorld.KEY,
                        secret,
                        world.address().getPort()));
        knot = new ProcessBuilder(KNOT.toString(), "-c", config.toString())
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve("knot.out").toFile())
                .start();
        await(() -> ask("a", Type.A) != null);
    }

    private List<String> answers(String name, int type) throws IOException {
        return Messages.answers(ask(name, type));
    }

    private Message ask(String name, int type) throws IOException {
        SimpleResolver resolver = new SimpleResolver(Reload.socketAddress(address));
        resolver.setTCP(true);
        return resolver.send(Messages.query(name + ".example.com", type));
    }

    private long counted(DnsCounter counter) {
        return world.frontend().stats().sum(counter);
    }

    private void await(Callable<Boolean> condition) throws Exception {
        long begun = System.nanoTime();
        while (!holds(condition)) {
            assertThat(System.nanoTime() - begun)
                    .as(() -> knotLog())
                    .isLessThan(TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS));
            LockSupport.parkNanos(5_000_000);
        }
    }

    /** Nobody may listen yet. */
    private static boolean holds(Callable<Boolean> condition) throws Exception {
        try {
            return condition.call();
        } catch (IOException e) {
            return false;
        }
    }

    private String knotLog() {
        try {
            return Files.readString(directory.resolve("knot.out")) + Files.readString(directory.resolve("knot.log"));
        } catch (IOException e) {
            return e.toString();
        }
    }
}
