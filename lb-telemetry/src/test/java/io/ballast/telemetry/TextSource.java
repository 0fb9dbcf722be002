package io.ballast.telemetry;

import io.ballast.telemetry.metric.MetricSource;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;

/** A source that returns a fixed text of metrics in parts of a few bytes. */
record TextSource(String text, int partBytes) implements MetricSource {

    @Override
    public Optional<Reading> read() {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        return Optional.of(new Reading() {
            private int at;

            @Override
            public Optional<byte[]> next() throws IOException {
                if (at == bytes.length) {
                    return Optional.empty();
                }
                int end = Math.min(bytes.length, at + partBytes);
                byte[] part = Arrays.copyOfRange(bytes, at, end);
                at = end;
                return Optional.of(part);
            }

            @Override
            public void close() {}
        });
    }
}
