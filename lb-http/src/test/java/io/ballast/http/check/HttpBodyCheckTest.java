package io.ballast.http.check;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.core.config.BodyCheck;
import io.ballast.core.config.CheckTls;
import io.ballast.core.config.HealthCheck;
import io.ballast.core.config.HealthCheck.Header;
import io.ballast.core.health.ProbeResult;
import io.ballast.http.testing.Script;
import io.ballast.http.testing.TestBackend;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Tests checks of type {@code http} that evaluate the body, and the requests that such checks send. */
class HttpBodyCheckTest {

    private static final String OK = "HTTP/1.1 200 OK\r\n";
    private static final String LONG = "x".repeat(BodyCheck.MAX_BYTES);

    @Test
    void evaluatesBodyWithAnyFraming() throws Exception {
        for (String response : List.of(
                OK + "Content-Length: 9\r\n\r\nstate=up\n",
                OK + "Transfer-Encoding: chunked\r\n\r\n5;ext=1\r\nstate\r\n4\r\n=up\n\r\n0\r\nX: y\r\n\r\n",
                OK + "\r\nstate=up\n",
                "HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n" + OK + "content-length: 9\r\n\r\nstate=up\n")) {
            ProbeResult good = contains("state=up", Script.answerAndClose(response));
            ProbeResult bad = contains("state=down", Script.answerAndClose(response));

            assertThat(good.text()).as(response).isEqualTo("200 OK");
            assertThat(good.ok()).as(response).isTrue();
            assertThat(bad.ok()).as(response).isFalse();
            assertThat(bad.text()).isEqualTo("status 200 OK, but no 'state=down' in the body");
        }
    }

    @Test
    void completeResponseEndsCheck() throws Exception {
        Script open = connection -> {
            connection.readRequest();
            connection.send(OK + "Content-Length: 2\r\n\r\nup").awaitClose();
        };

        assertThat(contains("up", open).ok()).isTrue();
    }

    @Test
    void matchesFragmentedUtf8Text() throws Exception {
        byte[] bytes = {'b', 'e', 'r', 'e', 'i', 't', ' ', (byte) 0xc3, (byte) 0xbc};
        Script pieces = connection -> {
            connection.readRequest();
            connection.send(OK + "Content-Len").send("gth: 9\r\n\r").send("\n");
            for (byte b : bytes) {
                connection.send(new byte[] {b});
            }
            connection.awaitClose();
        };

        assertThat(contains("t \u00fc", pieces).ok()).isTrue();
    }

    @Test
    void expressionMatchesPartOfBody() throws Exception {
        Script script = Script.ok("{\"lag\": 17}\n");

        assertThat(check(script, Optional.empty(), Optional.of("\"lag\": [0-9]{1,2}}"))
                        .ok())
                .isTrue();
        assertThat(check(script, Optional.empty(), Optional.of("\"lag\": [0-9]}"))
                        .text())
                .isEqualTo("status 200 OK, but nothing matches '\"lag\": [0-9]}' in the body");
    }

    @Test
    void evaluatesOnlyStartOfLongBody() throws Exception {
        Script endless = connection -> {
            connection.readRequest();
            connection.send(OK + "\r\nfirst ");
            while (true) {
                connection.send(LONG);
            }
        };

        assertThat(contains("first", endless).ok()).isTrue();
        assertThat(contains("last", endless).text())
                .isEqualTo("status 200 OK, but no 'last' in the first 16 KiB of the body");
        assertThat(contains("last", Script.ok(LONG + "last")).ok()).isFalse();
    }

