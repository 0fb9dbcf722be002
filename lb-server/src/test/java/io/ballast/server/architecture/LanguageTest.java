package io.ballast.server.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Tests that comments and documents avoid the words and sentence beginnings in {@code words.txt}, and that a simple name
 * means one type.
 */
class LanguageTest {

    private static final Path ROOT = Path.of("..");
    private static final Pattern CODE = Pattern.compile(
            "@param \\w+|\\{@(?:code|link|linkplain|value)[^}]*}?|`[^`]*`|\"[^\"]*\"|<a href[^>]*>|https?:\\S+");

    private record Word(Pattern pattern, String advice) {}

    @Test
    void commentsAvoidTheListedWords() throws IOException {
        List<Path> files = files(".java");
        List<String> findings = new ArrayList<>();
        for (Path file : files) {
            findings.addAll(findings(file));
        }

        assertThat(files).hasSizeGreaterThan(1000);
        assertThat(findings).as("see words.txt").isEmpty();
    }

    @Test
    void documentsAvoidTheListedWords() throws IOException {
        List<String> findings = new ArrayList<>();
        for (Path file : files(".md")) {
            if (!file.toString().contains("/results/")) {
                findings.addAll(findings(file));
            }
        }

        assertThat(findings).as("see words.txt").isEmpty();
    }

    /** A reader who knows a type in one package does not expect another type with this name in another package. */
    @Test
    void topLevelTypesHaveDifferentSimpleNames() throws IOException {
        Map<String, List<Path>> byName = files(".java").stream()
                .filter(file ->
                        !file.endsWith("package-info.java") && !file.toString().contains("/java22/"))
                .collect(Collectors.groupingBy(file -> file.getFileName().toString()));

        assertThat(byName.size()).isGreaterThan(1000);
        assertThat(byName.values().stream().filter(files -> files.size() > 1).toList())
                .isEmpty();
    }

    private static List<Path> files(String suffix) throws IOException {
        try (Stream<Path> all = Files.find(
                ROOT,
                /* maxDepth= */ 20,
                (file, attributes) -> file.toString().endsWith(suffix)
                        && !file.toString().contains("/target/")
                        && !file.toString().contains("/node_modules/")
                        && !file.toString().contains("/."))) {
            return all.sorted().toList();
        }
    }

    private static List<String> findings(Path file) throws IOException {
        List<Word> words = words();
        List<String> lines = Files.readAllLines(file);
        List<String> findings = new ArrayList<>();
        for (int i = 0; i < lines.size(); i++) {
            String text = prose(file, lines.get(i));
            Optional<Word> word = words.stream()
                    .filter(each -> each.pattern.matcher(text).find())
                    .findFirst();
            if (word.isPresent()) {
                findings.add(file + ":" + (i + 1) + ": " + text + " (" + word.get().advice + ")");
            }
        }
        return findings;
    }

    /** The prose of a line: a comment of Java without its markup, or a paragraph of Markdown; empty for code and tables. */
    private static String prose(Path file, String line) {
        String text = line.strip();
        boolean isJava = file.toString().endsWith(".java");
        if (isJava && !text.startsWith("*") && !text.startsWith("//") && !text.startsWith("/*")) {
            return "";
        }
        if (!isJava && (text.startsWith("|") || text.startsWith("#!") || line.startsWith("    "))) {
            return "";
        }
        return CODE.matcher(text)
                .replaceAll("X")
                .replaceAll("^[/*#>\\-\\s]+", "")
                .replace("*/", "");
    }

    private static List<Word> words() throws IOException {
        return Files.readAllLines(Path.of("src/test/resources/language/words.txt")).stream()
                .filter(line -> !line.startsWith("#"))
                .map(line -> line.split("\t", 2))
                .map(parts -> new Word(Pattern.compile(parts[0], Pattern.CASE_INSENSITIVE), parts[1]))
                .toList();
    }
}
