package io.ballast.server;

import io.ballast.server.config.ConfigException;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code lb reload}: has a running balancer read its configuration anew, and says what became of it. */
@Command(
        name = "reload",
        description = "Has a running balancer read its file anew and put it in force, as a whole or not at all."
                + " Exit code 0: done, or nothing to do; 2: refused; 1: no balancer answers.",
        mixinStandardHelpOptions = true)
final class ReloadCommand implements Callable<Integer> {

    /** Zones of a million names take some seconds. */
    private static final Duration TIMEOUT = Duration.ofMinutes(5);

    private static final String PATH = "/api/v1/reload";

    @Spec
    private CommandSpec spec;

    @Parameters(
            paramLabel = "CONFIG",
            defaultValue = "config.yaml",
            description = "A file that says where the dashboard is, without --api (default: config.yaml).")
    private Path file = Path.of("config.yaml");

    @Option(names = "--api", paramLabel = "URL", description = "The dashboard, such as http://127.0.0.1:8001.")
    private @Nullable URI api;

    @Option(names = "--dry-run", description = "Only say what would change.")
    private boolean dryRun;

    @Override
    public Integer call() {
        PrintWriter out = spec.commandLine().getOut();
        PrintWriter err = spec.commandLine().getErr();
        try {
            DashboardApi dashboard = DashboardApi.of(api, file);
            DashboardApi.Answer answer = dashboard.ask("POST", dryRun ? PATH + "?dry_run=true" : PATH, TIMEOUT);
            Object outcome = answer.body().get("outcome");
            if (outcome == null) {
                throw new IOException(
                        dashboard.url() + ": " + answer.body().getOrDefault("detail", "status " + answer.status()));
            }
            lines(answer.body(), "warnings").forEach(warning -> err.println("warning: " + warning));
            lines(answer.body(), "errors").forEach(err::println);
            lines(answer.body(), "changes").forEach(out::println);
            out.println(summary(outcome.toString(), answer.body()));
            return "refused".equals(outcome) ? ConfigException.EXIT_CODE : 0;
        } catch (ConfigException e) {
            return new ConfigReport(err).failure(e);
        } catch (IOException | IllegalArgumentException e) {
            err.println("lb: " + e.getMessage());
            return 1;
        } finally {
            out.flush();
            err.flush();
        }
    }

    private static String summary(String outcome, Map<String, Object> body) {
        return switch (outcome) {
            case "applied" -> "applied, published in " + body.get("published_ms") + " ms";
            case "unchanged" -> "unchanged";
            case "dry_run" -> lines(body, "changes").isEmpty() ? "nothing would change" : "nothing is changed yet";
            default -> "refused, nothing is changed";
        };
    }

    private static List<String> lines(Map<String, Object> body, String key) {
        return body.get(key) instanceof List<?> lines
                ? lines.stream().map(Objects::toString).toList()
                : List.of();
    }
}
