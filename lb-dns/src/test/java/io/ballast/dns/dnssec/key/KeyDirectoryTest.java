package io.ballast.dns.dnssec.key;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.xbill.DNS.Name;

class KeyDirectoryTest {

    private static final Instant NOW = Instant.parse("2026-11-21T09:30:00Z");

    @TempDir
    private Path dataDir;

    @ParameterizedTest
    @EnumSource
    void firstKeyIsCreatedOnceAndLoaded(KeyAlgorithm algorithm) throws IOException {
        KeyDirectory directory = new KeyDirectory(dataDir, "gslb.example.com");

        ZoneKeySet first = ZoneKeySet.loadOrCreate(NOW, directory, algorithm);
        ZoneKeySet again = ZoneKeySet.loadOrCreate(NOW, directory, algorithm);

        assertThat(again.active().dnskey()).isEqualTo(first.active().dnskey());
        assertThat(again.active().privateKey()).isEqualTo(first.active().privateKey());
        assertThat(again.isSame(first)).isTrue();
        assertThat(directory.load()).singleElement().satisfies(key -> {
            assertThat(key.state(NOW)).isEqualTo(KeyState.ACTIVE);
            assertThat(key.times()).isEqualTo(KeyTimes.activeFrom(NOW));
        });
    }

    @Test
    void classlessReverseZoneUsesBindFileNames() throws IOException {
        KeyDirectory directory = new KeyDirectory(dataDir, "0/25.2.0.192.in-addr.arpa");

        ZoneKeySet first = ZoneKeySet.loadOrCreate(NOW, directory, KeyAlgorithm.ED25519);

        assertThat(directory.path()).isEqualTo(dataDir.resolve("dnssec/0%2F25.2.0.192.in-addr.arpa"));
        assertThat(directory.load()).singleElement().satisfies(key -> {
            assertThat(key.key().dnskey()).isEqualTo(first.active().dnskey());
            assertThat(key.file().getFileName().toString()).startsWith("K0%2F25.2.0.192.in-addr.arpa.+015+");
        });
    }

    @Test
    void filesArePrivate() throws IOException {
        KeyDirectory directory = new KeyDirectory(dataDir, "gslb.example.com");

        ZoneKeySet.loadOrCreate(NOW, directory, KeyAlgorithm.ECDSAP256SHA256);

        assertThat(mode(directory.path())).isEqualTo("rwx------");
        assertThat(mode(dataDir.resolve("dnssec"))).isEqualTo("rwx------");
        for (ManagedKey key : directory.load()) {
            assertThat(mode(key.file())).isEqualTo("rw-------");
        }
    }

