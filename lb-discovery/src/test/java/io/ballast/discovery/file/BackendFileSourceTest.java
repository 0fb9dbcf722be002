package io.ballast.discovery.file;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.core.config.HostPort;
import io.ballast.discovery.source.DiscoveredBackend;
import io.ballast.discovery.source.Source;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BackendFileSourceTest {

    private final List<String> failures = new ArrayList<>();
    private final List<List<DiscoveredBackend>> found = new ArrayList<>();

    private int confirmations;

    private @Nullable Error fault;

    @TempDir
    private Path directory;

    @Test
    void readsAllFormats() throws Exception {
        BackendFileSource source = source(write(
                "a.yaml", "backends:\n  - 10.0.0.1:80\n  - {address: '[2001:db8::1]:80', weight: 5, backup: true}\n"));
        source.tick();
        write("a.yaml", "[10.0.0.2:80]");
        source.tick();
        source.tick();
        write("a.yaml", "{\"backends\": []}");
        source.tick();
        source.tick();

        assertThat(failures).isEmpty();
        assertThat(found)
                .containsExactly(
                        List.of(
                                at("10.0.0.1"),
                                new DiscoveredBackend(
                                        new HostPort("2001:db8::1", 80), 5, /* backup= */ true, /* draining= */ false)),
                        List.of(at("10.0.0.2")),
                        List.of());
    }

    @Test
    void readsFileWhenStable() throws Exception {
        BackendFileSource source = source(write("a.yaml", "[10.0.0.1:80]"));
        source.tick();
        write("a.yaml", "[10.0.0.1:80, 10.");
        source.tick();
        write("a.yaml", "[10.0.0.1:80, 10.0.0.2:80]");
        source.tick();
        assertThat(found).hasSize(1);

        source.tick();
        source.tick();

        assertThat(found).hasSize(2);
        assertThat(failures).isEmpty();
    }

    @Test
    void errorHasPlaceAndExpectation() throws Exception {
        Path file =
                write("a.yaml", "backends:\n  - {address: app.internal:80}\n  - {address: 10.0.0.1:80, wieght: 2}\n");
        source(file).tick();

        assertThat(found).isEmpty();
        assertThat(failures)
                .singleElement()
                .asString()
                .contains(file + ":2:15: backends[0].address: 'app.internal:80' (expected: an IP address and a port")
                .contains(file + ":3:28: backends[1]: unknown key 'wieght', did you mean 'weight'?");
    }

    @Test
    void rejectsUnixSocketsAndVariables() throws Exception {
        source(write("a.yaml", "[unix:/run/a.sock, '${HOME}']")).tick();

        assertThat(failures)
                .singleElement()
                .asString()
                .contains("unix:/run/a.sock")
                .contains("HOME");
    }

    @Test
    void missingFileIsFailureUntilItExists() throws Exception {
        BackendFileSource source = source(directory.resolve("a.yaml"));
        source.tick();
        assertThat(failures).singleElement().asString().contains("no such file or directory");

        write("a.yaml", "[10.0.0.1:80]");
        source.tick();
        source.tick();
        assertThat(found).containsExactly(List.of(at("10.0.0.1")));

        Files.delete(directory.resolve("a.yaml"));
        source.tick();
        source.tick();
        assertThat(failures).hasSize(3);
        assertThat(found).hasSize(1);
    }

    @Test
    void mergesFilesOfDirectory() throws Exception {
        write("b.json", "[\"10.0.0.3:80\", \"10.0.0.1:80\"]");
        write("a.yaml", "[{address: 10.0.0.1:80, weight: 7}]");
        write(".hidden.yaml", "[10.0.0.9:80]");
        write("notes.txt", "nothing");
        BackendFileSource source = source(directory);
        source.tick();

        assertThat(found).hasSize(1);
        assertThat(found.get(0)).hasSize(2).contains(at("10.0.0.3"));
        assertThat(found.get(0).get(0).weight()).isEqualTo(7);

        Files.delete(directory.resolve("b.json"));
        source.tick();
        source.tick();
        assertThat(found).hasSize(2);
        assertThat(found.get(1)).hasSize(1);
    }

    @Test
    void oneInvalidFileKeepsAllBackends() throws Exception {
        write("a.yaml", "[10.0.0.1:80]");
        BackendFileSource source = source(directory);
        source.tick();
        write("b.yaml", "[10.0.0.2]");
        source.tick();
        source.tick();

        assertThat(found).hasSize(1);
        assertThat(failures).singleElement().asString().contains("b.yaml:1:2");
    }

    @Test
    void recreatedEmptyDirectoryHasNoBackends() throws Exception {
        Path list = Files.createDirectory(directory.resolve("list"));
        BackendFileSource source = source(list);
        Files.delete(list);
        source.tick();
        assertThat(failures).hasSize(1);

        Files.createDirectory(list);
        source.tick();
        source.tick();
        source.tick();

        assertThat(found).containsExactly(List.of());
        assertThat(failures).hasSize(1);
    }

    @Test
    void errorCausesFullRead() throws Exception {
        fault = new StackOverflowError();
        BackendFileSource source = source(write("a.yaml", "[10.0.0.1:80]"));
        source.tick();
        assertThat(failures).singleElement().asString().endsWith("cannot be read: stack overflow");

        fault = null;
        source.tick();
        source.tick();
        source.tick();

        assertThat(found).containsExactly(List.of(at("10.0.0.1")));
        assertThat(failures).hasSize(1);
    }

    @Test
    void unchangedFileIsConfirmed() throws Exception {
        BackendFileSource source = source(write("a.yaml", "[10.0.0.1:80]"));
        source.tick();
        assertThat(confirmations).isZero();

        source.tick();
        source.tick();
        assertThat(confirmations).isEqualTo(2);

        write("a.yaml", "[10.0.0.1:80");
        source.tick();
        source.tick();
        source.tick();
        assertThat(confirmations).as("while it cannot be read").isEqualTo(2);
        assertThat(failures).isNotEmpty();
    }

    private BackendFileSource source(Path path) {
        BackendFileSource source = new BackendFileSource(path);
        source.listen(new Source.Listener() {
            @Override
            public void onBackends(List<DiscoveredBackend> backends) {
                Error error = fault;
                if (error != null) {
                    throw error;
                }
                found.add(backends);
            }

            @Override
            public void onUnchanged() {
                confirmations++;
            }

            @Override
            public void onFailure(String reason) {
                failures.add(reason);
            }
        });
        return source;
    }

    /** Replaces the file. Each version has another size or identity, because file times are coarse. */
    private Path write(String name, String text) throws Exception {
        Path next = Files.writeString(directory.resolve(name + ".next"), text);
        return Files.move(next, directory.resolve(name), StandardCopyOption.REPLACE_EXISTING);
    }

    private static DiscoveredBackend at(String host) {
        return DiscoveredBackend.at(new HostPort(host, 80));
    }
}
