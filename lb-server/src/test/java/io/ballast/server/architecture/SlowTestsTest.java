package io.ballast.server.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Tests that {@code slow-tests.txt}, the list of tests that the profile {@code inner} skips, names existing classes.
 */
class SlowTestsTest {

    private static final Path ROOT = Path.of("..");

    @Test
    void listedClassesExist() throws IOException {
        List<String> listed = Files.readAllLines(ROOT.resolve("slow-tests.txt")).stream()
                .filter(line -> !line.startsWith("#"))
                .toList();

        assertThat(listed).isSorted().hasSizeGreaterThan(10).allMatch(line -> line.startsWith("**/"));
        assertThat(testClasses()).containsAll(listed);
    }

    /** Returns a pattern for each test class, as in the list. */
    private static Set<String> testClasses() throws IOException {
        try (Stream<Path> all = Files.find(
                ROOT,
                /* maxDepth= */ 20,
                (file, attributes) -> file.toString().contains("/src/test/java/")
                        && file.toString().endsWith("Test.java"))) {
            return all.map(file -> "**/" + file.getFileName()).collect(Collectors.toSet());
        }
    }
}
