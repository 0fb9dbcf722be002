package io.ballast.dashboard.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.core.stats.LatencySummary;
import io.ballast.core.stats.Metric;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

class SampleWriterTest {

    private static final LabelSet WEB = LabelSet.of(List.of("pool"), "web");

    @Test
    void labelsOfTheSourceComeFirst() {
        assertThat(written(Metric.counter("a.b", "Text", "pool"), samples -> samples.value(1)))
                .endsWith("\na_b_total{pool=\"web\"} 1\n");
        assertThat(written(Metric.gauge("a.b", "Text", "pool", "kind"), samples -> samples.value("x", 2)))
                .endsWith("\na_b{pool=\"web\",kind=\"x\"} 2\n");
        assertThat(written(Metric.gauge("a.b", "Text", "pool", "zone", "kind"), samples -> samples.value("z", "x", 3)))
                .endsWith("\na_b{pool=\"web\",zone=\"z\",kind=\"x\"} 3\n");
    }

    /** A peer chooses the names of the zones in its catalog, and they may contain any byte. */
    @Test
    void escapesEachLabelValue() {
        String name = "a\\034\"b\nü";
        String escaped = "a\\\\034\\\"b\\nü";
        assertThat(written(Metric.gauge("a.b", "Text", "pool", "kind"), samples -> samples.value(name, 2)))
                .endsWith("\na_b{pool=\"web\",kind=\"" + escaped + "\"} 2\n");
        assertThat(written(
                        Metric.gauge("a.b", "Text", "pool", "zone", "kind"), samples -> samples.value(name, name, 3)))
                .endsWith("\na_b{pool=\"web\",zone=\"" + escaped + "\",kind=\"" + escaped + "\"} 3\n");
    }

    @Test
    void durationsAreInSeconds() {
        assertThat(written(Metric.counter("a.b", "Text", "pool").in("seconds"), samples -> samples.nanos(1_500_000)))
                .endsWith("\na_b_seconds_total{pool=\"web\"} 0.001500000\n");
    }

    @Test
    void histogramHasTheLabelInEachLine() {
        String text = written(
                Metric.histogram("a.b", "Text", "pool", "by"),
                samples -> samples.histogram("cache", LatencySummary.NOTHING));

        assertThat(text.lines().skip(2))
                .hasSize(HistogramBuckets.SHORT_BOUNDS.size() + 2)
                .allSatisfy(line -> assertThat(line).contains("{pool=\"web\",by=\"cache\""));
    }

    private static String written(Metric metric, Consumer<SampleWriter> samples) {
        ByteBuf out = Unpooled.buffer();
        ExpositionText text = new ExpositionText(/* openMetrics= */ false);
        text.setOutput(out);
        text.family(metric);
        samples.accept(new SampleWriter(text, metric, WEB));
        return out.toString(StandardCharsets.UTF_8);
    }
}
