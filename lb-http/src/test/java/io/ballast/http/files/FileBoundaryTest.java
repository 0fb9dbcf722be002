package io.ballast.http.files;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.http.config.RouteAction;
import io.ballast.http.policy.PolicyVersion;
import io.ballast.http.testing.TestBalancer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests that no request reaches a file outside of the root, or a file that is not regular. */
class FileBoundaryTest {

    private static final String SECRET = "secret";

    @TempDir
    private Path directory;

    private Path root;
    private FileSite site;

    @BeforeEach
    void writeFiles() throws Exception {
        root = Files.createDirectories(directory.resolve("root"));
        site = new FileSite(root);
        Files.writeString(directory.resolve("secret.txt"), SECRET);
        Files.createDirectories(directory.resolve("root-private"));
        Files.writeString(directory.resolve("root-private/secret.txt"), SECRET);
        site.write("a/b.txt", "inside");
        site.write("..name", "two dots");
    }

    @ParameterizedTest
    @EnumSource
    void noSpellingLeavesTheRoot(PolicyVersion version) throws Exception {
        List<String> paths = List.of(
                "/../secret.txt",
                "/a/../../secret.txt",
                "/%2e%2e/secret.txt",
                "/.%2e/secret.txt",
                "/%2e%2e%2fsecret.txt",
                "/..%2fsecret.txt",
                "/a/..%2f..%2fsecret.txt",
                "/..%5csecret.txt",
                "/..\\secret.txt",
                "/%252e%252e/secret.txt",
                "/%252e%252e%252fsecret.txt",
                "/%c0%ae%c0%ae/secret.txt",
                "/%c0%ae%c0%ae%c0%afsecret.txt",
                "/..%c0%afsecret.txt",
                "/%uff0e%uff0e/secret.txt",
                "/a/b.txt/../../../secret.txt",
                "//../secret.txt",
                "/./../secret.txt",
                "/..;/secret.txt",
                "/../root-private/secret.txt",
                "/..%00/secret.txt",
                "/secret.txt%00.html",
                "/%00",
                "/a/b.txt%00",
                "/.../secret.txt",
                directory + "/secret.txt",
                "/" + directory + "/secret.txt",
                "/%2f" + directory + "/secret.txt",
                "/file:" + directory + "/secret.txt");
        try (TestBalancer balancer = site.start()) {
            for (String path : paths) {
                FileSite.Answer answer = FileSite.get(balancer, version, path);

                assertThat(answer.status()).as(path).isIn(400, 404);
                assertThat(answer.body()).as(path).doesNotContain(SECRET);
            }
            assertThat(FileSite.get(balancer, version, "/x/../a/%62.txt").body())
                    .isEqualTo("inside");
        }
    }

    @ParameterizedTest
    @EnumSource
    void linkLeadsOnlyToFilesInside(PolicyVersion version) throws Exception {
        Files.createSymbolicLink(root.resolve("inside.txt"), Path.of("a/b.txt"));
        Files.createSymbolicLink(root.resolve("inside"), root.resolve("a"));
        Files.createSymbolicLink(root.resolve("outside.txt"), directory.resolve("secret.txt"));
        Files.createSymbolicLink(root.resolve("outside"), directory);
        Files.createSymbolicLink(root.resolve("sibling"), directory.resolve("root-private"));
        Files.createSymbolicLink(root.resolve("loop"), Path.of("loop"));
        Files.createSymbolicLink(root.resolve("dangling"), Path.of("nothing"));
        try (TestBalancer balancer = site.start()) {
            assertThat(FileSite.get(balancer, version, "/inside.txt").body()).isEqualTo("inside");
            assertThat(FileSite.get(balancer, version, "/inside/b.txt").body()).isEqualTo("inside");
            for (String path : List.of(
                    "/outside.txt",
                    "/outside/secret.txt",
                    "/outside/root-private/secret.txt",
                    "/sibling/secret.txt",
                    "/loop",
                    "/dangling",
                    "/outside",
                    "/outside/")) {
                assertThat(FileSite.get(balancer, version, path).status())
                        .as(path)
                        .isEqualTo(404);
            }
        }
    }

