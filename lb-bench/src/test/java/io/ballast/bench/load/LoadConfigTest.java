package io.ballast.bench.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class LoadConfigTest {

    @Test
    void requestsAreDueEvenly() {
        LoadConfig config = LoadConfig.parse("8000 / 3 2 10 keep");

        assertThat(config.requests()).isEqualTo(6);
        assertThat(config.dueNanos(0)).isZero();
        assertThat(config.dueNanos(1)).isEqualTo(333_333_333);
        assertThat(config.dueNanos(3)).isEqualTo(1_000_000_000);
    }

    @Test
    void theCloseHeaderIsSentOnlyWithAConnectionPerRequest() {
        assertThat(text(LoadConfig.parse("8000 /x 1 1 1 keep")))
                .isEqualTo("GET /x HTTP/1.1\r\nHost: 127.0.0.1:8000\r\n\r\n");
        assertThat(text(LoadConfig.parse("8000 /x 1 1 1 close"))).contains("\r\nConnection: close\r\n");
    }

    @Test
    void theSourceIsOptional() {
        assertThat(LoadConfig.parse("8000 / 1 1 1 keep").source()).isEqualTo("127.0.0.1");
        assertThat(LoadConfig.parse("8000 / 1 1 1 keep 127.0.0.2").source()).isEqualTo("127.0.0.2");
    }

    @Test
    void malformedParametersAreRejected() {
        assertThatThrownBy(() -> LoadConfig.parse("8000 / 1 1 1 perhaps")).hasMessageContaining("expected: PORT PATH");
        assertThatThrownBy(() -> LoadConfig.parse("8000 / 0 1 1 keep")).hasMessageContaining("expected: each >= 1");
    }

    private static String text(LoadConfig config) {
        return new String(config.request(), StandardCharsets.US_ASCII);
    }
}
