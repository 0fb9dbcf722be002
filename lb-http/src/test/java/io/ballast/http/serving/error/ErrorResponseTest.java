package io.ballast.http.serving.error;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.core.config.header.HeaderChanges;
import io.ballast.core.config.header.HeaderField;
import io.ballast.core.config.header.HeaderRules;
import io.ballast.core.config.header.HeaderValue;
import io.ballast.core.config.header.HostHeader;
import io.ballast.http.bytes.ByteAppender;
import io.ballast.http.head.ByteClasses;
import io.ballast.http.header.CompiledHeaderChanges;
import io.ballast.http.header.RouteHeaderEdits;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ErrorResponseTest {

    private static final String ID = "00000000000000ff";
    private static final byte[] DATE = ByteClasses.ascii("Sun, 06 Nov 1994 08:49:37 GMT");

    @Test
    void isCompleteResponse() {
        assertThat(compose(503, "told", null, /* close= */ true, /* headRequest= */ false))
                .startsWith("HTTP/1.1 503 Service Unavailable\r\nContent-Length: 55\r\n")
                .contains("\r\nContent-Type: text/plain; charset=utf-8\r\nX-Id: 00000000000000ff\r\n")
                .contains(
                        "\r\nCache-Control: no-store\r\nRetry-After: 1\r\nConnection: close\r\nDate: Sun, 06 Nov 1994 ")
                .endsWith(" GMT\r\n\r\n503 Service Unavailable: told\nrequest 00000000000000ff\n");
    }

    @Test
    void responseRulesApply() {
        HeaderChanges changes = new HeaderChanges(
                List.of(new HeaderField("cache-control", HeaderValue.parse("max-age=1"))),
                List.of(new HeaderField("X-Why", HeaderValue.parse("$host"))),
                List.of("x-id", "retry-after"));
        CompiledHeaderChanges edits = RouteHeaderEdits.compile(
                        List.of(new HeaderRules(HeaderChanges.NONE, changes)), new HostHeader.Keep())
                .response();
        ByteAppender lines = new ByteAppender();
        edits.append((variable, target) -> target.append(ByteClasses.ascii("a.example")), lines);

        assertThat(compose(edits, lines, 503, null, null, /* close= */ false, /* headRequest= */ true))
                .isEqualTo(String.join(
                        "\r\n",
                        "HTTP/1.1 503 Service Unavailable",
                        "Content-Length: 49",
                        "Content-Type: text/plain; charset=utf-8",
                        "Date: Sun, 06 Nov 1994 08:49:37 GMT",
                        "cache-control: max-age=1",
                        "X-Why: a.example",
                        "",
                        ""));
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
    void usesAcceptedMediaType(String accept, String expected) {
        assertThat(compose(404, null, accept, false, false)).contains("\r\nContent-Type: " + expected);
    }

    @Test
    void headKeepsContentLength() {
        for (String accept : new String[] {null, "text/html", "application/json"}) {
            String response = compose(400, "why", accept, false, /* headRequest= */ false);
            String head = compose(400, "why", accept, false, /* headRequest= */ true);

            String body = response.substring(head.length());
            assertThat(response).startsWith(head);
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
        return compose(CompiledHeaderChanges.NONE, new ByteAppender(), status, detail, accept, close, headRequest);
    }

    private static String compose(
            CompiledHeaderChanges edits,
            ByteAppender lines,
            int status,
            String detail,
            String accept,
            boolean close,
            boolean headRequest) {
        ErrorContent content = ErrorContent.of(/* pages= */ null, status, detail, accept, ID, /* traceId= */ "");
        ByteBuf response = new ErrorResponse("X-Id", ID, edits, lines)
                .head(content, DATE, close, content.body().length, UnpooledByteBufAllocator.DEFAULT);
        if (!headRequest) {
            response.writeBytes(content.body());
        }
        try {
            return response.toString(StandardCharsets.UTF_8);
        } finally {
            response.release();
        }
    }
}
