package io.ballast.server.host;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.LoggingEvent;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.ballast.config.LogConfig.Format;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LogLinesTest {

    private static final Instant TIME = Instant.parse("2026-01-02T03:04:05.006Z");

    private final LoggerContext context = new LoggerContext();
    private final LogLines lines = new LogLines();

    @BeforeEach
    void start() {
        lines.setContext(context);
        lines.start();
    }

    @Test
    void textHasKeysAndValues() {
        assertThat(encoded("backend=web/10.0.0.1:80 state=down", null))
                .isEqualTo("time=2026-01-02T03:04:05.006Z level=WARN thread=\"control\" logger=i.b.c.HealthMonitor"
                        + " backend=web/10.0.0.1:80 state=down" + System.lineSeparator());
    }

    @Test
    void textMessageIsOneLineWithoutControls() {
        assertThat(encoded("reason=\"a\r\ntime=2026 level=ERROR\t\u001b[31m\u0085\"", null))
                .endsWith(" reason=\"a\\r\\ntime=2026 level=ERROR\\t\\u001b[31m\\u0085\"" + System.lineSeparator());
    }

    @Test
    void linesOfExceptionInTextBeginWithTab() {
        String text =
                encoded("failed", new IllegalStateException("a\ntime=2026 level=ERROR \u0007", new RuntimeException()));

        assertThat(text.lines().skip(1)).allMatch(line -> line.startsWith("\t"));
        assertThat(text)
                .contains("\tjava.lang.IllegalStateException: a" + System.lineSeparator())
                .contains("\ttime=2026 level=ERROR \\u0007" + System.lineSeparator())
                .contains("\tat io.ballast.server.host.LogLinesTest.")
                .contains("\tCaused by: java.lang.RuntimeException");
    }

    @Test
    void jsonIsOneObjectPerLine() throws Exception {
        lines.format(Format.JSON);

        assertThat(encoded("backend=web/10.0.0.1:80 state=down", null))
                .isEqualTo("{\"time\":\"2026-01-02T03:04:05.006Z\",\"level\":\"WARN\",\"thread\":\"control\","
                        + "\"logger\":\"io.ballast.core.HealthMonitor\","
                        + "\"message\":\"backend=web/10.0.0.1:80 state=down\"}\n");
    }

    @ParameterizedTest(name = "{displayName} [{index}]")
    @ValueSource(
            strings = {
                "",
                "\"quotes\" and \\ and {}",
                "two\nlines\r\n\tand a tab",
                "\u0000\u0007\u001b[31m\u007f\u0085",
                "\u2028\u2029 Gr\u00fc\u00dfe \ud83d\ude00"
            })
    void anyMessageIsOneValidLine(String message) throws Exception {
        lines.format(Format.JSON);

        String line = encoded(message, null);

        assertThat(read(line).get("message").textValue()).isEqualTo(message);
        assertThat(line).endsWith("}\n");
        assertThat(line.chars().filter(each -> each == '\n' || each == '\r')).hasSize(1);
    }

    @Test
    void unpairedSurrogateKeepsLineValid() throws Exception {
        lines.format(Format.JSON);

        assertThat(read(encoded("half \ud83d of it", null)).get("message").textValue())
                .isEqualTo("half ? of it");
    }

    @Test
    void jsonContainsExceptionWithStack() throws Exception {
        lines.format(Format.JSON);

        String exception = read(encoded(
                        "failed", new IllegalStateException("a \"bad\"\nthing", new RuntimeException())))
                .get("exception")
                .textValue();

        assertThat(exception)
                .startsWith("java.lang.IllegalStateException: a \"bad\"\nthing")
                .contains("\tat io.ballast.server.host.LogLinesTest.")
                .contains("Caused by: java.lang.RuntimeException");
    }

    private String encoded(String message, @Nullable Throwable exception) {
        Logger logger = context.getLogger("io.ballast.core.HealthMonitor");
        LoggingEvent event = new LoggingEvent(getClass().getName(), logger, Level.WARN, message, exception, null);
        event.setThreadName("control");
        event.setInstant(TIME);
        return new String(lines.encode(event), StandardCharsets.UTF_8);
    }

    private static JsonNode read(String line) throws Exception {
        return new ObjectMapper().readTree(line);
    }
}
