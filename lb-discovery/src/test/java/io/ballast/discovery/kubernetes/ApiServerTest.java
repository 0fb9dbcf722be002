package io.ballast.discovery.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ballast.core.config.DiscoveryConfig;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ApiServerTest {

    @TempDir
    private Path account;

    @Test
    void podFindsItsCluster() throws IOException {
        Files.writeString(account.resolve("namespace"), "prod");
        Files.writeString(account.resolve("token"), "abc.def\n");
        Files.writeString(account.resolve("ca.crt"), "");
        ApiServer api = server(
                Optional.empty(), Map.of("KUBERNETES_SERVICE_HOST", "10.96.0.1", "KUBERNETES_SERVICE_PORT", "6443"));

        assertThat(api.listUri(""))
                .isEqualTo(URI.create("https://10.96.0.1:6443/apis/discovery.k8s.io/v1/namespaces/prod/endpointslices"
                        + "?labelSelector=kubernetes.io%2Fservice-name%3Dweb&limit=500"));
        assertThat(api.headers()).containsEntry("Authorization", "Bearer abc.def");
        assertThat(api.authorities()).contains(account.resolve("ca.crt"));
        assertThat(server(Optional.empty(), Map.of("KUBERNETES_SERVICE_HOST", "fd00::1"))
                        .watchUri("7", Duration.ofSeconds(60))
                        .toString())
                .startsWith("https://[fd00::1]:443/")
                .endsWith("&resourceVersion=7&timeoutSeconds=60");
    }

    @Test
    void tokenIsNotSentWithoutTls() throws IOException {
        Files.writeString(account.resolve("token"), "abc.def\n");
        Files.writeString(account.resolve("namespace"), "prod");
        ApiServer api = server(Optional.of(URI.create("http://127.0.0.1:8001/")), Map.of());

        assertThat(api.listUri("").toString()).startsWith("http://127.0.0.1:8001/apis/");
        assertThat(api.headers()).doesNotContainKey("Authorization");
        assertThat(api.authorities()).isEmpty();
    }

    @Test
    void errorNamesMissingPart() throws IOException {
        assertThatThrownBy(() -> server(Optional.empty(), Map.of()).headers())
                .isInstanceOf(IOException.class)
                .hasMessageStartingWith("KUBERNETES_SERVICE_HOST is not set");
        ApiServer api = server(Optional.empty(), Map.of("KUBERNETES_SERVICE_HOST", "10.96.0.1"));
        assertThatThrownBy(() -> api.listUri(""))
                .hasMessage(account.resolve("namespace") + ": not a regular file, or the file does not exist");
        Files.writeString(account.resolve("token"), "two\nlines");
        assertThatThrownBy(api::headers)
                .hasMessage(account.resolve("token")
                        + ": empty, or contains invalid characters or spaces (expected: a token or a name)");
    }

    private ApiServer server(Optional<URI> api, Map<String, String> environment) {
        return new ApiServer(
                new DiscoveryConfig.Kubernetes(
                        Optional.empty(), "web", Optional.empty(), api, Optional.empty(), Optional.empty()),
                environment,
                account);
    }
}
