package io.ballast.http.head;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class StatusLineTest {

    @ParameterizedTest
    @CsvSource({"HTTP/1.1 200 OK, 200", "HTTP/1.0 503, 503", "'HTTP/1.1 404 ', 404", "HTTP/1.1 100 Go on now, 100"})
    void readsStatus(String line, int expected) {
        assertThat(StatusLine.status(line)).isEqualTo(expected);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "200 OK",
                "HTTP/2 200",
                "HTTP/1.1 20",
                "HTTP/1.1 099 X",
                "HTTP/1.1 2000",
                "HTTP/1.1 200 \u0007"
            })
    void otherLinesHaveNoStatus(String line) {
        assertThat(StatusLine.status(line)).isEqualTo(-1);
    }
}
