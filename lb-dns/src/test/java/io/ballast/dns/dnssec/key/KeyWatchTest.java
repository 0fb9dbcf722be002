package io.ballast.dns.dnssec.key;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.dns.config.zone.DnssecConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KeyWatchTest {

    private static final Instant NOW = Instant.parse("2026-11-21T09:30:00Z");

    @TempDir
    private Path dataDir;

    @Test
    void unreadableFilesAreReadAgain() throws IOException {
        KeyDirectory directory = new KeyDirectory(dataDir, "example.com");
        KeyWatch watch = new KeyWatch(directory, KeyAlgorithm.ECDSAP256SHA256, NOW);
        Clock clock = Clock.fixed(NOW, ZoneOffset.UTC);
        new Rollover(directory, DnssecConfig.DEFAULT, clock).start();
        Path file = directory.load().get(1).file();
        byte[] good = Files.readAllBytes(file);
        byte[] broken = good.clone();
        broken[0] = '!';

        // The file's metadata stays the same, as after a temporary disk error.
        write(file, broken);
        assertThat(watch.refresh(NOW)).isFalse();
        write(file, good);

        assertThat(watch.refresh(NOW)).isTrue();
        assertThat(watch.current().visible()).hasSize(2);
    }

    private static void write(Path file, byte[] text) throws IOException {
        Files.write(file, text);
        Files.setLastModifiedTime(file, FileTime.from(NOW));
    }
}
