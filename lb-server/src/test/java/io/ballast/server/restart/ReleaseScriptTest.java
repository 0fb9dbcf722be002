package io.ballast.server.restart;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Tests the steps of {@code bin/release}; the programs that it calls are stubs that record their calls. */
@EnabledOnOs(OS.LINUX)
class ReleaseScriptTest {

    private static final String DIGEST = "@sha256:" + "0123456789abcdef".repeat(4);

    @TempDir
    private Path directory;

    private Path calls;
    private Path out;

    private record Ended(int status, String output) {}

    @BeforeEach
    void makeTree() throws IOException {
        calls = Files.writeString(directory.resolve("calls"), "");
        out = directory.resolve("out");
        Files.createDirectories(directory.resolve("tree/bin"));
        Files.createDirectories(directory.resolve("tree/lb-server/target"));
        Files.createDirectories(directory.resolve("tools"));
        Files.writeString(directory.resolve("tree/lb-server/target/lb.jar"), "jar");
        Files.createDirectories(directory.resolve("tree/lb-filter-api/target"));
        Files.writeString(directory.resolve("tree/lb-filter-api/target/lb-filter-api-1.jar"), "interfaces");
        Files.copy(Path.of("..", "bin", "release"), directory.resolve("tree/bin/release"));
        for (String tool : List.of("bash", "cp", "dirname", "mkdir", "readlink", "sed")) {
            Path found = Path.of("/usr/bin", tool);
            Files.createSymbolicLink(
                    directory.resolve("tools").resolve(tool), Files.exists(found) ? found : Path.of("/bin", tool));
        }
        stub("tools/git", "");
        stub("tree/bin/verify", "");
        stub("tree/bin/reproducible", "");
        stub("tree/bin/package", "");
    }

    @Test
    void testsOnAllJdksThenBuildsTwiceThenCreatesPackages() throws Exception {
        Ended ended = release(Map.of());

        assertThat(ended.status()).as(ended.output()).isZero();
        assertThat(ended.output()).contains("image: SKIPPED, docker is missing");
        assertThat(Files.readAllLines(calls).stream().filter(call -> !call.startsWith("git")))
                .containsExactly(
                        "verify --full",
                        "reproducible",
                        "package deb " + out,
                        "package rpm " + out,
                        "package chart " + out,
                        "package sbom " + out,
                        "package checksums " + out);
        assertThat(out.resolve("lb.jar")).hasContent("jar");
        assertThat(out.resolve("lb-filter-api-1.jar")).hasContent("interfaces");
    }

    @Test
    void rejectsUncommittedChanges() throws Exception {
        stub("tools/git", "echo ' M pom.xml'");

        assertThat(release(Map.of()).output()).isEqualTo("""
            release: there are uncommitted changes (expected: a clean tree)
            """);
    }

    @Test
    void rejectsFailedTests() throws Exception {
        stub("tree/bin/verify", "exit 1");

        Ended ended = release(Map.of());

        assertThat(ended.status()).isEqualTo(1);
        assertThat(ended.output()).isEqualTo("release: a test or check failed\n");
        assertThat(Files.readString(calls)).doesNotContain("reproducible", "package");
    }

    @Test
    void rejectsDifferentBuilds() throws Exception {
        stub("tree/bin/reproducible", "exit 1");

        Ended ended = release(Map.of());

        assertThat(ended.status()).isEqualTo(1);
        assertThat(ended.output()).isEqualTo("release: two builds differ, or one failed\n");
        assertThat(Files.readString(calls)).doesNotContain("package");
    }

    @Test
    void imagesNeedBaseDigests() throws Exception {
        stub("tools/docker", "");

        assertThat(release(Map.of("LB_BUILD_IMAGE", "jdk:25" + DIGEST, "LB_RUN_IMAGE", "jre:25"))
                        .output())
                .startsWith("release: LB_RUN_IMAGE: jre:25 (expected: a base image with its digest");
        assertThat(release(Map.of()).output()).startsWith("release: LB_BUILD_IMAGE: not set (expected: ");
        assertThat(Files.readString(calls)).doesNotContain("package");
        assertThat(release(Map.of("LB_BUILD_IMAGE", "jdk:25" + DIGEST, "LB_RUN_IMAGE", "jre:25" + DIGEST))
                        .status())
                .isZero();
        assertThat(Files.readString(calls)).contains("package image " + out);
    }

    private void stub(String path, String action) throws IOException {
        Path file = directory.resolve(path);
        String call = file.getFileName() + "${*:+ $*}";
        Files.writeString(file, "#!/bin/bash\necho \"" + call + "\" >>" + calls + "\n" + action + "\n");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    private Ended release(Map<String, String> variables) throws Exception {
        ProcessBuilder builder = new ProcessBuilder(
                        "/bin/bash", directory.resolve("tree/bin/release").toString(), out.toString())
                .redirectErrorStream(true);
        builder.environment().put("PATH", directory.resolve("tools").toString());
        builder.environment().keySet().removeIf(name -> name.startsWith("LB_"));
        builder.environment().putAll(variables);
        Process process = builder.start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return new Ended(process.waitFor(), output);
    }
}
