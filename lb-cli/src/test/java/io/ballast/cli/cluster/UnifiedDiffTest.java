package io.ballast.cli.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class UnifiedDiffTest {

    private static final Pattern HUNK = Pattern.compile("@@ -(\\d+),(\\d+) \\+(\\d+),(\\d+) @@");

    private static List<String> numbers(int from, int to) {
        return new ArrayList<>(
                IntStream.rangeClosed(from, to).mapToObj(Integer::toString).toList());
    }

    @Test
    void aChangedLineIsShownWithThreeLinesAroundIt() {
        List<String> after = numbers(1, 20);
        after.set(9, "ten");

        assertThat(UnifiedDiff.hunks(numbers(1, 20), after))
                .containsExactly("@@ -7,7 +7,7 @@", " 7", " 8", " 9", "-10", "+ten", " 11", " 12", " 13");
    }

    @Test
    void distantChangesAreSeparateHunks() {
        List<String> after = numbers(1, 20);
        after.remove(19);
        after.add(0, "zero");

        assertThat(UnifiedDiff.hunks(numbers(1, 20), after))
                .containsExactly(
                        "@@ -1,3 +1,4 @@", "+zero", " 1", " 2", " 3", "@@ -17,4 +18,3 @@", " 17", " 18", " 19", "-20");
    }

    @Test
    void equalAndEmptyTexts() {
        assertThat(UnifiedDiff.hunks(numbers(1, 5), numbers(1, 5))).isEmpty();
        assertThat(UnifiedDiff.hunks(List.of(), List.of())).isEmpty();
        assertThat(UnifiedDiff.hunks(List.of(), List.of("a"))).containsExactly("@@ -0,0 +1,1 @@", "+a");
        assertThat(UnifiedDiff.hunks(List.of("a"), List.of())).containsExactly("@@ -1,1 +0,0 @@", "-a");
    }

    @Test
    void textsWithTooManyDifferencesAreReplacedAsAWhole() {
        List<String> lines = UnifiedDiff.hunks(numbers(1, 800), numbers(2001, 2800));

        assertThat(lines).hasSize(1601).startsWith("@@ -1,800 +1,800 @@", "-1").endsWith("+2800");
    }

    /** Tests that applying the hunks to the first text gives the second text. */
    @Test
    void theHunksOfRandomTextsCanBeApplied() {
        for (int seed = 0; seed < 300; seed++) {
            Random random = new Random(seed);
            List<String> before = random.ints(random.nextInt(40), 0, 6)
                    .mapToObj(Integer::toString)
                    .toList();
            List<String> after = random.ints(random.nextInt(40), 0, 6)
                    .mapToObj(Integer::toString)
                    .toList();

            assertThat(apply(before, UnifiedDiff.hunks(before, after)))
                    .as("seed " + seed)
                    .isEqualTo(after);
        }
    }

    private static List<String> apply(List<String> before, List<String> hunks) {
        List<String> result = new ArrayList<>();
        int next = 0;
        for (String line : hunks) {
            Matcher head = HUNK.matcher(line);
            if (head.matches()) {
                int start = Integer.parseInt(head.group(1)) - (head.group(2).equals("0") ? 0 : 1);
                result.addAll(before.subList(next, start));
                next = start;
                assertThat(result)
                        .hasSize(
                                Integer.parseInt(head.group(3)) - (head.group(4).equals("0") ? 0 : 1));
                continue;
            }
            if (line.charAt(0) != '+') {
                assertThat(before.get(next)).isEqualTo(line.substring(1));
                next++;
            }
            if (line.charAt(0) != '-') {
                result.add(line.substring(1));
            }
        }
        result.addAll(before.subList(next, before.size()));
        return result;
    }
}
