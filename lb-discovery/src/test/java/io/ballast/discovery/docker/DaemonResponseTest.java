package io.ballast.discovery.docker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ballast.discovery.testing.ReceivedRequest;
import io.ballast.discovery.testing.ScriptedServer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DaemonResponseTest {

    private static final int MAX = 20;

    @TempDir
    private Path directory;

    private ScriptedServer server;

    @BeforeEach
    void make() throws IOException {
        server = ScriptedServer.at(directory.resolve("docker.sock"));
    }

    @AfterEach
    void close() {
        server.close();
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(
            delimiter = '|',
            value = {
                "Content-Length: 5####hello",
                "content-length:5####helloagain",
                "Transfer-Encoding: chunked####2##he##3;a=b##llo##0##Trailer: x####",
                "Server: Docker####hello",
            })
    void bodyEndsAsHeadDeclares(String answer) throws Exception {
        assertThat(whole("HTTP/1.1 200 OK##" + answer)).isEqualTo("hello");
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(
            delimiter = '|',
            value = {
                "Content-Length: 6####hello|response is truncated",
                "Content-Length: 21####hello, hello, hello, h|the response is larger than 20 bytes",
                "Content-Length: -1####|Content-Length: -1 (expected: a number)",
                "Transfer-Encoding: gzip####|Transfer-Encoding: gzip (expected: chunked)",
                "Transfer-Encoding: chunked####5##hello|answer ends in the middle of a line",
                "Transfer-Encoding: chunked####4##hello##0####|chunk is longer than its size",
                "Transfer-Encoding: chunked####x##hello##0####|chunk size: x (expected: a hexadecimal number)",
                "Transfer-Encoding: chunked####ffffffffffff##|chunk size: ffffffffffff (expected: a hexadecimal number)",
                "Server: Doc|answer ends in the middle of a line",
            })
    void rejectsMalformedResponse(String answer, String reason) {
        assertThatThrownBy(() -> whole("HTTP/1.1 200 OK##" + answer))
                .isInstanceOf(ExecutionException.class)
                .cause()
                .isInstanceOf(IOException.class)
                .hasMessage(reason);
    }

    @Test
    void headIsBounded() {
        assertThatThrownBy(() -> whole("HTTP/1.1 200 OK##" + "A: b##".repeat(101) + "##"))
                .cause()
                .hasMessage("the response has more than 100 header fields");
        assertThatThrownBy(() -> whole("HTTP/1.1 200 OK##A: " + "b".repeat(10_000) + "####"))
                .cause()
                .hasMessage("a line is longer than 8192 bytes");
    }

    private String whole(String answer) throws Exception {
        CompletableFuture<String> read = CompletableFuture.supplyAsync(() -> {
            try (DaemonResponse body = DaemonResponse.request(
                    directory.resolve("docker.sock"), "/containers/json", Duration.ofSeconds(20))) {
                return new String(body.readAll(MAX), StandardCharsets.UTF_8);
            } catch (IOException e) {
                throw new CompletionException(e);
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        });
        ReceivedRequest receivedRequest = server.next();
        receivedRequest.send(answer.replace("##", "\r\n"));
        receivedRequest.end();
        return read.get(20, TimeUnit.SECONDS);
    }
}
