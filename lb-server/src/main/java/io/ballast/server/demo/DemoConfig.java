package io.ballast.server.demo;

import io.ballast.core.config.HostPort;
import java.io.IOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;

/** Writes the configuration file of the demonstration, which users can read and change. */
public final class DemoConfig {

    private DemoConfig() {}

    /** Writes the configuration file into a new temporary directory and returns its path. */
    public static Path write(List<HostPort> backends, HostPort http, HostPort dns, HostPort dashboard)
            throws IOException {
        Path file = Files.createTempDirectory("ballast-demo").resolve("demo.yaml");
        String members =
                backends.stream().map(backend -> "      - " + backend + "\n").collect(Collectors.joining());
        return Files.writeString(file, """
                # What `lb demo` runs. Try it by hand: lb run %s
                listeners:
                  - bind: %s
                    pool: web
                pools:
                  web:
                    strategy: round-robin
                    backends:
                %s    health: {type: http, path: /health, interval: 1s, timeout: 500ms, rise: 2, fall: 2}
                dns:
                  listeners:
                    - bind: %s
                  zones:
                    - name: demo.test
                      services:
                        - {name: web, pool: web, routing: round-robin, ttl: 5s}
                dashboard:
                  bind: %s
                """.formatted(file, http, members, dns, dashboard));
    }

    /** Removes the file, and its folder unless the user has put other files there. */
    public static void remove(Path file) throws IOException {
        Files.deleteIfExists(file);
        Path folder = file.toAbsolutePath().getParent();
        try {
            Files.deleteIfExists(folder);
        } catch (DirectoryNotEmptyException e) {
            // The folder contains a file that the demo did not create.
            return;
        }
    }

    /** Returns the addresses to open and the commands to try, as text. */
    public static String instructions(
            List<HostPort> backends, HostPort http, HostPort dns, HostPort dashboard, Path file) {
        HostPort last = backends.get(backends.size() - 1);
        boolean apart = !last.host().equals(backends.get(0).host());
        String leaves = apart ? ", and dig no longer returns its address" : "";
        String answer = apart ? "two addresses, from the same pool" : "its address, from the same pool";
        return """

                Ballast is running.

                  web        http://%1$s/            over %2$s
                  dashboard  http://%4$s/
                  dns        %3$s, zone demo.test
                  config     %5$s

                Try
                  curl http://%1$s/                                   a different backend each time
                  wrk -c 64 -d 10 http://%1$s/                        and watch the dashboard
                  dig @%7$s -p %8$d web.demo.test                     %10$s
                  curl http://%6$s/break                              backend 4 goes down%9$s; /repair brings it back

                Ctrl-C ends it.

                """.formatted(
                        http,
                        backends.stream().map(HostPort::toString).collect(Collectors.joining(", ")),
                        dns,
                        dashboard,
                        file,
                        last,
                        dns.host(),
                        dns.port(),
                        leaves,
                        answer);
    }
}
