package io.ballast.server.training;

import io.ballast.core.config.HostPort;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;

/** A configuration with the most common features and long timeouts for slow machines. */
public final class TrainingConfig {

    private TrainingConfig() {}

    /** Writes the configuration file into a new temporary directory and returns its path. */
    public static Path write(List<HostPort> backends, HostPort http, HostPort dns, HostPort dashboard)
            throws IOException {
        Path file = Files.createTempDirectory("ballast-training").resolve("training.yaml");
        String members = backends.stream()
                .map(backend -> '"' + backend.toString() + '"')
                .collect(Collectors.joining(", ", "[", "]"));
        return Files.writeString(file, """
                listeners:
                  - bind: %s
                    pool: web
                pools:
                  web:
                    backends: %s
                    health: {type: http, path: /health, interval: 1s, timeout: 20s}
                  other:
                    strategy: least-connection
                    backends: %s
                    health: {type: tcp, interval: 1s, timeout: 20s}
                dns:
                  listeners:
                    - bind: %s
                  zones:
                    - name: training.test
                      services:
                        - {name: web, pool: web}
                        - {name: other, pool: other}
                dashboard:
                  bind: %s
                """.formatted(http, members, members, dns, dashboard));
    }

    /** Changes parts of the configuration that a reload applies: a route, a pool and a zone. */
    static void change(Path file) throws IOException {
        String text = Files.readString(file);
        Files.writeString(
                file,
                text.replace("    pool: web\n", "    routes: [{match: {path: /other}, pool: other}, {pool: web}]\n")
                        .replace("least-connection", "random")
                        .replace("{name: other, pool: other}", "{name: other, pool: web}"));
    }
}
