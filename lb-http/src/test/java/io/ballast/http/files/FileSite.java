package io.ballast.http.files;

import io.ballast.core.config.header.HeaderRules;
import io.ballast.http.config.PathRewrite;
import io.ballast.http.config.RouteAction;
import io.ballast.http.config.RouteConfig;
import io.ballast.http.config.RouteMatch;
import io.ballast.http.h2.testing.Http2Client;
import io.ballast.http.h2.testing.Http2Response;
import io.ballast.http.policy.PolicyVersion;
import io.ballast.http.testing.BalancerSetup;
import io.ballast.http.testing.RawClient;
import io.ballast.http.testing.RawResponse;
import io.ballast.http.testing.TestBalancer;
import io.ballast.net.config.TransportKind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A directory with files, and a balancer that serves it. */
final class FileSite {

    /** The time of the last change of each file. */
    static final String LAST_MODIFIED = "Tue, 15 Nov 1994 12:45:26 GMT";

    private static final Instant MODIFIED = Instant.parse("1994-11-15T12:45:26Z");

    private final Path root;

    FileSite(Path root) {
        this.root = root;
    }

    /** A response of either version of HTTP. */
    record Answer(int status, String body, Function<String, @Nullable String> headers) {

        @Nullable String header(String name) {
            return headers.apply(name);
        }
    }

    Path write(String name, String content) throws IOException {
        Path file = root.resolve(name);
        Files.createDirectories(file.getParent());
        Files.writeString(file, content);
        Files.setLastModifiedTime(file, FileTime.from(MODIFIED));
        return file;
    }

    RouteAction.Files action() {
        return new RouteAction.Files(root);
    }

    /** Starts a balancer that serves the files on all paths. */
    TestBalancer start() throws IOException {
        return start(action());
    }

    TestBalancer start(RouteAction.Files action) throws IOException {
        return setup(action, "/", Optional.empty()).start();
    }

    BalancerSetup setup(RouteAction.Files action, String path, Optional<PathRewrite> rewrite) {
        return BalancerSetup.on(TransportKind.NIO)
                .loops(1)
                .withoutDefaultRoute()
                .route(new RouteConfig(RouteMatch.of(null, path), rewrite, action, HeaderRules.NONE));
    }

    /** Sends a request on a new connection. */
    static Answer get(TestBalancer balancer, PolicyVersion version, String path, String... headers) {
        return request(balancer, version, "GET", path, headers);
    }

    static Answer request(TestBalancer balancer, PolicyVersion version, String method, String path, String... headers) {
        if (version == PolicyVersion.HTTP_2) {
            try (Http2Client client = Http2Client.connect(balancer.port())) {
                Http2Response response = client.read(client.request(/* ends= */ true, method, path, lower(headers)));
                return new Answer(
                        response.status(), response.body(), name -> response.header(name.toLowerCase(Locale.ROOT)));
            }
        }
        StringBuilder head = new StringBuilder(method + " " + path + " HTTP/1.1\r\nHost: a\r\n");
        for (int i = 0; i < headers.length; i += 2) {
            head.append(headers[i]).append(": ").append(headers[i + 1]).append("\r\n");
        }
        try (RawClient client = balancer.client()) {
            client.send(head + "\r\n");
            if (method.equals("HEAD")) {
                RawResponse response = new RawResponse(client.readHead(), "", "");
                return new Answer(response.status(), "", response::header);
            }
            RawResponse response = client.read();
            return new Answer(response.status(), response.body(), response::header);
        }
    }

    private static String[] lower(String... headers) {
        String[] result = Arrays.copyOf(headers, headers.length);
        for (int i = 0; i < result.length; i += 2) {
            result[i] = result[i].toLowerCase(Locale.ROOT);
        }
        return result;
    }
}
