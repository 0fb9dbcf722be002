package io.ballast.config.imports;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ImportedPathTest {

    private static final List<String> PATHS = List.of(
            "/",
            "/a",
            "/A",
            "/a/",
            "/a.php",
            "/A.PHP",
            "/ab",
            "/aB",
            "/a/b",
            "/A/b",
            "/a/bc",
            "/a/b/c",
            "/a/b.php",
            "/a/b.png",
            "/b",
            "/b.png",
            "/a.p.php",
            "/a/b/.php",
            "/a.ph",
            "/a.phphp");

    @Test
    void prefixMatchesInsideSegments() throws UntranslatableException {
        assertThat(taken(ImportedPath.textPrefix("/a", /* ignoresCase= */ false)))
                .contains("/a", "/a.php", "/ab", "/a/b")
                .doesNotContain("/", "/A", "/A/b", "/b");
        assertThat(taken(ImportedPath.textPrefix("/a", /* ignoresCase= */ true)))
                .contains("/a", "/A", "/A/b")
                .doesNotContain("/", "/b");
    }

    @Test
    void intersectionMatchesBothConditions() throws UntranslatableException {
        List<ImportedPath> conditions = conditions();
        int known = 0;

        for (ImportedPath one : conditions) {
            for (ImportedPath other : conditions) {
                Optional<List<ImportedPath>> both = one.and(other);
                known += both.isPresent() ? 1 : 0;
                for (String path : PATHS) {
                    both.ifPresent(all -> assertThat(all.stream().anyMatch(condition -> takes(condition, path)))
                            .as("%s and %s of %s: %s", one, other, path, all)
                            .isEqualTo(takes(one, path) && takes(other, path)));
                }
            }
        }

        assertThat(known).isGreaterThan(conditions.size() * conditions.size() / 2);
    }

    @Test
    void prefixAndSuffixFormOneCondition() throws UntranslatableException {
        ImportedPath start = ImportedPath.textPrefix("/a/b", /* ignoresCase= */ false);
        ImportedPath end = ImportedPath.regex(ImportedPath.toFullMatchRegex("\\.(php|png)$"));

        assertThat(end.and(start)).hasValueSatisfying(both -> assertThat(both).hasSize(1));
        assertThat(ImportedPath.regex(".*b").and(start))
                .as("/a/b itself ends so, and begins so")
                .isEmpty();
    }

    private static List<ImportedPath> conditions() throws UntranslatableException {
        List<ImportedPath> conditions = new ArrayList<>(List.of(
                ImportedPath.ANY,
                ImportedPath.exact("/a.php"),
                ImportedPath.prefix("/a"),
                ImportedPath.prefix("/a/b"),
                ImportedPath.prefix("/b"),
                ImportedPath.regex(".*\\.php"),
                ImportedPath.regex(ImportedPath.toFullMatchRegex("\\.(php|png)$")),
                ImportedPath.regex(".*(?i:\\.php)"),
                ImportedPath.regex("/a/b.+"),
                ImportedPath.regex("(?i)/a\\.php")));
        for (String text : List.of("/a", "/a.p", "/a/", "/a/b", "/b")) {
            conditions.add(ImportedPath.textPrefix(text, /* ignoresCase= */ false));
            conditions.add(ImportedPath.textPrefix(text, /* ignoresCase= */ true));
        }
        return conditions;
    }

    private static List<String> taken(ImportedPath condition) {
        return PATHS.stream().filter(path -> takes(condition, path)).toList();
    }

    private static boolean takes(ImportedPath condition, String path) {
        return condition
                .and(ImportedPath.exact(path))
                .filter(both -> !both.isEmpty())
                .isPresent();
    }
}
