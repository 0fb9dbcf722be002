package io.ballast.discovery.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ballast.http.testing.Script;
import io.ballast.http.testing.TestBackend;
import io.ballast.net.testing.TestCertificate;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ApiClientTest {

    private static final TestCertificate CERTIFICATE = TestCertificate.create();

    @TempDir
    private Path directory;

    @Test
    void verifiesServerWithCurrentFile() throws Exception {
        Path right = CERTIFICATE.write(directory, "right").certificate();
        Path wrong = TestCertificate.create().write(directory, "wrong").certificate();
        Path file = directory.resolve("ca.crt");
        ApiClient client = new ApiClient("discover-test-http");
        try (TestBackend server = TestBackend.playing(Script.answer("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n[]"))
                .by(CERTIFICATE.server())) {
            URI uri = URI.create("https://127.0.0.1:" + server.port() + "/");
            assertThatThrownBy(() -> length(client, file, uri)).hasMessageContaining(file.toString());

            Files.copy(wrong, file);
            assertThatThrownBy(() -> length(client, file, uri))
                    .isInstanceOf(IOException.class)
                    .hasMessageStartingWith("127.0.0.1:" + server.port() + ": ")
                    .hasMessageContaining("PKIX path");

            Files.copy(right, file, StandardCopyOption.REPLACE_EXISTING);
            assertThat(length(client, file, uri)).isEqualTo(2);
            assertThat(client.http(Optional.of(file))).isSameAs(client.http(Optional.of(file)));
        }
    }

    private static int length(ApiClient client, Path authorities, URI uri) throws IOException, InterruptedException {
        return client.http(Optional.of(authorities))
                .get(uri, Map.of(), Duration.ofSeconds(20), (headers, body) -> body.length);
    }
}
