package io.ballast.http.policy;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DirectResponseTest {

    private static final byte[] BODY = "HTTP/1.1 200 OK\r\n\r\n".getBytes(US_ASCII);

    /** A client would read a body as the start of the next response. */
    @ParameterizedTest
    @ValueSource(ints = {204, 304})
    void statusWithoutBodyDropsTheBody(int status) {
        assertThat(new DirectResponse(status, "test", "text/plain", BODY).body())
                .isEmpty();
    }

    @Test
    void otherStatusKeepsTheBody() {
        assertThat(new DirectResponse(200, "test", "text/plain", BODY).body()).isEqualTo(BODY);
    }
}
