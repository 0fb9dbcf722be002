package io.ballast.cli.pool;

import io.ballast.cli.api.ApiRequest;
import io.ballast.cli.api.ConfigArgument;
import io.ballast.cli.api.DashboardOptions;
import io.ballast.core.backend.StateOverride;
import java.nio.file.Path;
import java.util.concurrent.Callable;
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

    @Mixin
    private DashboardOptions dashboard = new DashboardOptions();

    @Mixin
    private ConfigArgument config = new ConfigArgument();

    /** The command-line arguments that select a backend and give the reason for the command. */
    static class Choice {

        @Parameters(index = "0", paramLabel = "POOL", description = "The pool of the backend.")
        String pool = "";

        @Parameters(index = "1", paramLabel = "ADDRESS", description = "The configured address of the backend.")
        String address = "";

        @Option(
                names = "--why",
                paramLabel = "TEXT",
                description = "The reason, for the log, the timeline and the dashboard.")
        private @Nullable String why;

        /** Returns the request that POSTs {@code verb} to the backend. */
        ApiRequest post(String verb) {
            return describe(ApiRequest.post("pools", pool, "backends", address, verb));
        }

        ApiRequest describe(ApiRequest request) {
            return request.withUser().with("why", why);
        }
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

    /** The arguments that set the weight of a backend. */
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

    /** The options for the settings of a backend. */
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

        ApiRequest addTo(ApiRequest request) {
            return request.with("weight", weight).with("backup", backup);
        }
    }

    /** The option for the duration of an override. */
    static final class Time {

        @Option(
                names = "--for",
                paramLabel = "TIME",
                description = "Expire after this time, such as 10m (default: never).")
        private @Nullable String time;

        ApiRequest addTo(ApiRequest request) {
            return request.with("until", time);
        }
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

        ApiRequest addTo(ApiRequest request) {
            return request.withFlag("confirm", yes);
        }
    }

    @Command(
            name = "drain",
            description = "Drains a backend: it finishes its requests and receives no new ones.",
            mixinStandardHelpOptions = true)
    int drain(
            @Mixin StateChoice choice,
            @Mixin Time time,
            @Mixin Deadline deadline,
            @Mixin ConfirmOption confirm,
            @Mixin DashboardOptions at) {
        ApiRequest request = choice.post(StateOverride.Kind.DRAIN.label()).with("deadline", deadline.time);
        return send(at, choice.file, confirm.addTo(time.addTo(request)));
    }

    @Command(
            name = "down",
            description = "Takes a backend out for maintenance: like drain, and closes idle connections.",
            mixinStandardHelpOptions = true)
    int down(@Mixin StateChoice choice, @Mixin Time time, @Mixin ConfirmOption confirm, @Mixin DashboardOptions at) {
        return send(at, choice.file, confirm.addTo(time.addTo(choice.post(StateOverride.Kind.DOWN.label()))));
    }

    @Command(
            name = "up",
            description = "Marks a backend as up, regardless of its health checks.",
            mixinStandardHelpOptions = true)
    int up(@Mixin StateChoice choice, @Mixin Time time, @Mixin DashboardOptions at) {
        return send(at, choice.file, time.addTo(choice.post(StateOverride.Kind.UP.label())));
    }

    @Command(
            name = "weight",
            description = "Overrides the weight of a backend; the override survives reloads and restarts.",
            mixinStandardHelpOptions = true)
    int weight(@Mixin WeightChoice choice, @Mixin Time time, @Mixin ConfirmOption confirm, @Mixin DashboardOptions at) {
        ApiRequest request = choice.post("weight").with("weight", choice.weight);
        return send(at, choice.file, confirm.addTo(time.addTo(request)));
    }

    @Command(
            name = "enable",
            description = "Removes the overrides of a backend: health checks and the file apply again.",
            mixinStandardHelpOptions = true)
    int enable(@Mixin StateChoice choice, @Mixin DashboardOptions at) {
        return send(at, choice.file, choice.post("enable"));
    }

    @Command(
            name = "add",
            description = "Adds a backend that is not in the file; it survives reloads and restarts.",
            mixinStandardHelpOptions = true)
    int add(@Mixin StateChoice choice, @Mixin Settings settings, @Mixin DashboardOptions at) {
        ApiRequest request = ApiRequest.post("pools", choice.pool, "backends").with("address", choice.address);
        return send(at, choice.file, settings.addTo(choice.describe(request)));
    }

    @Command(
            name = "set",
            description =
                    "Overrides the weight or backup setting of a backend until the file or its discovery source changes it.",
            mixinStandardHelpOptions = true)
    int set(
            @Mixin StateChoice choice,
            @Mixin Settings settings,
            @Mixin ConfirmOption confirm,
            @Mixin DashboardOptions at) {
        ApiRequest request = ApiRequest.put("pools", choice.pool, "backends", choice.address);
        return send(at, choice.file, confirm.addTo(settings.addTo(choice.describe(request))));
    }

    @Command(
            name = "remove",
            description =
                    "Removes a backend until the file or its discovery source changes it. Requests in flight finish.",
            mixinStandardHelpOptions = true)
    int remove(@Mixin StateChoice choice, @Mixin ConfirmOption confirm, @Mixin DashboardOptions at) {
        ApiRequest request = ApiRequest.delete("pools", choice.pool, "backends", choice.address);
        return send(at, choice.file, confirm.addTo(choice.describe(request)));
    }

    @Command(
            name = "reset",
            description = "Reverts add, set and remove for a backend.",
            mixinStandardHelpOptions = true)
    int reset(@Mixin StateChoice choice, @Mixin ConfirmOption confirm, @Mixin DashboardOptions at) {
        ApiRequest request = ApiRequest.delete("pools", choice.pool, "changes").with("address", choice.address);
        return send(at, choice.file, confirm.addTo(choice.describe(request)));
    }

    @Override
    public Integer call() {
        return dashboard.send(
                config.file(),
                ApiRequest.get("pools"),
                (pools, out) -> new BackendTable(pools).lines().forEach(out::println));
    }

    /** Sends the request, and prints the changed backend, or the pool if it no longer contains the backend. */
    private static int send(DashboardOptions at, Path file, ApiRequest request) {
        return at.send(
                file,
                request,
                (changed, out) -> out.println(
                        changed.fields().containsKey("addr")
                                ? BackendTable.line(changed)
                                : PoolsCommand.traffic(changed)));
    }
}
