package io.ballast.server.documents;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Tests that the comparison in the README agrees with the complete one in docs/why.md. */
class ComparisonTest {

    @Test
    void readmeAgreesWithCompleteComparison() {
        Map<String, String> all = cells(new DocumentPage("docs/why.md"));
        Map<String, String> some = cells(new DocumentPage("README.md"));

        assertThat(some).hasSizeGreaterThan(80);
        some.forEach((place, value) -> {
            if (place.endsWith(" in Ballast")) {
                assertThat(all).as("a row of the README").containsKey(place);
            }
            assertThat(all.getOrDefault(place, value)).as(place).isEqualTo(value);
        });
    }

    /** Returns the cells of all comparison tables, by "feature in product". */
    private static Map<String, String> cells(DocumentPage page) {
        Map<String, String> cells = new HashMap<>();
        List<String> products = List.of();
        for (String line : page.text().lines().toList()) {
            if (line.startsWith("| | Ballast |")) {
                products = split(line);
            } else if (!line.startsWith("|")) {
                products = List.of();
            } else if (!products.isEmpty() && !line.startsWith("|---")) {
                List<String> values = split(line);
                assertThat(values).as(line).hasSameSizeAs(products);
                for (int i = 1; i < values.size(); i++) {
                    cells.put(values.get(0) + " in " + products.get(i), values.get(i));
                }
            }
        }
        return cells;
    }

    private static List<String> split(String line) {
        return Stream.of(line.substring(1).split("\\|")).map(String::strip).toList();
    }
}
