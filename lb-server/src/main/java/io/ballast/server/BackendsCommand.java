package io.ballast.server;

import io.ballast.core.backend.Order;
import io.ballast.server.config.ConfigException;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code lb backends}: lists the backends of a running balancer, takes them out of service, and back. */
@Command(
        name = "backends",
        description = "Lists the backends of a running balancer, takes them out of service, and back."
                + " Exit code 0: done; 2: refused; 1: no balancer answers.",
        mixinStandardHelpOptions = true)
final class BackendsCommand implements Callable<Integer> {

    private static final Duration TIMEOUT = Duration.ofSeconds(30);
    private static final int OK = 200;
    private static final int CONFLICT = 409;

    @Spec
    private CommandSpec spec;

    @Parameters(
            paramLabel = "CONFIG",
            defaultValue = "config.yaml",
            description = "A file that says where the dashboard is, without --api (default: config.yaml).")
    private Path file = Path.of("config.yaml");

    @Option(names = "--api", paramLabel = "URL", description = "The dashboard, such as http://127.0.0.1:8001.")
    private @Nullable URI api;

    /** Which backend of which balancer, and why. */
    static final class Choice {

        @Parameters(index = "0", paramLabel = "POOL", description = "The backend's pool.")
        private String pool = "";

        @Parameters(index = "1", paramLabel = "ADDRESS", description = "Its address as configured.")
        private String address = "";

        @Parameters(
                index = "2",
                arity = "0..1",
                paramLabel = "CONFIG",
                defaultValue = "config.yaml",
                description = "A file that says where the dashboard is, without --api (default: config.yaml).")
        private Path file = Path.of("config.yaml");

        @Option(names = "--api", paramLabel = "URL", description = "The dashboard, such as http://127.0.0.1:8001.")
        private @Nullable URI api;

        @Option(
                names = "--why",
                paramLabel = "TEXT",
                description = "What the log, the timeline and the page are to say.")
        private String why = "";
    }

    /** How long an order is to last. */
    static final class Time {

        @Option(names = "--for", paramLabel = "TIME", description = "Taken back by itself after this, such as 10m.")
        private @Nullable String time;
    }

    /** Whether it was thought about. */
    static final class Consent {

        @Option(names = "--yes", description = "Also if nothing usable is left in the pool.")
        private boolean yes;
    }

    @Command(
            name = "drain",
            description = "Has it finish what it has and get nothing new.",
            mixinStandardHelpOptions = true)
    int drain(@Mixin Choice choice, @Mixin Time time, @Mixin Consent consent) {
        return order(choice, Order.Kind.DRAIN.label(), time, consent);
    }

    @Command(
            name = "down",
            description = "The same for maintenance: its connections are not kept either.",
            mixinStandardHelpOptions = true)
    int down(@Mixin Choice choice, @Mixin Time time, @Mixin Consent consent) {
        return order(choice, Order.Kind.DOWN.label(), time, consent);
    }

    @Command(name = "up", description = "Sends it requests whatever its checks say.", mixinStandardHelpOptions = true)
    int up(@Mixin Choice choice, @Mixin Time time) {
        return order(choice, Order.Kind.UP.label(), time, new Consent());
    }

    @Command(
            name = "enable",
            description = "Takes back what was ordered: checks decide again.",
            mixinStandardHelpOptions = true)
    int enable(@Mixin Choice choice) {
        return order(choice, "enable", new Time(), new Consent());
    }

    @Override
    public Integer call() {
        return asked(() -> {
            DashboardApi.Answer answer = DashboardApi.of(api, file).ask("GET", "/api/v1/pools", TIMEOUT);
            if (answer.status() != OK) {
                return refused(answer);
            }
            new BackendTable(answer.body()).print(spec.commandLine().getOut());
            return 0;
        });
    }

    private int order(Choice choice, String verb, Time time, Consent consent) {
        Map<String, String> query = new LinkedHashMap<>();
        query.put("who", System.getProperty("user.name", "lb"));
        if (!choice.why.isEmpty()) {
            query.put("why", choice.why);
        }
        if (time.time != null) {
            query.put("until", time.time);
        }
        if (consent.yes) {
            query.put("confirm", "true");
        }
        StringBuilder path = new StringBuilder(
                "/api/v1/pools/" + encoded(choice.pool) + "/backends/" + encoded(choice.address) + "/" + verb);
        query.forEach((name, value) -> path.append(path.indexOf("?") < 0 ? '?' : '&')
                .append(name)
                .append('=')
                .append(encoded(value)));
        return asked(() -> {
            DashboardApi.Answer answer =
                    DashboardApi.of(choice.api, choice.file).ask("POST", path.toString(), TIMEOUT);
            if (answer.status() != OK) {
                return refused(answer);
            }
            spec.commandLine().getOut().println(BackendTable.line(answer.body()));
            return 0;
        });
    }

    private int refused(DashboardApi.Answer answer) {
        Object detail = answer.body().getOrDefault("detail", "status " + answer.status());
        String hint = answer.status() == CONFLICT ? " (--yes here)" : "";
        spec.commandLine().getErr().println("lb: " + BackendTable.plain(detail) + hint);
        return ConfigException.EXIT_CODE;
    }

    @FunctionalInterface
    private interface Asking {
        int ask() throws ConfigException, IOException;
    }

    private int asked(Asking asking) {
        PrintWriter out = spec.commandLine().getOut();
        PrintWriter err = spec.commandLine().getErr();
        try {
            return asking.ask();
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

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }
}
