package io.ballast.policy.oidc.provider;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ballast.http.testing.Script;
import io.ballast.http.testing.TestBackend;
import io.ballast.net.fetch.FetchClients;
import io.ballast.policy.oidc.provider.ProviderException.Kind;
import java.net.URI;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ProviderClientTest {

    private static final Duration LONG = Duration.ofMinutes(1);

    private static CompletableFuture<ProviderClient.ProviderAnswer> get(TestBackend server, Duration deadline) {
        return new ProviderClient(new FetchClients().of(Optional.empty()), deadline)
                .get(URI.create("http://127.0.0.1:" + server.port() + "/"));
    }

    private static void assertUnreachable(CompletableFuture<?> answer, String message) {
        assertThatThrownBy(answer::join)
                .cause()
                .isInstanceOfSatisfying(
                        ProviderException.class, e -> assertThat(e.kind()).isEqualTo(Kind.UNREACHABLE))
                .hasMessageContaining(message);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhal"})
    void slowAnswerIsCutOff(String part) throws Exception {
        try (TestBackend server = TestBackend.playing(connection -> {
            connection.readRequest();
            connection.send(part);
            connection.awaitClose();
        })) {
            assertUnreachable(get(server, Duration.ofMillis(300)), "no answer in time");
            server.awaitConnectionEnd();
        }
    }

    @Test
    void hugeAnswerIsCutOff() throws Exception {
        try (TestBackend server = TestBackend.playing(connection -> {
            connection.readRequest();
            connection.send(
                    "HTTP/1.1 200 OK\r\nContent-Length: 10000000\r\n\r\n" + "x".repeat(ProviderClient.MAX_BYTES + 1));
            connection.awaitClose();
        })) {
            assertUnreachable(get(server, LONG), "larger than 262144 bytes");
            server.awaitConnectionEnd();
        }
    }

    @Test
    void redirectIsNotFollowed() {
        try (TestBackend server = TestBackend.playing(
                Script.answer("HTTP/1.1 302 Found\r\nLocation: /other\r\nContent-Length: 0\r\n\r\n"))) {
            assertThat(get(server, LONG).join().status()).isEqualTo(302);
            assertThat(server.requests()).hasSize(1);
        }
    }

    @Test
    void failureOfTheServerIsUnreachable() {
        try (TestBackend server =
                TestBackend.playing(Script.answer("HTTP/1.1 503 Busy\r\nContent-Length: 0\r\n\r\n"))) {
            assertUnreachable(get(server, LONG), "status 503");
        }
    }
}
