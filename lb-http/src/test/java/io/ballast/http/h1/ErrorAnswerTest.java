package io.ballast.http.h1;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ErrorAnswerTest {

    private static final byte[] DATE = Octets.ascii("Sun, 06 Nov 1994 08:49:37 GMT");

    @Test
    void isOneWholeResponse() {
        assertThat(compose(503, "told", null, /* close= */ true, /* headRequest= */ false))
                .startsWith("HTTP/1.1 503 Service Unavailable\r\nContent-Type: text/plain; charset=utf-8\r\n")
                .contains("\r\nContent-Length: 55\r\nX-Request-Id: 00000000000000ff\r\n")
                .contains(
                        "\r\nCache-Control: no-store\r\nRetry-After: 1\r\nConnection: close\r\nDate: Sun, 06 Nov 1994 ")
                .endsWith(" GMT\r\n\r\n503 Service Unavailable: told\nrequest 00000000000000ff\n");
    }

    @ParameterizedTest
    @CsvSource({
        ", text/plain",
        "*/*, text/plain",
        "text/plain, text/plain",
        "TEXT/HTML, text/html",
        "'text/html,application/xhtml+xml,*/*;q=0.8', text/html",
        "application/json, application/json",
        "application/problem+json, application/json"
    })
    void hasTheFormThatIsAccepted(String accept, String expected) {
        assertThat(compose(404, null, accept, false, false)).contains("\r\nContent-Type: " + expected);
    }

    @Test
    void lengthIsThatOfTheBodyAndStaysForHead() {
        for (String accept : new String[] {null, "text/html", "application/json"}) {
            String answer = compose(400, "why", accept, false, /* headRequest= */ false);
            String head = compose(400, "why", accept, false, /* headRequest= */ true);

            String body = answer.substring(head.length());
            assertThat(answer).startsWith(head);
            assertThat(head).endsWith("\r\n\r\n").contains("\r\nContent-Length: " + body.length() + "\r\n");
            assertThat(body)
                    .contains("400")
                    .contains("Bad Request")
                    .contains("why")
                    .contains("00000000000000ff");
            assertThat(head).doesNotContain("Connection").doesNotContain("Retry-After");
        }
    }

    private static String compose(int status, String detail, String accept, boolean close, boolean headRequest) {
        ByteBuf answer = ErrorAnswer.compose(
                status,
                detail,
                accept,
                /* requestId= */ 255,
                DATE,
                close,
                headRequest,
                UnpooledByteBufAllocator.DEFAULT);
        try {
            return answer.toString(StandardCharsets.UTF_8);
        } finally {
            answer.release();
        }
    }
}
