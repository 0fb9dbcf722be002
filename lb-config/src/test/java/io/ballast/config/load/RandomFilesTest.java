package io.ballast.config.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Tests that the loader reads each randomly damaged file or reports problems with positions, and never fails in another
 * way.
 */
class RandomFilesTest {

    private static final long SEED = Long.getLong("ballast.seed", 1L);
    private static final int ROUNDS = 60;
    private static final String[] WORDS = {
        ":",
        "- ",
        "\n",
        "  ",
        "\t",
        "&a",
        "*a",
        "<<: ",
        "!!str ",
        "!x ",
        "---\n",
        "...\n",
        "[",
        "]",
        "{",
        "}",
        "\"",
        "'",
        "|",
        ">",
        "#",
        "%",
        "@",
        "`",
        "? ",
        "~",
        "null",
        "${",
        "${PORT}",
        "$$",
        "\u0000",
        "\u0007",
        "\ud83d\ude00",
        "\ufeff",
        "-1",
        "0",
        "99999999999999999999",
        "1e999",
        "0x10",
        "true",
        "pool: ",
        "include: ['*']\n",
        "\\",
        "\"\\ud800\"",
        "\r"
    };

    @TempDir
    private Path directory;

    static List<Path> files() {
        List<Path> files = new ArrayList<>(ConfigFiles.examples());
        files.addAll(ConfigFiles.in(ConfigFiles.GOLDEN.resolve("good")));
        files.addAll(ConfigFiles.in(ConfigFiles.GOLDEN.resolve("bad")));
        return files;
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("files")
    void damagedFileIsReadOrRejected(Path original) throws IOException {
        Random random = new Random(SEED ^ original.getFileName().toString().hashCode());
        String text = ConfigFiles.text(original);

        for (int round = 0; round < ROUNDS; round++) {
            String damaged = damaged(text, random);
            Path file = Files.write(directory.resolve("damaged.yaml"), damaged.getBytes(StandardCharsets.UTF_8));
            readOrRefuse(file, "seed " + SEED + ", round " + round + ":\n" + damaged);
        }
    }

    @Test
    void rejectsRandomBytes() throws IOException {
        Random random = new Random(SEED);
        for (int round = 0; round < ROUNDS; round++) {
            byte[] noise = new byte[random.nextInt(200)];
            random.nextBytes(noise);
            readOrRefuse(Files.write(directory.resolve("noise.yaml"), noise), "seed " + SEED + ", round " + round);
        }
    }

    private static void readOrRefuse(Path file, String about) {
        try {
            LoadedConfig loaded = ConfigFiles.loader().load(file);
            assertThat(ConfigFiles.loader()
                            .load(Files.writeString(file, loaded.explain()))
                            .config())
                    .as(about)
                    .isEqualTo(loaded.config());
        } catch (ConfigException e) {
            assertThat(e.problems()).as(about).isNotEmpty();
            assertThat(e.problems())
                    .as(about)
                    .allSatisfy(problem -> assertThat(problem.toString()).doesNotContain("\n"));
        } catch (IOException | RuntimeException | StackOverflowError e) {
            fail(about, e);
        }
    }

    private static String damaged(String text, Random random) {
        StringBuilder damaged = new StringBuilder(text);
        int wounds = 1 + random.nextInt(3);
        for (int i = 0; i < wounds; i++) {
            int start = random.nextInt(damaged.length() + 1);
            int end = Math.min(damaged.length(), start + random.nextInt(8));
            switch (random.nextInt(4)) {
                case 0 -> damaged.delete(start, end);
                case 1 -> damaged.insert(start, WORDS[random.nextInt(WORDS.length)]);
                case 2 -> damaged.replace(start, end, WORDS[random.nextInt(WORDS.length)]);
                default -> damaged.insert(start, text, 0, Math.min(text.length(), random.nextInt(120)));
            }
        }
        return damaged.toString();
    }
}
