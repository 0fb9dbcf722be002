package io.ballast.server.restart;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/**
 * Runs {@code bin/lb} in a source tree without a jar, on machines with different Java versions and terminals.
 */
@EnabledOnOs(OS.LINUX)
class LauncherScriptTest {

    private static final Path BIN = Path.of("..", "bin");
    private static final List<String> TOOLS = List.of(
            "bash",
            "cat",
            "cksum",
            "dirname",
            "find",
            "flock",
            "grep",
            "head",
            "id",
            "readlink",
            "rm",
            "sed",
            "sleep",
            "sort",
            "stat",
            "stty",
            "tail",
            "tee",
            "touch",
            "tr");
    private static final int WIDTH = 80;

    @TempDir
    private Path directory;

    private Path tree;
    private Path javas;
    private Path tools;

    @BeforeEach
    void makeTree() throws IOException {
        tree = Files.createDirectories(directory.resolve("tree"));
        javas = Files.createDirectories(directory.resolve("jvm"));
        tools = Files.createDirectories(directory.resolve("tools"));
        Files.createDirectories(tree.resolve("bin"));
        Files.createDirectories(tree.resolve("lb-server/target"));
        Files.createDirectories(tree.resolve(".mvn"));
        try (Stream<Path> files = Files.list(BIN)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                Files.copy(file, tree.resolve("bin").resolve(file.getFileName()));
            }
        }
        Files.writeString(tree.resolve("pom.xml"), "");
        for (String tool : TOOLS) {
            Path found = Stream.of("/usr/bin", "/bin")
                    .map(place -> Path.of(place, tool))
                    .filter(Files::isExecutable)
                    .findFirst()
                    .orElseThrow();
            Files.createSymbolicLink(tools.resolve(tool), found);
        }
    }

    @Test
    void oldJavaErrorExplainsInstallation() throws Exception {
        java(11, /* compiles= */ true);

        Ended ended = run("bash", "bin/lb", "version");

        assertThat(ended.status()).isEqualTo(1);
        assertThat(ended.output())
                .contains("lb: found Java 11 in " + javas.resolve("java-11").toRealPath()
                        + ", but Ballast needs Java 17 or newer")
                .contains("openjdk-17-jdk-headless")
                .contains("JAVA_HOME");
    }

    @Test
    void buildNeedsCompiler() throws Exception {
        java(17, /* compiles= */ false);

        Ended ended = run("bash", "bin/lb", "version");

        assertThat(ended.status()).isEqualTo(1);
        assertThat(ended.output()).contains("it has no compiler (bin/javac), which a build needs");
    }

    @Test
    void reportsMissingJava() throws Exception {
        Ended ended = run("bash", "bin/lb", "version");

        assertThat(ended.status()).isEqualTo(1);
        assertThat(ended.output()).contains("lb: found no Java; Ballast needs Java 17 or newer");
    }

    @Test
    void reportsTooOldChosenJava() throws Exception {
        java(17, /* compiles= */ true);
        Path old = java(11, /* compiles= */ true);
        maven("touch lb-server/target/lb.jar");

        Ended ended = run("env", "LB_JAVA=" + old, "bash", "bin/lb", "version");

        assertThat(ended.status()).isEqualTo(1);
        assertThat(ended.output()).contains("found Java 11, but Ballast needs Java 17 or newer");
    }

    @Test
    void reportsReadOnlyTree() throws Exception {
        java(17, /* compiles= */ true);
        Files.delete(tree.resolve(".mvn"));
        Files.writeString(tree.resolve(".mvn"), "not a directory: nothing can be written below it, not even by root");

        Ended ended = run("bash", "bin/lb", "version");

        assertThat(ended.status()).isEqualTo(1);
        assertThat(ended.output())
                .contains("cannot build in " + tree.toRealPath())
                .contains("copy it to a directory of your own")
                .doesNotContain("line ");
    }

    @Test
    void buildProgressUsesOneLine() throws Exception {
        assumeThat(Path.of("/usr/bin/script")).exists();
        java(17, /* compiles= */ true);
        maven("""
                echo "[INFO] Building lb-a-module-with-a-name-of-its-own 0.1.0-SNAPSHOT                               [1/7]"
                echo "Downloaded from central: https://repo.example/a/library/with/a/long/name/library-1.2.3.jar (1 MB at 1 MB/s)"
                touch lb-server/target/lb.jar""");

        Ended ended = run("/usr/bin/script", "-qec", "stty cols " + WIDTH + "; bash bin/lb version", "/dev/null");

        assertThat(ended.output()).contains("lb-a-module-with-a-name-of-its-own 0.1.0-SNAPSHOT [1/7], 1 files fetched");
        List<String> shown = Arrays.stream(ended.output().split("[\\r\\n]"))
                .filter(line -> line.contains("[1/7]"))
                .map(line -> line.replace("\u001b[K", ""))
                .toList();
        assertThat(shown).isNotEmpty().allSatisfy(line -> assertThat(line).hasSizeLessThan(WIDTH));
    }

    /** Creates a fake Java installation that has a version and does nothing. */
    private Path java(int major, boolean compiles) throws IOException {
        Path home = Files.createDirectories(javas.resolve("java-" + major));
        Files.createDirectories(home.resolve("bin"));
        Files.writeString(home.resolve("release"), "JAVA_VERSION=\"" + major + ".0.1\"\n");
        script(home.resolve("bin/java"), "");
        if (compiles) {
            script(home.resolve("bin/javac"), "");
        }
        return home;
    }

    private void maven(String commands) throws IOException {
        script(tree.resolve("mvnw"), commands);
    }

    private void script(Path file, String commands) throws IOException {
        Files.writeString(file, "#!" + tools.resolve("bash") + "\n" + commands + "\n");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    private record Ended(int status, String output) {}

    private Ended run(String... command) throws IOException, InterruptedException {
        String first =
                command[0].equals("env") ? "/usr/bin/env" : command[0].equals("bash") ? tools + "/bash" : command[0];
        command[0] = first;
        ProcessBuilder builder =
                new ProcessBuilder(command).directory(tree.toFile()).redirectErrorStream(true);
        builder.environment().clear();
        builder.environment().put("PATH", tools.toString());
        builder.environment().put("SHELL", tools + "/bash");
        builder.environment().put("LB_JVM_DIRECTORY", javas.toString());
        builder.environment().put("LB_ARCHIVE", "off");
        Process process = builder.start();
        process.getOutputStream().close();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return new Ended(process.waitFor(), output);
    }
}
