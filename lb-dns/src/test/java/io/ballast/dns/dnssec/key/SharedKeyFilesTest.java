package io.ballast.dns.dnssec.key;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SharedKeyFilesTest {

    private static final Instant NOW = Instant.parse("2026-11-21T09:30:00Z");

    @TempDir
    private Path dataDir;

    private KeyDirectory directory;
    private SharedKeyFiles files;

    @BeforeEach
    void open() {
        directory = new KeyDirectory(dataDir, "example.com");
        files = new SharedKeyFiles(directory);
    }

    private KeyBundle generated() {
        return files.generate(KeyAlgorithm.ECDSAP256SHA256, NOW);
    }

    @Test
    void theTextOfKeysHasAllFiles() {
        KeyBundle keys = generated();

        assertThat(KeyBundle.parse(keys.text())).isEqualTo(keys);
        assertThat(keys.files()).hasSize(2);
        assertThat(KeyBundle.parse("").isEmpty()).isTrue();
        assertThat(keys.toString()).doesNotContain("PrivateKey");
    }

    @Test
    void aMalformedTextIsRefused() {
        String text = generated().text();
        for (String malformed : new String[] {"x", "x\n", "x y\n", "x 99\nabc", text.substring(1, text.length() - 1)}) {
            assertThatThrownBy(() -> KeyBundle.parse(malformed))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageStartingWith("key files: malformed");
        }
    }

    @Test
    void receivedKeysAreWrittenOnce() throws IOException {
        KeyBundle keys = generated();

        assertThat(files.has(keys)).isFalse();
        assertThat(files.install(keys, NOW)).isEmpty();
        assertThat(files.has(keys)).isTrue();
        assertThat(files.read(NOW)).isEqualTo(keys);
    }

    @Test
    void newTimesReplaceTheFileOfTheSameKey() throws IOException {
        files.install(generated(), NOW);
        KeyBundle published = files.read(NOW);
        directory.update(directory.load().get(0), KeyTimes.activeFrom(NOW.plusSeconds(60)));
        KeyBundle changed = files.read(NOW.plusSeconds(61));

        assertThat(files.install(published, NOW)).isEmpty();
        assertThat(files.install(changed, NOW.plusSeconds(61))).isEmpty();
        assertThat(files.read(NOW.plusSeconds(61))).isEqualTo(changed);
    }

    @Test
    void otherKeysAreMovedAside() throws IOException {
        KeyBundle own = generated();
        files.install(own, NOW);
        KeyBundle keys = generated();

        Path moved = files.install(keys, NOW).orElseThrow();

        assertThat(files.read(NOW)).isEqualTo(keys);
        assertThat(moved).hasFileName("replaced-20261121093000");
        for (Map.Entry<String, String> file : own.files().entrySet()) {
            assertThat(moved.resolve(file.getKey())).hasContent(file.getValue());
        }
        assertThat(files.install(own, NOW).orElseThrow()).hasFileName("replaced-20261121093000-2");
    }

    @Test
    void aDamagedFileIsMovedAside() throws IOException {
        KeyBundle keys = generated();
        files.install(keys, NOW);
        Path damaged = directory.load().get(0).file();
        Files.writeString(damaged, "x");

        Path moved = files.install(keys, NOW).orElseThrow();

        assertThat(files.read(NOW)).isEqualTo(keys);
        assertThat(moved.resolve(damaged.getFileName())).hasContent("x");
    }

    @Test
    void unusableKeysAreNotWritten() throws IOException {
        KeyBundle keys = generated();
        files.install(keys, NOW);
        TreeMap<String, String> half = new TreeMap<>(generated().files());
        half.remove(half.firstKey());
        TreeMap<String, String> outside = new TreeMap<>(Map.of("../x.key", "x"));

        assertThatThrownBy(() -> files.install(new KeyBundle(half), NOW)).isInstanceOf(KeyFileException.class);
        assertThatThrownBy(() -> files.install(new KeyBundle(outside), NOW)).isInstanceOf(KeyFileException.class);

        assertThat(files.read(NOW)).isEqualTo(keys);
    }

    @Test
    void aWatchOfSharedKeysGeneratesNone() throws IOException {
        KeyWatch watch = KeyWatch.shared(directory, KeyAlgorithm.ECDSAP256SHA256, NOW, /* withholds= */ true);
        assertThat(watch.current().isWithheld()).isTrue();
        assertThat(watch.refresh(NOW)).isFalse();
        assertThat(directory.load()).isEmpty();

        files.install(generated(), NOW);

        assertThat(watch.refresh(NOW)).isTrue();
        assertThat(watch.current().isWithheld()).isFalse();
        assertThat(watch.current().active().tag())
                .isEqualTo(directory.load().get(0).key().tag());
    }
}
