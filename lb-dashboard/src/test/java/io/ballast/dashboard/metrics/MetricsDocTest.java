package io.ballast.dashboard.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.dashboard.metrics.BallastMeter.Kind;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class MetricsDocTest {

    private static final Path DOCUMENT = Path.of("../docs/metrics.md");

    @Test
    void theDocumentContainsEveryMeter() throws Exception {
        String table = Arrays.stream(BallastMeter.values())
                .map(MetricsDocTest::line)
                .collect(Collectors.joining("\n", "| Name | Type | Labels | Meaning |\n|---|---|---|---|\n", "\n"));

        assertThat(Files.readString(DOCUMENT))
                .as("docs/metrics.md must contain this table")
                .contains(table);
    }

    private static String line(BallastMeter meter) {
        String name = meter.familyName() + (meter.kind() == Kind.COUNTER ? "_total" : "");
        String labels = meter.labels().stream().map(label -> "`" + label + "`").collect(Collectors.joining(", "));
        return "| `" + name + "` | " + meter.kind().label() + " | " + labels + " | " + meter.description() + " |";
    }
}
