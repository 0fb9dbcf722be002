package io.ballast.http.files;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.http.config.PathRewrite;
import io.ballast.http.config.RouteAction;
import io.ballast.http.policy.PolicyVersion;
import io.ballast.http.testing.RawClient;
import io.ballast.http.testing.TestBalancer;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests the responses of static files. */
class FileResponsesTest {

    private static final String HTML = "text/html; charset=utf-8";

    @TempDir
    private Path root;

    private RouteAction.Files with(String fallback, boolean precompressed, String cacheControl) {
        return new RouteAction.Files(
                root,
                "index.html",
                Optional.of(fallback).filter(text -> !text.isEmpty()),
                precompressed,
                Optional.of(cacheControl).filter(text -> !text.isEmpty()));
    }

    @ParameterizedTest
    @EnumSource
    void sendsFile(PolicyVersion version) throws Exception {
        FileSite site = new FileSite(root);
        site.write("a/b c.txt", "hello");
        try (TestBalancer balancer = site.start()) {
            FileSite.Answer answer = FileSite.get(balancer, version, "/a/b%20c.txt?query");

            assertThat(answer.status()).isEqualTo(200);
            assertThat(answer.body()).isEqualTo("hello");
            assertThat(answer.header("Content-Length")).isEqualTo("5");
            assertThat(answer.header("Content-Type")).isEqualTo("text/plain; charset=utf-8");
            assertThat(answer.header("Last-Modified")).isEqualTo(FileSite.LAST_MODIFIED);
            assertThat(answer.header("Accept-Ranges")).isEqualTo("bytes");
            assertThat(answer.header("ETag")).matches("\"[0-9a-f.-]+\"");
            assertThat(answer.header("Date")).isNotNull();
            assertThat(answer.header("Vary")).isNull();
            assertThat(answer.header("Cache-Control")).isNull();
            FileSite.Answer head = FileSite.request(balancer, version, "HEAD", "/a/b%20c.txt");
            assertThat(head.status()).isEqualTo(200);
            assertThat(head.header("Content-Length")).isEqualTo("5");
            assertThat(head.body()).isEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource
    void sendsIndexOfDirectory(PolicyVersion version) throws Exception {
        FileSite site = new FileSite(root);
        site.write("index.html", "home");
        site.write("docs/index.html", "docs");
        site.write("empty/a.txt", "a");
        try (TestBalancer balancer = site.start()) {
            assertThat(FileSite.get(balancer, version, "/").body()).isEqualTo("home");
            FileSite.Answer docs = FileSite.get(balancer, version, "/docs/");
            assertThat(docs.body()).isEqualTo("docs");
            assertThat(docs.header("Content-Type")).isEqualTo(HTML);
            FileSite.Answer redirect = FileSite.get(balancer, version, "//x/../docs?a=b");
            assertThat(redirect.status()).isEqualTo(301);
            assertThat(redirect.header("Location")).isEqualTo("/docs/?a=b");
            assertThat(FileSite.get(balancer, version, "/empty").status()).isEqualTo(404);
            assertThat(FileSite.get(balancer, version, "/empty/").status()).isEqualTo(404);
            assertThat(FileSite.get(balancer, version, "/index.html/").status()).isEqualTo(404);
        }
    }

    @ParameterizedTest
    @EnumSource
    void rewriteSelectsTheFile(PolicyVersion version) throws Exception {
        FileSite site = new FileSite(root);
        site.write("docs/index.html", "docs");
        try (TestBalancer balancer = site.setup(site.action(), "/app", Optional.of(new PathRewrite.Strip("/app")))
                .start()) {
            assertThat(FileSite.get(balancer, version, "/app/docs/").body()).isEqualTo("docs");
            assertThat(FileSite.get(balancer, version, "/app/docs").header("Location"))
                    .isEqualTo("/app/docs/");
            assertThat(FileSite.get(balancer, version, "/docs/").status()).isEqualTo(404);
        }
    }

    @ParameterizedTest
    @EnumSource
    void otherMethodsAreNotAllowed(PolicyVersion version) throws Exception {
        FileSite site = new FileSite(root);
        site.write("a.txt", "a");
        try (TestBalancer balancer = site.start()) {
            for (String method : new String[] {"POST", "OPTIONS", "DELETE", "PUT"}) {
                FileSite.Answer answer = FileSite.request(balancer, version, method, "/a.txt");

                assertThat(answer.status()).as(method).isEqualTo(405);
                assertThat(answer.header("Allow")).as(method).isEqualTo("GET, HEAD");
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void fallbackAnswersForPages(PolicyVersion version) throws Exception {
        FileSite site = new FileSite(root);
        site.write("index.html", "app");
        site.write("a.txt", "a");
        try (TestBalancer balancer = site.start(with("/index.html", false, "max-age=60"))) {
            FileSite.Answer page = FileSite.get(balancer, version, "/users/1");
            assertThat(page.status()).isEqualTo(200);
            assertThat(page.body()).isEqualTo("app");
            assertThat(page.header("Cache-Control")).isEqualTo("no-cache");
            assertThat(FileSite.get(balancer, version, "/users/").body()).isEqualTo("app");
            assertThat(FileSite.get(balancer, version, "/users/j.doe", "Accept", "text/html,*/*")
                            .body())
                    .isEqualTo("app");
            assertThat(FileSite.get(balancer, version, "/lost.js", "Accept", "*/*")
                            .status())
                    .isEqualTo(404);
            assertThat(FileSite.get(balancer, version, "/a.txt").header("Cache-Control"))
                    .isEqualTo("max-age=60");
        }
    }

    @ParameterizedTest
    @EnumSource
    void conditionalRequests(PolicyVersion version) throws Exception {
        FileSite site = new FileSite(root);
        site.write("a.txt", "hello");
        try (TestBalancer balancer = site.start(with("", false, "max-age=60"))) {
            String tag = FileSite.get(balancer, version, "/a.txt").header("ETag");
            FileSite.Answer known = FileSite.get(balancer, version, "/a.txt", "If-None-Match", tag);
            assertThat(known.status()).isEqualTo(304);
            assertThat(known.header("ETag")).isEqualTo(tag);
            assertThat(known.header("Cache-Control")).isEqualTo("max-age=60");
            assertThat(known.header("Content-Length")).isNull();
            assertThat(FileSite.get(balancer, version, "/a.txt", "If-None-Match", "W/" + tag)
                            .status())
                    .isEqualTo(304);
            assertThat(FileSite.get(balancer, version, "/a.txt", "If-Modified-Since", FileSite.LAST_MODIFIED)
                            .status())
                    .isEqualTo(304);
            assertThat(FileSite.get(balancer, version, "/a.txt", "If-Match", "\"other\"")
                            .status())
                    .isEqualTo(412);
        }
    }

    @ParameterizedTest
    @EnumSource
    void ranges(PolicyVersion version) throws Exception {
        FileSite site = new FileSite(root);
        site.write("a.txt", "0123456789");
        try (TestBalancer balancer = site.start()) {
            FileSite.Answer part = FileSite.get(balancer, version, "/a.txt", "Range", "bytes=2-4");
            assertThat(part.status()).isEqualTo(206);
            assertThat(part.body()).isEqualTo("234");
            assertThat(part.header("Content-Range")).isEqualTo("bytes 2-4/10");
            assertThat(part.header("Content-Length")).isEqualTo("3");
            FileSite.Answer outside = FileSite.get(balancer, version, "/a.txt", "Range", "bytes=10-");
            assertThat(outside.status()).isEqualTo(416);
            assertThat(outside.header("Content-Range")).isEqualTo("bytes */10");
            assertThat(FileSite.get(balancer, version, "/a.txt", "Range", "bytes=0-1,4-5")
                            .body())
                    .isEqualTo("0123456789");
            assertThat(FileSite.get(balancer, version, "/a.txt", "Range", "bytes=-2", "If-Range", part.header("ETag"))
                            .body())
                    .isEqualTo("89");
            assertThat(FileSite.get(balancer, version, "/a.txt", "Range", "bytes=-2", "If-Range", "\"old\"")
                            .status())
                    .isEqualTo(200);
            assertThat(FileSite.request(balancer, version, "HEAD", "/a.txt", "Range", "bytes=0-1")
                            .status())
                    .isEqualTo(200);
        }
    }

    @ParameterizedTest
    @EnumSource
    void precompressedFiles(PolicyVersion version) throws Exception {
        FileSite site = new FileSite(root);
        site.write("a.js", "plain");
        site.write("a.js.br", "brotli");
        site.write("a.js.gz", "gzip");
        site.write("b.js", "only plain");
        try (TestBalancer balancer = site.start(with("", true, ""))) {
            FileSite.Answer brotli = FileSite.get(balancer, version, "/a.js", "Accept-Encoding", "gzip, zstd, br");
            assertThat(brotli.body()).isEqualTo("brotli");
            assertThat(brotli.header("Content-Encoding")).isEqualTo("br");
            assertThat(brotli.header("Content-Type")).isEqualTo("text/javascript; charset=utf-8");
            assertThat(brotli.header("Vary")).isEqualTo("Accept-Encoding");
            FileSite.Answer gzip = FileSite.get(balancer, version, "/a.js", "Accept-Encoding", "br;q=0.1, gzip");
            assertThat(gzip.body()).isEqualTo("gzip");
            assertThat(gzip.header("ETag")).isNotEqualTo(brotli.header("ETag"));
            FileSite.Answer plain = FileSite.get(balancer, version, "/a.js");
            assertThat(plain.body()).isEqualTo("plain");
            assertThat(plain.header("Content-Encoding")).isNull();
            assertThat(plain.header("Vary")).isEqualTo("Accept-Encoding");
            assertThat(FileSite.get(balancer, version, "/b.js", "Accept-Encoding", "br")
                            .body())
                    .isEqualTo("only plain");
        }
    }

    private static String get(String path) {
        return "GET " + path + " HTTP/1.1\r\nHost: a\r\n\r\n";
    }

    @Test
    void connectionServesSeveralFiles() throws Exception {
        FileSite site = new FileSite(root);
        site.write("a.txt", "a");
        site.write("empty", "");
        try (TestBalancer balancer = site.start();
                RawClient client = balancer.client()) {
            client.send(get("/a.txt"), get("/none"), get("/empty"), get("/a.txt"));

            assertThat(client.read().body()).isEqualTo("a");
            assertThat(client.read().body()).isEqualTo("404 Not Found\n");
            assertThat(client.read().body()).isEmpty();
            assertThat(client.read().body()).isEqualTo("a");
        }
    }

    @Test
    void grpcCallIsUnimplemented() throws Exception {
        FileSite site = new FileSite(root);
        try (TestBalancer balancer = site.start()) {
            assertThat(FileSite.request(
                                    balancer, PolicyVersion.HTTP_2, "POST", "/a", "content-type", "application/grpc")
                            .header("grpc-status"))
                    .isEqualTo("12");
        }
    }
}
