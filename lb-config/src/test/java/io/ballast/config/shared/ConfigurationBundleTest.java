package io.ballast.config.shared;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ConfigurationBundleTest {

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static ConfigurationBundle bundle(String... pathsAndTexts) {
        Map<String, byte[]> files = new HashMap<>();
        for (int i = 0; i < pathsAndTexts.length; i += 2) {
            files.put(pathsAndTexts[i], bytes(pathsAndTexts[i + 1]));
        }
        return ConfigurationBundle.of(pathsAndTexts[0], files);
    }

    @Test
    void theCompressedFormContainsAllFiles() {
        ConfigurationBundle bundle = bundle("site.yaml", "grace: 5s\n", "zones/a.zone", "", "b ü.txt", "ü");

        ConfigurationBundle copy = ConfigurationBundle.decompress(bundle.compress());

        assertThat(copy.main()).isEqualTo("site.yaml");
        assertThat(copy.files().keySet()).containsExactly("b ü.txt", "site.yaml", "zones/a.zone");
        assertThat(copy.files().get("site.yaml")).isEqualTo(bytes("grace: 5s\n"));
        assertThat(copy.sha256()).isEqualTo(bundle.sha256()).hasSize(64);
        assertThat(copy.bytes()).isEqualTo(12);
    }

    @Test
    void theHashDependsOnContentsPathsAndTheMainFile() {
        String hash = bundle("a", "1", "b", "2").sha256();

        assertThat(bundle("a", "1", "b", "2").sha256()).isEqualTo(hash);
        assertThat(bundle("a", "1", "b", "3").sha256()).isNotEqualTo(hash);
        assertThat(bundle("a", "1", "c", "2").sha256()).isNotEqualTo(hash);
        assertThat(bundle("b", "2", "a", "1").sha256()).isNotEqualTo(hash);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "/etc/passwd",
                "../site.yaml",
                "a/../b",
                "a/./b",
                "a//b",
                "a/",
                ".",
                "..",
                "a\\b",
                "a\nb",
                "a\0b"
            })
    void pathsThatLeadElsewhereAreRefused(String path) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ConfigurationBundle.of("a", Map.of("a", bytes(""), path, bytes("x"))))
                .withMessageContaining("expected: a relative path without ..");
    }

    @Test
    void boundsAreEnforced() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ConfigurationBundle.of("a", Map.of("a", new byte[ConfigurationBundle.MAX_BYTES + 1])))
                .withMessageContaining("8388609 bytes (expected: at most 8388608");
        Map<String, byte[]> many = new HashMap<>();
        for (int i = 0; i <= ConfigurationBundle.MAX_FILES; i++) {
            many.put("file" + i, bytes(""));
        }
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ConfigurationBundle.of("file0", many))
                .withMessageContaining("2001 files (expected: at most 2000)");
        byte[] random = new byte[5 << 20];
        new Random(1).nextBytes(random);
        ConfigurationBundle incompressible = ConfigurationBundle.of("a", Map.of("a", random));
        assertThatIllegalArgumentException()
                .isThrownBy(incompressible::compress)
                .withMessageContaining("bytes compressed (expected: at most 4194304)");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ConfigurationBundle.of("b", Map.of("a", bytes(""))))
                .withMessageContaining("the main file b is missing");
    }

    /** Decompression stops early for a short input whose decompressed form is very long. */
    @Test
    void aDecompressionBombIsRefused() throws Exception {
        ByteArrayOutputStream bomb = new ByteArrayOutputStream();
        try (GZIPOutputStream out = new GZIPOutputStream(bomb)) {
            byte[] zeros = new byte[1 << 20];
            for (int i = 0; i < 200; i++) {
                out.write(zeros);
            }
        }

        assertThatIllegalArgumentException()
                .isThrownBy(() -> ConfigurationBundle.decompress(bomb.toByteArray()))
                .withMessageContaining("too large (expected: at most 8388608 bytes)");
    }

    @Test
    void damagedAndForgedInputIsRefused() throws Exception {
        byte[] good = bundle("site.yaml", "grace: 5s\n").compress();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ConfigurationBundle.decompress(Arrays.copyOf(good, good.length - 9)));
        assertThatIllegalArgumentException().isThrownBy(() -> ConfigurationBundle.decompress(bytes("no gzip")));
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DataOutputStream out = new DataOutputStream(new GZIPOutputStream(bytes))) {
            out.writeInt(0x4C424331);
            out.writeInt(1);
            out.writeByte('a');
            out.writeInt(1);
            out.writeInt(1);
            out.writeByte('a');
            out.writeInt(Integer.MAX_VALUE); // the length of the content
        }
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ConfigurationBundle.decompress(bytes.toByteArray()))
                .withMessageContaining("malformed");
    }
}
