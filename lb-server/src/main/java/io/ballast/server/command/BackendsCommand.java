package io.ballast.server.command;

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

/** {@code lb backends}: lists the backends of a running balancer, takes them out of service, and back, and weighs them. */
@Command(
        name = "backends",
        description = "Lists the backends of a running balancer, takes them out of service, and back, and weighs them."
                + " Exit code 0: done; 2: refused; 1: no balancer answers.",
        mixinStandardHelpOptions = true)
public final class BackendsCommand implements Callable<Integer> {

    private static final Duration TIMEOUT = Duration.ofSeconds(30);
    private static final int OK = 200;

    /** The query parameter of the API that corresponds to the option {@code --yes}. */
    private static final String CONSENT = "confirm=true";

    @Mixin
    private DashboardOptions dashboard = new DashboardOptions();

    @Parameters(
            paramLabel = "CONFIG",
            defaultValue = DashboardOptions.CONFIG,
            description = DashboardOptions.CONFIG_TEXT)
    private Path file = Path.of(DashboardOptions.CONFIG);

    /** Which backend, and why. */
    static class Choice {

        @Parameters(index = "0", paramLabel = "POOL", description = "The backend's pool.")
        private String pool = "";

        @Parameters(index = "1", paramLabel = "ADDRESS", description = "Its address as configured.")
        private String address = "";

        @Option(
                names = "--why",
                paramLabel = "TEXT",
                description = "What the log, the timeline and the page are to say.")
        private String why = "";
    }

    /** Selects the balancer. */
    static final class StateChoice extends Choice {

        @Parameters(
                index = "2",
                arity = "0..1",
                paramLabel = "CONFIG",
                defaultValue = DashboardOptions.CONFIG,
                description = DashboardOptions.CONFIG_TEXT)
        private Path file = Path.of(DashboardOptions.CONFIG);
    }

    /** How much it is to weigh. */
    static final class WeightChoice extends Choice {

        @Parameters(index = "2", paramLabel = "N", description = "0 to 1000, or file for that of the file again.")
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

        @Option(names = "--weight", paramLabel = "N", description = "0 to 1000; 1 for a new one by default.")
        private @Nullable Integer weight;

        @Option(
                names = "--backup",
                paramLabel = "true|false",
                description = "Whether it serves only while no other can.")
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

    /** How long an order is to last. */
    static final class Time {

        @Option(names = "--for", paramLabel = "TIME", description = "Taken back by itself after this, such as 10m.")
        private @Nullable String time;
    }

    /** How long a drain leaves alone what still runs. */
    static final class Deadline {

        @Option(
                names = "--deadline",
                paramLabel = "TIME",
                description = "Tunnels and sessions that still run after this are cut; they may run on by default.")
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
    int drain(
            @Mixin StateChoice choice,
            @Mixin DashboardOptions at,
            @Mixin Time time,
            @Mixin Deadline deadline,
            @Mixin Consent consent) {
        Map<String, String> query = query(choice, time, consent);
        if (deadline.time != null) {
            query.put("deadline", deadline.time);
        }
        return order(at, choice.file, choice, StateOverride.Kind.DRAIN.label(), query);
    }

    @Command(
            name = "down",
            description = "The same for maintenance: its connections are not kept either.",
            mixinStandardHelpOptions = true)
    int down(@Mixin StateChoice choice, @Mixin DashboardOptions at, @Mixin Time time, @Mixin Consent consent) {
        return order(at, choice, StateOverride.Kind.DOWN.label(), time, consent);
    }

    @Command(name = "up", description = "Sends it requests whatever its checks say.", mixinStandardHelpOptions = true)
    int up(@Mixin StateChoice choice, @Mixin DashboardOptions at, @Mixin Time time) {
        return order(at, choice, StateOverride.Kind.UP.label(), time, new Consent());
    }

    @Command(
            name = "weight",
            description = "Has it weigh something else than the file says, through reloads and restarts.",
            mixinStandardHelpOptions = true)
    int weight(@Mixin WeightChoice choice, @Mixin DashboardOptions at, @Mixin Time time, @Mixin Consent consent) {
        Map<String, String> query = query(choice, time, consent);
        query.put("weight", choice.weight);
        return order(at, choice.file, choice, "weight", query);
    }