    @Test
    void precompressedFormAndFallbackStayInside() throws Exception {
        site.write("page.html", "page");
        Files.createSymbolicLink(root.resolve("page.html.gz"), directory.resolve("secret.txt"));
        Files.createSymbolicLink(root.resolve("fallback.html"), directory.resolve("secret.txt"));
        Files.createDirectories(root.resolve("c"));
        Files.createSymbolicLink(root.resolve("c/index.html"), directory.resolve("secret.txt"));
        RouteAction.Files action =
                new RouteAction.Files(root, "index.html", Optional.of("/fallback.html"), true, Optional.empty());
        try (TestBalancer balancer = site.start(action)) {
            assertThat(FileSite.get(balancer, PolicyVersion.HTTP_1, "/page.html", "Accept-Encoding", "gzip")
                            .body())
                    .isEqualTo("page");
            for (String path : List.of("/nothing", "/c/", "/c")) {
                assertThat(FileSite.get(balancer, PolicyVersion.HTTP_1, path).status())
                        .as(path)
                        .isEqualTo(404);
            }
        }
    }

    @Test
    void rootMayBeALink() throws Exception {
        Path link = Files.createSymbolicLink(directory.resolve("current"), root);
        FileSite linked = new FileSite(link);
        try (TestBalancer balancer = linked.start()) {
            assertThat(FileSite.get(balancer, PolicyVersion.HTTP_1, "/a/b.txt").body())
                    .isEqualTo("inside");
            Path next = Files.createDirectories(directory.resolve("next"));
            Files.writeString(next.resolve("new.txt"), "new");
            Files.delete(link);
            Files.createSymbolicLink(link, next);
            assertThat(FileSite.get(balancer, PolicyVersion.HTTP_1, "/new.txt").body())
                    .isEqualTo("new");
            Files.delete(link);
            assertThat(FileSite.get(balancer, PolicyVersion.HTTP_1, "/new.txt").status())
                    .isEqualTo(404);
        }
    }

    @Test
    void hiddenFilesDoNotExist() throws Exception {
        site.write(".env", SECRET);
        site.write(".git/config", SECRET);
        site.write("a/.htpasswd", SECRET);
        site.write(".well-known/security.txt", "contact");
        site.write(".well-known/.hidden", SECRET);
        try (TestBalancer balancer = site.start()) {
            for (String path : List.of(
                    "/.env",
                    "/%2eenv",
                    "/.git/config",
                    "/a/.htpasswd",
                    "/.well-known/.hidden",
                    "/..name",
                    "/.well-knownx")) {
                assertThat(FileSite.get(balancer, PolicyVersion.HTTP_1, path).status())
                        .as(path)
                        .isEqualTo(404);
            }
            assertThat(FileSite.get(balancer, PolicyVersion.HTTP_1, "/.well-known/security.txt")
                            .body())
                    .isEqualTo("contact");
        }
    }

    @Test
    void specialFilesDoNotBlock() throws Exception {
        Process process = new ProcessBuilder("mkfifo", root.resolve("pipe").toString()).start();
        assertThat(process.waitFor()).isZero();
        try (TestBalancer balancer = site.start()) {
            for (int i = 0; i < 30; i++) { // more requests than threads
                assertThat(FileSite.get(balancer, PolicyVersion.HTTP_1, "/pipe").status())
                        .isEqualTo(404);
            }
            assertThat(FileSite.get(balancer, PolicyVersion.HTTP_1, "/a/b.txt").body())
                    .isEqualTo("inside");
        }
    }

    @Test
    void longNamesDoNotExist() throws Exception {
        try (TestBalancer balancer = site.start()) {
            for (String path : List.of("/" + "a".repeat(300), "/a".repeat(3000), "/a/b.txt/c")) {
                assertThat(FileSite.get(balancer, PolicyVersion.HTTP_1, path).status())
                        .isEqualTo(404);
            }
        }
    }
}
