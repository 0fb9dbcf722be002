package io.ballast.config.imports;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class PathConditionTest {

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
    void startTakesWhatBeginsSoWhetherOrNotASegmentEndsThere() throws NoEqualException {
        assertThat(taken(PathCondition.start("/a", /* ignoresCase= */ false)))
                .contains("/a", "/a.php", "/ab", "/a/b")
                .doesNotContain("/", "/A", "/A/b", "/b");
        assertThat(taken(PathCondition.start("/a", /* ignoresCase= */ true)))
                .contains("/a", "/A", "/A/b")
                .doesNotContain("/", "/b");
    }

    @Test
    void whatHoldsWhereBothHoldTakesWhatBothTake() throws NoEqualException {
        List<PathCondition> conditions = conditions();
        int known = 0;

        for (PathCondition one : conditions) {
            for (PathCondition other : conditions) {
                Optional<List<PathCondition>> both = one.and(other);
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
    void startAndAnEndAreOneCondition() throws NoEqualException {
        PathCondition start = PathCondition.start("/a/b", /* ignoresCase= */ false);
        PathCondition end = PathCondition.regex(PathCondition.anywhere("\\.(php|png)$"));

        assertThat(end.and(start)).hasValueSatisfying(both -> assertThat(both).hasSize(1));
        assertThat(PathCondition.regex(".*b").and(start))
                .as("/a/b itself ends so, and begins so")
                .isEmpty();
    }

    private static List<PathCondition> conditions() throws NoEqualException {
        List<PathCondition> conditions = new ArrayList<>(List.of(
                PathCondition.ANY,
                PathCondition.exact("/a.php"),
                PathCondition.prefix("/a"),
                PathCondition.prefix("/a/b"),
                PathCondition.prefix("/b"),
                PathCondition.regex(".*\\.php"),
                PathCondition.regex(PathCondition.anywhere("\\.(php|png)$")),
                PathCondition.regex(".*(?i:\\.php)"),
                PathCondition.regex("/a/b.+"),
                PathCondition.regex("(?i)/a\\.php")));
        for (String text : List.of("/a", "/a.p", "/a/", "/a/b", "/b")) {
            conditions.add(PathCondition.start(text, /* ignoresCase= */ false));
            conditions.add(PathCondition.start(text, /* ignoresCase= */ true));
        }
        return conditions;
    }

    private static List<String> taken(PathCondition condition) {
        return PATHS.stream().filter(path -> takes(condition, path)).toList();
    }

    private static boolean takes(PathCondition condition, String path) {
        return condition
                .and(PathCondition.exact(path))
                .filter(both -> !both.isEmpty())
                .isPresent();
    }
}
