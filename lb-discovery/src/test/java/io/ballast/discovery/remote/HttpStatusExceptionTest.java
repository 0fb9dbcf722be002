package io.ballast.discovery.remote;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class HttpStatusExceptionTest {

    @Test
    void messageQuotesStartOfBody() {
        assertThat(message("{\"kind\":\"Status\",\"message\":\"not\\nallowed\",\"code\":403}"))
                .isEqualTo("status 403: not allowed");
        assertThat(message(" ACL not found \r\n")).isEqualTo("status 403: ACL not found");
        assertThat(message("")).isEqualTo("status 403");
        assertThat(message("{\"code\":403}")).isEqualTo("status 403");
        assertThat(message("\u001b[2J" + "x".repeat(5000))).isEqualTo("status 403: [2J" + "x".repeat(297) + "...");
    }

    private static String message(String body) {
        return new HttpStatusException(403, body.getBytes(UTF_8)).getMessage();
    }
}
