package io.ballast.policy.compress;

import static io.ballast.policy.compress.CompressionSetup.text;
import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.core.config.header.HeaderChanges;
import io.ballast.core.config.header.HeaderRules;
import io.ballast.http.config.RouteAction;
import io.ballast.http.config.RouteConfig;
import io.ballast.http.config.RouteMatch;
import io.ballast.http.testing.BalancerSetup;
import io.ballast.http.testing.TestBalancer;
import io.ballast.net.config.TransportKind;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests compression and header rules of static files. */
class CompressedFilesTest {

    private static final String TEXT = text(300_000);

    @TempDir
    private Path root;

    private TestBalancer start(boolean precompressed) throws Exception {
        RouteAction.Files files =
                new RouteAction.Files(root, "index.html", Optional.empty(), precompressed, Optional.empty());
        HeaderChanges added = new HeaderChanges(List.of(), List.of(), List.of("Last-Modified"));
        HeaderRules rules = new HeaderRules(new HeaderChanges(List.of(), List.of(), List.of()), added);
        return BalancerSetup.on(TransportKind.NIO)
                .withoutDefaultRoute()
                .route(new RouteConfig(RouteMatch.ALL, Optional.empty(), files, rules))
                .policies(CompressionSetup.gzip())
                .start();
    }

    @ParameterizedTest
    @EnumSource
    void compressesFile(HttpVersion version) throws Exception {
        Files.writeString(root.resolve("index.html"), TEXT);
        try (TestBalancer balancer = start(/* precompressed= */ false)) {
            ReceivedResponseText plain = version.fetch(balancer, "GET");
            ReceivedResponseText packed = version.fetch(balancer, "GET", "accept-encoding", "gzip");

            assertThat(plain.body()).isEqualTo(TEXT);
            assertThat(plain.headers("last-modified")).isEmpty();
            assertThat(packed.isCompressed()).isTrue();
            assertThat(packed.text()).isEqualTo(TEXT);
            assertThat(packed.headers("vary")).containsExactly("Accept-Encoding");
            assertThat(packed.headers("last-modified")).isEmpty();
            String tag = packed.headers("etag").get(0);
            assertThat(tag).isEqualTo("W/" + plain.headers("etag").get(0));
            assertThat(version.fetch(balancer, "GET", "accept-encoding", "gzip", "if-none-match", tag)
                            .status())
                    .isEqualTo(304);
            assertThat(version.fetch(balancer, "GET", "accept-encoding", "gzip", "range", "bytes=0-9")
                            .body())
                    .isEqualTo(TEXT.substring(0, 10));
        }
    }

    @ParameterizedTest
    @EnumSource
    void precompressedFileIsSentUnchanged(HttpVersion version) throws Exception {
        Files.writeString(root.resolve("index.html"), TEXT);
        Files.writeString(root.resolve("index.html.br"), "brotli");
        try (TestBalancer balancer = start(/* precompressed= */ true)) {
            ReceivedResponseText packed = version.fetch(balancer, "GET", "accept-encoding", "gzip, br");

            assertThat(packed.body()).isEqualTo("brotli");
            assertThat(packed.headers("content-encoding")).containsExactly("br");
            assertThat(packed.headers("vary")).containsExactly("Accept-Encoding");
            assertThat(version.fetch(balancer, "GET", "accept-encoding", "gzip").text())
                    .isEqualTo(TEXT);
        }
    }
}