    @Command(
            name = "enable",
            description = "Takes back what was ordered: checks decide again, and the weight is the file's.",
            mixinStandardHelpOptions = true)
    int enable(@Mixin StateChoice choice, @Mixin DashboardOptions at) {
        return order(at, choice, "enable", new Time(), new Consent());
    }

    @Command(
            name = "add",
            description = "Adds one, beside what the file says, through reloads and restarts.",
            mixinStandardHelpOptions = true)
    int add(@Mixin StateChoice choice, @Mixin DashboardOptions at, @Mixin Settings settings) {
        Map<String, String> query = query(choice, new Time(), new Consent());
        settings.addTo(query);
        query.put("address", address(choice));
        return ask(at, choice.file, "POST", pool(choice) + "/backends" + text(query));
    }

    @Command(
            name = "set",
            description = "Has one be something else than the file or its source says, as long as that says the same.",
            mixinStandardHelpOptions = true)
    int set(@Mixin StateChoice choice, @Mixin DashboardOptions at, @Mixin Settings settings, @Mixin Consent consent) {
        Map<String, String> query = query(choice, new Time(), consent);
        settings.addTo(query);
        return ask(at, choice.file, "PUT", backend(choice) + text(query));
    }

    @Command(
            name = "remove",
            description =
                    "Removes one, as long as the file or its source says the same of it; it finishes what it has.",
            mixinStandardHelpOptions = true)
    int remove(@Mixin StateChoice choice, @Mixin DashboardOptions at, @Mixin Consent consent) {
        return ask(at, choice.file, "DELETE", backend(choice) + text(query(choice, new Time(), consent)));
    }

    @Command(
            name = "reset",
            description = "Takes back what add, set and remove did about one.",
            mixinStandardHelpOptions = true)
    int reset(@Mixin StateChoice choice, @Mixin DashboardOptions at, @Mixin Consent consent) {
        Map<String, String> query = query(choice, new Time(), consent);
        query.put("address", address(choice));
        return ask(at, choice.file, "DELETE", pool(choice) + "/changes" + text(query));
    }

    @Override
    public Integer call() {
        return dashboard.ask(file, (api, out, err) -> {
            DashboardApi.Answer answer = api.ask("GET", "/api/v1/pools", TIMEOUT);
            if (answer.status() != OK) {
                return refused(answer, err);
            }
            new BackendTable(answer.body()).lines().forEach(out::println);
            return 0;
        });
    }

    private static int order(DashboardOptions at, StateChoice choice, String verb, Time time, Consent consent) {
        return order(at, choice.file, choice, verb, query(choice, time, consent));
    }

    private static Map<String, String> query(Choice choice, Time time, Consent consent) {
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
        return query;
    }

    private static int order(DashboardOptions at, Path file, Choice choice, String verb, Map<String, String> query) {
        return ask(at, file, "POST", backend(choice) + "/" + verb + text(query));
    }

    private static int ask(DashboardOptions at, Path file, String method, String path) {
        return at.ask(file, (api, out, err) -> {
            DashboardApi.Answer answer = api.ask(method, path, TIMEOUT);
            if (answer.status() != OK) {
                return refused(answer, err);
            }
            ApiObject answered = new ApiObject(answer.body());
            boolean isBackend = answer.body().containsKey("addr");
            out.println(isBackend ? BackendTable.line(answered) : PoolsCommand.traffic(answered));
            return 0;
        });
    }

    private static String address(Choice choice) {
        return choice.address;
    }

    private static String pool(Choice choice) {
        return "/api/v1/pools/" + encoded(choice.pool);
    }

    private static String backend(Choice choice) {
        return pool(choice) + "/backends/" + encoded(choice.address);
    }

    private static String text(Map<String, String> query) {
        return query.entrySet().stream()
                .map(each -> each.getKey() + "=" + encoded(each.getValue()))
                .collect(Collectors.joining("&", "?", ""));
    }

    private static int refused(DashboardApi.Answer answer, PrintWriter err) {
        String detail = answer.detail();
        err.println("lb: " + detail + (detail.contains(CONSENT) ? " (--yes here)" : ""));
        return DashboardOptions.exitCode(answer.status());
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }
}
