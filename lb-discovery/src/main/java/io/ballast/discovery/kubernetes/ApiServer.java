package io.ballast.discovery.kubernetes;

import io.ballast.core.config.DiscoveryConfig;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The address and credentials of the API server. They are configured, or taken from the environment and the
 * service account of the pod. Files are read for every request, because they may change. The token of the
 * service account is sent only over TLS. Immutable.
 */
final class ApiServer {

    /** Maximum number of slices in a page of a list. */
    private static final int PAGE = 500;

    private static final int MAX_BYTES = 64 << 10;

    private final DiscoveryConfig.Kubernetes settings;
    private final Map<String, String> environment;
    private final Path account;

    /**
     * @param environment the environment variables of this process
     * @param account directory of the service account's files: {@code token}, {@code ca.crt} and {@code
     *     namespace}
     */
    ApiServer(DiscoveryConfig.Kubernetes settings, Map<String, String> environment, Path account) {
        this.settings = settings;
        this.environment = environment;
        this.account = account;
    }

    /**
     * Returns the URI of a page of the list of the service's slices.
     *
     * @param next the continuation token of the previous page; empty for the first page
     */
    URI listUri(String next) throws IOException {
        return URI.create(slices() + "&limit=" + PAGE + (next.isEmpty() ? "" : "&continue=" + encoded(next)));
    }

    /** Returns the URI of a watch for changes after {@code version}. The server ends the watch after the given time. */
    URI watchUri(String version, Duration time) throws IOException {
        return URI.create(slices() + "&watch=1&allowWatchBookmarks=true&resourceVersion=" + encoded(version)
                + "&timeoutSeconds=" + time.toSeconds());
    }

    private String slices() throws IOException {
        return base() + "/apis/discovery.k8s.io/v1/namespaces/" + encoded(namespace())
                + "/endpointslices?labelSelector=" + encoded("kubernetes.io/service-name=" + settings.service());
    }

    private String base() throws IOException {
        if (settings.api().isPresent()) {
            return settings.api().get().toString().replaceAll("/+$", "");
        }
        String host = environment.get("KUBERNETES_SERVICE_HOST");
        if (host == null || host.isEmpty()) {
            throw new IOException(
                    "KUBERNETES_SERVICE_HOST is not set (expected: a process inside a cluster, or the key api)");
        }
        String port = environment.getOrDefault("KUBERNETES_SERVICE_PORT", "443");
        return "https://" + (host.indexOf(':') >= 0 ? "[" + host + "]" : host) + ":" + port;
    }

    private String namespace() throws IOException {
        return settings.namespace().isPresent() ? settings.namespace().get() : text(account.resolve("namespace"));
    }

    Map<String, String> headers() throws IOException {
        Map<String, String> headers = new HashMap<>(Map.of("Accept", "application/json"));
        Optional<Path> token = settings.tokenFile().isPresent() ? settings.tokenFile() : ofAccount("token");
        if (token.isPresent()) {
            headers.put("Authorization", "Bearer " + text(token.get()));
        }
        return headers;
    }

    /** Returns the file with the CA certificates that verify the server; absent to use Java's trusted certificates. */
    Optional<Path> authorities() throws IOException {
        return settings.caFile().isPresent() ? settings.caFile() : ofAccount("ca.crt");
    }

    private Optional<Path> ofAccount(String name) throws IOException {
        Path file = account.resolve(name);
        return base().startsWith("https:") && Files.exists(file) ? Optional.of(file) : Optional.empty();
    }

    private static String text(Path file) throws IOException {
        if (!Files.isRegularFile(file)) {
            throw new IOException(file + ": not a regular file, or the file does not exist");
        }
        if (Files.size(file) > MAX_BYTES) {
            throw new IOException(file + ": larger than " + MAX_BYTES + " bytes");
        }
        String text = Files.readString(file, StandardCharsets.ISO_8859_1).strip();
        if (text.isEmpty() || !text.chars().allMatch(each -> each > ' ' && each < 0x7F)) {
            throw new IOException(
                    file + ": empty, or contains invalid characters or spaces (expected: a token or a name)");
        }
        return text;
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }
}