    private static String mode(Path path) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
    }

    @Test
    void importsKeyOfOtherTool() throws IOException {
        List<ManagedKey> keys = KeyFiles.ecdsa(dataDir).load();

        assertThat(keys).hasSize(1);
        SigningKey key = keys.get(0).key();
        assertThat(key.tag()).isEqualTo(55648);
        assertThat(HexFormat.of()
                        .formatHex(
                                key.ds(Name.fromConstantString("example.net.").toWireCanonical())))
                .isEqualTo("d960" + "0d02" + "b4c8c1fe2e7477127b27115656ad6256f424625bf5c1e2770ce6d6e37df61d17");
        assertThat(keys.get(0).state(NOW)).isEqualTo(KeyState.ACTIVE);
    }

    @Test
    void importsOtherAlgorithmWithTimes() throws IOException {
        List<ManagedKey> keys = KeyFiles.ed25519(dataDir).load();

        assertThat(keys).hasSize(1);
        SigningKey key = keys.get(0).key();
        assertThat(key.tag()).isEqualTo(3613);
        assertThat(HexFormat.of()
                        .formatHex(
                                key.ds(Name.fromConstantString("example.com.").toWireCanonical())))
                .isEqualTo("0e1d" + "0f02" + "3aa5ab37efce57f737fc1627013fee07bdf241bd10f3b1964ab55c78e79a304b");
        assertThat(keys.get(0).state(Instant.parse("2026-01-01T12:00:00Z"))).isEqualTo(KeyState.FUTURE);
        assertThat(keys.get(0).state(Instant.parse("2026-01-02T12:00:00Z"))).isEqualTo(KeyState.PUBLISHED);
        assertThat(keys.get(0).state(Instant.parse("2026-01-03T00:00:00Z"))).isEqualTo(KeyState.ACTIVE);
    }

    @Test
    void keyChangesAreSerialized() throws Exception {
        KeyDirectory directory = new KeyDirectory(dataDir, "gslb.example.com");
        KeyDirectory same = new KeyDirectory(dataDir, "gslb.example.com");
        CountDownLatch changing = new CountDownLatch(1);
        CountDownLatch mayEnd = new CountDownLatch(1);
        List<String> order = new CopyOnWriteArrayList<>();
        FutureTask<Boolean> first = new FutureTask<>(() -> directory.changeExclusively(() -> {
            changing.countDown();
            awaitUninterruptibly(mayEnd);
            return order.add("first");
        }));
        FutureTask<Boolean> second = new FutureTask<>(() -> same.changeExclusively(() -> order.add("second")));
        Thread waiting = new Thread(second);

        new Thread(first).start();
        changing.await();
        waiting.start();
        while (waiting.getState() != Thread.State.WAITING && !second.isDone()) {
            Thread.onSpinWait();
        }
        mayEnd.countDown();

        assertThat(first.get()).isTrue();
        assertThat(second.get()).isTrue();
        assertThat(order).containsExactly("first", "second");
    }

    private static void awaitUninterruptibly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    static Stream<Arguments> unusable() {
        return Stream.of(
                Arguments.of(KeyFiles.ECDSA_PRIVATE.replace("GU6S", "!!!!"), "PrivateKey: expected: base64"),
                Arguments.of(KeyFiles.ECDSA_PRIVATE.replace("6mQ=", ""), "PrivateKey: 30 bytes (expected: 32 bytes)"),
                Arguments.of(
                        KeyFiles.ECDSA_PRIVATE.replace("GU6S", "GU7S"),
                        "PrivateKey: does not match (expected: the private key"),
                Arguments.of(KeyFiles.ECDSA_PRIVATE.replace("13 (", "8 ("), "algorithm: 8 (expected: 13"),
                Arguments.of(
                        KeyFiles.ECDSA_PRIVATE.replace("13 (", "15 ("),
                        "Algorithm: ED25519 (expected: ECDSAP256SHA256"),
                Arguments.of(KeyFiles.ECDSA_PRIVATE.replace("Algorithm", "Algorhythm"), "line 'Algorithm:' is missing"),
                Arguments.of(KeyFiles.ECDSA_PRIVATE + "Activate: soon\n", "Activate: soon (expected: a time such as"),
                Arguments.of(
                        KeyFiles.ECDSA_PRIVATE + "nothing\n",
                        "line 4: invalid (expected: a unique name, a colon, a value)"),
                Arguments.of("", "line 'Private-key-format:' is missing"));
    }

    @ParameterizedTest
    @MethodSource("unusable")
    void unusablePrivateKeyIsNamedAndNotReplaced(String privateText, String problem) throws IOException {
        KeyDirectory directory =
                KeyFiles.write(dataDir, KeyFiles.ECDSA_ZONE, KeyFiles.ECDSA_NAME, privateText, KeyFiles.ECDSA_PUBLIC);
        Path file = directory.path().resolve(KeyFiles.ECDSA_NAME + ".private");

        assertThatThrownBy(() -> ZoneKeySet.loadOrCreate(NOW, directory, KeyAlgorithm.ECDSAP256SHA256))
                .isInstanceOf(KeyFileException.class)
                .hasMessageStartingWith(file.toString())
                .hasMessageContaining(problem);

        assertThat(Files.readString(file)).isEqualTo(privateText);
        try (Stream<Path> files = Files.list(directory.path())) {
            assertThat(files).hasSize(2);
        }
    }

    static Stream<Arguments> unusablePublic() {
        return Stream.of(
                Arguments.of(KeyFiles.ECDSA_PUBLIC.replace("257", "256"), "flags and protocol: 256 3 (expected: 257 3"),
                Arguments.of(
                        KeyFiles.ECDSA_PUBLIC.replace("net. 3600", "org. 3600"),
                        "zone: example.org (expected: example.net)"),
                Arguments.of(KeyFiles.ECDSA_PUBLIC.replace("Goj", "Gok"), "public key"),
                Arguments.of(KeyFiles.ECDSA_PUBLIC.replace("DNSKEY", "KEY"), "expected: one record"),
                Arguments.of("; nothing\n", "0 records (expected: one record"));
    }

    @ParameterizedTest
    @MethodSource("unusablePublic")
    void unusablePublicKeyIsNamed(String publicText, String problem) throws IOException {
        KeyDirectory directory =
                KeyFiles.write(dataDir, KeyFiles.ECDSA_ZONE, KeyFiles.ECDSA_NAME, KeyFiles.ECDSA_PRIVATE, publicText);

        assertThatThrownBy(directory::load)
                .isInstanceOf(KeyFileException.class)
                .hasMessageContaining(KeyFiles.ECDSA_NAME)
                .hasMessageContaining(problem);
    }

    @Test
    void missingKeyHalfIsError() throws IOException {
        KeyDirectory directory = KeyFiles.ecdsa(dataDir);
        Path file = directory.path().resolve(KeyFiles.ECDSA_NAME + ".private");
        Files.delete(file);

        assertThatThrownBy(() -> ZoneKeySet.loadOrCreate(NOW, directory, KeyAlgorithm.ECDSAP256SHA256))
                .isInstanceOf(KeyFileException.class)
                .hasMessageStartingWith(file + ": missing, though");
    }

    @Test
    void keyOfOtherZoneIsError() throws IOException {
        KeyDirectory directory = KeyFiles.write(
                dataDir, "example.org", KeyFiles.ECDSA_NAME, KeyFiles.ECDSA_PRIVATE, KeyFiles.ECDSA_PUBLIC);

        assertThatThrownBy(directory::load).hasMessageContaining("invalid name of a key file of this zone");
    }

    @Test
    void errorNamesUnreadableFile() throws IOException {
        KeyDirectory directory = KeyFiles.ecdsa(dataDir);
        Path file = directory.path().resolve(KeyFiles.ECDSA_NAME + ".private");
        Files.delete(file);
        Files.createDirectory(file);

        assertThatThrownBy(directory::load)
                .isInstanceOf(KeyFileException.class)
                .hasMessageStartingWith(file.toString())
                .hasMessageContaining("cannot be read");
    }

    @Test
    void zoneKeepsAlgorithm() throws IOException {
        KeyDirectory directory = KeyFiles.ecdsa(dataDir);

        assertThatThrownBy(() -> ZoneKeySet.loadOrCreate(NOW, directory, KeyAlgorithm.ED25519))
                .hasMessageContaining(
                        "algorithm of the keys: ECDSAP256SHA256, algorithm of the configuration: ED25519");
    }

    @Test
    void noActiveKeyIsError() throws IOException {
        KeyDirectory directory = KeyFiles.write(
                dataDir,
                KeyFiles.ECDSA_ZONE,
                KeyFiles.ECDSA_NAME,
                KeyFiles.ECDSA_PRIVATE + "Publish: 20260101000000\n",
                KeyFiles.ECDSA_PUBLIC);

        assertThatThrownBy(() -> ZoneKeySet.loadAt(NOW, directory)).hasMessageContaining("none of 1 keys is active");
    }

    @Test
    void lateClockStillSignsZone() throws IOException {
        KeyDirectory directory = new KeyDirectory(dataDir, "example.net");
        ZoneKeySet first = ZoneKeySet.loadOrCreate(NOW, directory, KeyAlgorithm.ECDSAP256SHA256);

        ZoneKeySet behind =
                ZoneKeySet.loadOrCreate(NOW.minus(Duration.ofDays(4)), directory, KeyAlgorithm.ECDSAP256SHA256);

        assertThat(behind.isSame(first)).isTrue();
    }

    @Test
    void preservesUnknownLines() throws IOException {
        KeyDirectory directory = KeyFiles.write(
                dataDir,
                KeyFiles.ECDSA_ZONE,
                KeyFiles.ECDSA_NAME,
                KeyFiles.ECDSA_PRIVATE + "SyncPublish: 20260101000000\n",
                KeyFiles.ECDSA_PUBLIC);
        ManagedKey key = directory.load().get(0);

        directory.update(key, key.times().retired(NOW));

        assertThat(Files.readString(key.file()))
                .isEqualTo(KeyFiles.ECDSA_PRIVATE + "SyncPublish: 20260101000000\nInactive: 20261121093000\n");
    }
}
