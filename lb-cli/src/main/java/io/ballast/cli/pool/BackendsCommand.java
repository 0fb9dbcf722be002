package io.ballast.cli.pool;

import io.ballast.cli.api.ApiObject;
import io.ballast.cli.api.DashboardApi;
import io.ballast.cli.api.DashboardOptions;
import io.ballast.core.backend.StateOverride;
import java.io.PrintWriter;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * {@code lb backends}: lists the backends of a running balancer, changes their state and sets their weights.
 */
@Command(
        name = "backends",
        description = "Lists the backends of a running balancer, and changes their state, weight and membership."
                + " Exit code 0: done; 3: pending in the cluster; 2: refused; 1: no balancer responds.",
        mixinStandardHelpOptions = true)
public final class BackendsCommand implements Callable<Integer> {

    private static final Duration TIMEOUT = Duration.ofSeconds(30);
    private static final int OK = 200;

    /** The query parameter of the API that corresponds to the option {@code --yes}. */
    private static final String CONFIRM_PARAMETER = "confirm=true";

    @Mixin
    private DashboardOptions dashboard = new DashboardOptions();

    @Parameters(
            paramLabel = "CONFIG",
            defaultValue = DashboardOptions.CONFIG,
            description = DashboardOptions.CONFIG_TEXT)
    private Path file = Path.of(DashboardOptions.CONFIG);

    /** The command-line arguments that select a backend and give the reason for the command. */
    static class Choice {

        @Parameters(index = "0", paramLabel = "POOL", description = "The pool of the backend.")
        private String pool = "";

        @Parameters(index = "1", paramLabel = "ADDRESS", description = "The configured address of the backend.")
        private String address = "";

        @Option(
                names = "--why",
                paramLabel = "TEXT",
                description = "The reason, for the log, the timeline and the dashboard.")
        private String why = "";
    }

    /**
     * The arguments of {@link Choice}, and the configuration file that identifies the running balancer to
     * contact.
     */
    static final class StateChoice extends Choice {

        @Parameters(
                index = "2",
                arity = "0..1",
                paramLabel = "CONFIG",
                defaultValue = DashboardOptions.CONFIG,
                description = DashboardOptions.CONFIG_TEXT)
        private Path file = Path.of(DashboardOptions.CONFIG);
    }

    /** The weight. */
    static final class WeightChoice extends Choice {

        @Parameters(
                index = "2",
                paramLabel = "N",
                description = "0 to 1000, or 'file' to restore the configured weight.")
        private String weight = "";

        @Parameters(
                index = "3",
                arity = "0..1",
                paramLabel = "CONFIG",
                defaultValue = DashboardOptions.CONFIG,
                description = DashboardOptions.CONFIG_TEXT)
        private Path file = Path.of(DashboardOptions.CONFIG);
    }

    /** The settings of a backend. */
    static final class Settings {

        @Option(names = "--weight", paramLabel = "N", description = "0 to 1000 (default for a new backend: 1).")
        private @Nullable Integer weight;

        @Option(
                names = "--backup",
                arity = "0..1",
                fallbackValue = "true",
                paramLabel = "true|false",
                description = "Whether to use the backend only while no other is usable.")
        private @Nullable Boolean backup;

        void addTo(Map<String, String> query) {
            if (weight != null) {
                query.put("weight", weight.toString());
            }
            if (backup != null) {
                query.put("backup", backup.toString());
            }
        }
    }

    /** Duration of the override. */
    static final class Time {

        @Option(
                names = "--for",
                paramLabel = "TIME",
                description = "Expire after this time, such as 10m (default: never).")
        private @Nullable String time;
    }

    /** The time for which a drain lets exchanges in flight continue. */
    static final class Deadline {

        @Option(
                names = "--deadline",
                paramLabel = "TIME",
                description = "Close remaining tunnels and sessions after this time (default: never).")
        private @Nullable String time;
    }

    /**
     * The option {@code --yes}, which confirms the change even if the pool is left without a usable backend.
     */
    static final class ConfirmOption {

        @Option(names = "--yes", description = "Apply the change even if the pool is left without a usable backend.")
        private boolean yes;
    }

    @Command(
            name = "drain",
            description = "Drains a backend: it finishes its requests and receives no new ones.",
            mixinStandardHelpOptions = true)
    int drain(
            @Mixin StateChoice choice,
            @Mixin DashboardOptions at,
            @Mixin Time time,
            @Mixin Deadline deadline,
            @Mixin ConfirmOption confirm) {
        Map<String, String> query = queryParameters(choice, time, confirm);
        if (deadline.time != null) {
            query.put("deadline", deadline.time);
        }
        return sendCommand(at, choice.file, choice, StateOverride.Kind.DRAIN.label(), query);
    }

    @Command(
            name = "down",
            description = "Takes a backend out for maintenance: like drain, and closes idle connections.",
            mixinStandardHelpOptions = true)
    int down(@Mixin StateChoice choice, @Mixin DashboardOptions at, @Mixin Time time, @Mixin ConfirmOption confirm) {
        return sendCommand(at, choice, StateOverride.Kind.DOWN.label(), time, confirm);
    }

    @Command(
            name = "up",
            description = "Marks a backend as up, regardless of its health checks.",
            mixinStandardHelpOptions = true)
    int up(@Mixin StateChoice choice, @Mixin DashboardOptions at, @Mixin Time time) {
        return sendCommand(at, choice, StateOverride.Kind.UP.label(), time, new ConfirmOption());
    }