    @Test
    void evaluatesStatusFirstAndRejectsTruncatedBody() throws Exception {
        assertThat(contains("up", Script.answer("HTTP/1.1 503 Busy\r\nContent-Length: 2\r\n\r\nup"))
                        .text())
                .isEqualTo("status 503 Busy (expected: 200-399)");
        assertThat(contains("up", Script.answerAndClose(OK + "Content-Length: 3\r\n\r\nup"))
                        .text())
                .isEqualTo("connection closed during the response");
        assertThat(contains("up", Script.answerAndClose(OK + "Transfer-Encoding: chunked\r\n\r\nup"))
                        .text())
                .isEqualTo("the response body has invalid framing");
        assertThat(contains("up", Script.answer("HTTP/1.1 204 None\r\n\r\n")).text())
                .isEqualTo("status 204 None, but no 'up' in the body");
        assertThat(contains("up", Script.answer(OK + "X: " + LONG.repeat(5))).text())
                .isEqualTo("not an HTTP response");
    }

    @Test
    void quotesReasonPhraseInOneLine() throws Exception {
        assertThat(contains("up", Script.answer("HTTP/1.1 503 Busy\u0085forged\u009b2J\r\n\r\n"))
                        .text())
                .isEqualTo("status 503 Busy?forged?2J (expected: 200-399)");
    }

    @Test
    void informationalResponsesAreLimited() throws Exception {
        String hint = "HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n";
        String max = hint.repeat(InformationalResponseCounter.MAX);
        String up = OK + "Content-Length: 2\r\n\r\nup";

        assertThat(contains("up", Script.answer(max + up)).text()).isEqualTo("200 OK");
        assertThat(contains("up", Script.answer(max + hint + up)).text())
                .isEqualTo("more than 100 informational responses");
    }

    @Test
    void statusLineIsBounded() throws Exception {
        String line = OK.stripTrailing() + "x".repeat(1024 - OK.stripTrailing().length());

        assertThat(contains("up", Script.answer(line + "\r\nContent-Length: 2\r\n\r\nup"))
                        .ok())
                .isTrue();
        assertThat(contains("up", Script.answer(line + "x\r\nContent-Length: 2\r\n\r\nup"))
                        .text())
                .isEqualTo("not an HTTP response");
    }

    /** Sends single bytes, to enter every parser state without further data. */
    @Test
    void headsMayArriveByteByByte() throws Exception {
        Script slowly = connection -> {
            connection.readRequest();
            String all = "HTTP/1.1 103 Early Hints\r\n\r\n" + "HTTP/1.1 102 On It\r\nX: y\r\n\r\n" + OK
                    + "Content-Length: 2\r\n\r\nup";
            for (int i = 0; i < all.length(); i++) {
                connection.send(all.substring(i, i + 1));
            }
            connection.awaitClose();
        };

        assertThat(contains("up", slowly).text()).isEqualTo("200 OK");
    }

    @Test
    void configuredHeadersReplaceDefaults() throws Exception {
        try (TestBackend backend = TestBackend.playing(Script.ok(""))) {
            HealthCheck check = new HealthCheck.Http(
                    "POST",
                    "/ping",
                    Optional.of("app.internal"),
                    HealthCheck.Http.DEFAULT_EXPECTED,
                    List.of(new Header("X-Forwarded-Proto", "https"), new Header("user-agent", "probe")),
                    BodyCheck.ANY,
                    CheckTls.OF_POOL);

            assertThat(CheckRun.of(backend.address(), check).ok()).isTrue();
            assertThat(backend.nextRequest().split("\r\n"))
                    .containsExactly(
                            "POST /ping HTTP/1.1",
                            "Host: app.internal",
                            "Accept: */*",
                            "X-Forwarded-Proto: https",
                            "user-agent: probe",
                            "Content-Length: 0",
                            "Connection: close");
        }
    }

    private static ProbeResult contains(String text, Script script) throws Exception {
        return check(script, Optional.of(text), Optional.empty());
    }

    private static ProbeResult check(Script script, Optional<String> contains, Optional<String> matches)
            throws Exception {
        try (TestBackend backend = TestBackend.playing(script)) {
            return CheckRun.of(
                    backend.address(),
                    new HealthCheck.Http(
                            "GET",
                            "/",
                            Optional.empty(),
                            HealthCheck.Http.DEFAULT_EXPECTED,
                            List.of(),
                            new BodyCheck(contains, matches),
                            CheckTls.OF_POOL));
        }
    }
}
