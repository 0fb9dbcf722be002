package io.ballast.config.key;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.config.yaml.Node;
import io.ballast.config.yaml.Problems;
import io.ballast.config.yaml.SourcePosition;
import io.ballast.core.config.HostPort;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ValueTypesTest {

    @ParameterizedTest
    @CsvSource({
        "500ms, PT0.5S, 500ms",
        "30s, PT30S, 30s",
        "90s, PT1M30S, 1m30s",
        "1m30s, PT1M30S, 1m30s",
        "2h, PT2H, 2h",
        "7d, P7D, 7d",
        "1d2h3m4s5ms, PT26H3M4.005S, 1d2h3m4s5ms",
        "0s, PT0S, 0s",
        "0ms, PT0S, 0s",
        "3650d, P3650D, 3650d"
    })
    void durationIsReadAndPrintedInItsLargestUnits(String text, Duration duration, String printed) {
        assertThat(read(Durations.DURATION, text)).hasValue(duration);
        assertThat(Durations.DURATION.print(duration)).isEqualTo(printed);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "0", "10", "s", "1.5s", "-1s", "1s1m", "1S", "1s ", "3651d", "9999999999s", "1m30", "１s"})
    void rejectsInvalidDuration(String text) {
        assertThat(read(Durations.DURATION, text)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "0B, 0, 0B",
        "1B, 1, 1B",
        "1024B, 1024, 1KiB",
        "64KiB, 65536, 64KiB",
        "1536KiB, 1572864, 1536KiB",
        "4MiB, 4194304, 4MiB",
        "3GiB, 3221225472, 3GiB",
        "2048GiB, 2199023255552, 2048GiB",
        "unlimited, 9223372036854775807, unlimited"
    })
    void sizeIsReadAndPrintedInItsLargestUnit(String text, long size, String printed) {
        assertThat(read(Sizes.SIZE_OR_UNLIMITED, text)).hasValue(size);
        assertThat(Sizes.SIZE_OR_UNLIMITED.print(size)).isEqualTo(printed);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "0", "8192", "8KB", "8kib", "1.5MiB", "-1B", "1 KiB", "1TiB", "99999999999GiB"})
    void rejectsInvalidSize(String text) {
        assertThat(read(Sizes.SIZE_OR_UNLIMITED, text)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "10.0.0.1:8080, 10.0.0.1, 8080",
        "app.local:80, app.local, 80",
        "app_1:65535, app_1, 65535",
        "[2001:db8::1]:53, 2001:db8::1, 53",
        "[::ffff:10.0.0.1]:1, ::ffff:10.0.0.1, 1"
    })
    void addressIsReadAndPrinted(String text, String host, int port) {
        assertThat(read(Addresses.BACKEND, text)).hasValue(new HostPort(host, port));
        assertThat(Addresses.BACKEND.print(new HostPort(host, port))).isEqualTo(text);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                ":80",
                "a:",
                "a:0",
                "a:65536",
                "a:-1",
                "a b:80",
                "::1:80",
                "[::1]",
                "[1.2.3.4]:80",
                "[:::]:80",
                "[]:80",
                "1.2.3:80",
                "1.2.3.4.5:80",
                "256.1.1.1:80",
                "01.2.3.4:80",
                "a..b:80",
                "-a:80",
                "a@b:80",
                "http://a:80"
            })
    void rejectsInvalidAddress(String text) {
        assertThat(read(Addresses.BACKEND, text)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"010, 10", "0, 0", "100, 100", "-0, 0"})
    void numbersAreDecimal(String text, int number) {
        assertThat(read(Scalars.integer(0, 100), text)).hasValue(number);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "-1", "101", "1e1", "0x1", "1_0", "+1", "1.0", "99999999999999999999", "一"})
    void rejectsInvalidNumber(String text) {
        assertThat(read(Scalars.integer(0, 100), text)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"yes", "on", "True", "1", ""})
    void acceptsOnlyTrueAndFalse(String text) {
        assertThat(read(Scalars.BOOLEAN, text)).isEmpty();
        assertThat(read(Scalars.BOOLEAN, "true")).hasValue(true);
        assertThat(read(Scalars.BOOLEAN, "false")).hasValue(false);
    }

    /** Reads a scalar, and checks that every rejected value is reported as a problem. */
    private static <T> Optional<T> read(Type<T> type, String text) {
        Problems problems = new Problems();
        Node node = new Node.Scalar(new SourcePosition("test", 1, 1), "key", text, /* isNull= */ false);
        Optional<T> value = type.read(node, new ReadContext(problems, /* complete= */ true));
        assertThat(problems.hasErrors()).isEqualTo(value.isEmpty());
        return value;
    }
}
