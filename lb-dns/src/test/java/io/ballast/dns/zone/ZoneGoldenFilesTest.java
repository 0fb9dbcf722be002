package io.ballast.dns.zone;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.dns.testing.AnswererClient;
import io.ballast.dns.testing.ZoneFixture;
import io.ballast.dns.zone.source.ZoneFindings;
import io.ballast.dns.zone.source.ZoneProblem;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Compares the messages for a zone file of example.com with the expected file, word for word.
 * {@code -Dballast.update=true} rewrites the expected files; review the difference before committing it.
 */
class ZoneGoldenFilesTest {

    private static final Path FILES = Path.of("src/test/resources/zonefile");

    private final ZoneFixture fixture = new ZoneFixture().pool("web", ZoneFixture.backend("192.0.2.1"));

    static List<Path> bad() {
        return in("bad");
    }

    static List<Path> warned() {
        return in("warned");
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("bad")
    void invalidFileReportsAllProblems(Path file) throws IOException {
        fixture.zone("example.com", file);

        ZoneFindings found = CompiledZones.check(fixture.dns());

        assertThat(found.errors()).isNotEmpty();
        assertIs(file, ".errors", found.errors());
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("warned")
    void questionableFileIsServedWithWarnings(Path file) throws IOException {
        fixture.zone("example.com", file, ZoneFixture.service("service", "web"));

        ZoneFindings found = CompiledZones.check(fixture.dns());

        assertThat(found.errors()).isEmpty();
        assertIs(file, ".warnings", found.warnings());
        new AnswererClient(fixture);
    }

    private static List<Path> in(String directory) {
        try (Stream<Path> files = Files.list(FILES.resolve(directory))) {
            return files.filter(file -> file.toString().endsWith(".zone"))
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void assertIs(Path file, String extension, List<ZoneProblem> found) throws IOException {
        Path expected = file.resolveSibling(file.getFileName().toString().replace(".zone", extension));
        String text = found.stream()
                .map(problem -> problem.toString().replace(file.getParent() + "/", "") + "\n")
                .collect(Collectors.joining());
        if (Boolean.getBoolean("ballast.update")) {
            Files.writeString(expected, text);
        }
        assertThat(expected)
                .as("write it by: ./mvnw -pl lb-dns -am test -Dballast.update=true")
                .exists();
        assertThat(Files.readString(expected)).isEqualTo(text);
    }
}
