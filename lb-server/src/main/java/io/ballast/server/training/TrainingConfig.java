package io.ballast.server.training;

import io.ballast.core.config.HostPort;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;

/** A configuration with the most common features and long timeouts for slow machines. */
public final class TrainingConfig {

    /** Requests for this path go to a backend that does not read them. */
    static final String STALLING_PATH = "/stalling";

    private TrainingConfig() {}

    /**
     * Writes the configuration file and its zone files into a directory; returns the configuration file.
     *
     * @param stalling a backend that accepts connections but does not read from them
     */
    public static Path write(
            Path directory, List<HostPort> backends, HostPort stalling, HostPort http, HostPort dns, HostPort dashboard)
            throws IOException {
        String members = backends.stream()
                .map(backend -> '"' + backend.toString() + '"')
                .collect(Collectors.joining(", ", "[", "]"));
        return Files.writeString(directory.resolve("training.yaml"), """
                listeners:
                  - bind: %s
                    routes:
                      - {match: {path: %s}, pool: stalling}
                      - {pool: web}
                pools:
                  web:
                    backends: %s
                    health: {type: http, path: /health, interval: 1s, timeout: 20s}
                  other:
                    strategy: least-connection
                    backends: %s
                    health: {type: tcp, interval: 1s, timeout: 20s}
                  stalling:
                    backends: ["%s"]
                dns:
                  listeners:
                    - bind: %s
                  zones:
                    - name: training.test
                      services:
                        - {name: web, pool: web}
                        - {name: other, pool: other}
                %sdashboard:
                  bind: %s
                """.formatted(
                http, STALLING_PATH, members, members, stalling, dns, TrainingZones.write(directory), dashboard));
    }

    /** Changes parts of the configuration that a reload applies: a route, a pool and a zone. */
    static void change(Path file) throws IOException {
        String text = Files.readString(file);
        Files.writeString(
                file,
                text.replace(
                                "      - {pool: web}\n",
                                "      - {match: {path: /other}, pool: other}\n      - {pool: web}\n")
                        .replace("least-connection", "random")
                        .replace("{name: other, pool: other}", "{name: other, pool: web}"));
    }
}