    @Command(
            name = "weight",
            description = "Overrides the weight of a backend; the override survives reloads and restarts.",
            mixinStandardHelpOptions = true)
    int weight(@Mixin WeightChoice choice, @Mixin DashboardOptions at, @Mixin Time time, @Mixin ConfirmOption confirm) {
        Map<String, String> query = queryParameters(choice, time, confirm);
        query.put("weight", choice.weight);
        return sendCommand(at, choice.file, choice, "weight", query);
    }

    @Command(
            name = "enable",
            description = "Removes the overrides of a backend: health checks and the file apply again.",
            mixinStandardHelpOptions = true)
    int enable(@Mixin StateChoice choice, @Mixin DashboardOptions at) {
        return sendCommand(at, choice, "enable", new Time(), new ConfirmOption());
    }

    @Command(
            name = "add",
            description = "Adds a backend that is not in the file; it survives reloads and restarts.",
            mixinStandardHelpOptions = true)
    int add(@Mixin StateChoice choice, @Mixin DashboardOptions at, @Mixin Settings settings) {
        Map<String, String> query = queryParameters(choice, new Time(), new ConfirmOption());
        settings.addTo(query);
        query.put("address", address(choice));
        return sendRequest(at, choice.file, "POST", poolPath(choice) + "/backends" + queryString(query));
    }

    @Command(
            name = "set",
            description =
                    "Overrides the weight or backup setting of a backend until the file or its discovery source changes it.",
            mixinStandardHelpOptions = true)
    int set(
            @Mixin StateChoice choice,
            @Mixin DashboardOptions at,
            @Mixin Settings settings,
            @Mixin ConfirmOption confirm) {
        Map<String, String> query = queryParameters(choice, new Time(), confirm);
        settings.addTo(query);
        return sendRequest(at, choice.file, "PUT", backendPath(choice) + queryString(query));
    }

    @Command(
            name = "remove",
            description =
                    "Removes a backend until the file or its discovery source changes it. Requests in flight finish.",
            mixinStandardHelpOptions = true)
    int remove(@Mixin StateChoice choice, @Mixin DashboardOptions at, @Mixin ConfirmOption confirm) {
        return sendRequest(
                at,
                choice.file,
                "DELETE",
                backendPath(choice) + queryString(queryParameters(choice, new Time(), confirm)));
    }

    @Command(
            name = "reset",
            description = "Reverts add, set and remove for a backend.",
            mixinStandardHelpOptions = true)
    int reset(@Mixin StateChoice choice, @Mixin DashboardOptions at, @Mixin ConfirmOption confirm) {
        Map<String, String> query = queryParameters(choice, new Time(), confirm);
        query.put("address", address(choice));
        return sendRequest(at, choice.file, "DELETE", poolPath(choice) + "/changes" + queryString(query));
    }

    @Override
    public Integer call() {
        return dashboard.runWithDashboard(file, (api, out, err) -> {
            DashboardApi.Answer answer = api.sendRequest("GET", "/api/v1/pools", TIMEOUT);
            if (answer.status() != OK) {
                return printRefusal(answer, err);
            }
            new BackendTable(answer.body()).lines().forEach(out::println);
            return 0;
        });
    }

    private static int sendCommand(
            DashboardOptions at, StateChoice choice, String verb, Time time, ConfirmOption confirm) {
        return sendCommand(at, choice.file, choice, verb, queryParameters(choice, time, confirm));
    }

    private static Map<String, String> queryParameters(Choice choice, Time time, ConfirmOption confirm) {
        Map<String, String> query = new LinkedHashMap<>();
        query.put("who", System.getProperty("user.name", "lb"));
        if (!choice.why.isEmpty()) {
            query.put("why", choice.why);
        }
        if (time.time != null) {
            query.put("until", time.time);
        }
        if (confirm.yes) {
            query.put("confirm", "true");
        }
        return query;
    }

    private static int sendCommand(
            DashboardOptions at, Path file, Choice choice, String verb, Map<String, String> query) {
        return sendRequest(at, file, "POST", backendPath(choice) + "/" + verb + queryString(query));
    }

    private static int sendRequest(DashboardOptions at, Path file, String method, String path) {
        return at.runWithDashboard(file, (api, out, err) -> {
            DashboardApi.Answer answer = api.sendRequest(method, path, TIMEOUT);
            if (answer.status() != OK && !answer.isPending()) {
                return printRefusal(answer, err);
            }
            ApiObject answered = new ApiObject(answer.body());
            boolean isBackend = answer.body().containsKey("addr");
            out.println(isBackend ? BackendTable.line(answered) : PoolsCommand.traffic(answered));
            return DashboardOptions.appliedCode(answer, out);
        });
    }

    private static String address(Choice choice) {
        return choice.address;
    }

    private static String poolPath(Choice choice) {
        return "/api/v1/pools/" + encode(choice.pool);
    }

    private static String backendPath(Choice choice) {
        return poolPath(choice) + "/backends/" + encode(choice.address);
    }

    private static String queryString(Map<String, String> query) {
        return query.entrySet().stream()
                .map(each -> each.getKey() + "=" + encode(each.getValue()))
                .collect(Collectors.joining("&", "?", ""));
    }

    private static int printRefusal(DashboardApi.Answer answer, PrintWriter err) {
        String detail = answer.detail();
        err.println("lb: " + detail + (detail.contains(CONFIRM_PARAMETER) ? " (with lb: --yes)" : ""));
        return DashboardOptions.exitCode(answer.status());
    }

    private static String encode(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }
}
