package io.ballast.cli.pool;

import io.ballast.cli.api.ApiObject;
import io.ballast.cli.api.ApiRequest;
import io.ballast.cli.api.DashboardOptions;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code lb pools}: starts or ends the maintenance of whole pools of a running balancer. */
@Command(
        name = "pools",
        description = "Turns maintenance of whole pools of a running balancer on or off."
                + " Exit code 0: done; 3: pending in the cluster; 2: refused; 1: no balancer responds.",
        mixinStandardHelpOptions = true)
public final class PoolsCommand implements Runnable {

    @Spec
    private CommandSpec spec;

    /** Whether maintenance starts or ends. */
    enum Switch {
        on,
        off
    }

    /** The arguments that select a pool and give the reason for the command. */
    static final class Choice {

        @Parameters(index = "0", paramLabel = "POOL", description = "The name of the pool.")
        private String pool = "";

        @Parameters(index = "1", paramLabel = "on|off", description = "Whether the pool is under maintenance.")
        private Switch to = Switch.off;

        @Parameters(
                index = "2",
                arity = "0..1",
                paramLabel = "CONFIG",
                defaultValue = DashboardOptions.CONFIG,
                description = DashboardOptions.CONFIG_TEXT)
        private Path file = Path.of(DashboardOptions.CONFIG);

        @Option(names = "--why", paramLabel = "TEXT", description = "The reason, for the log and the timeline.")
        private @Nullable String why;

        @Option(
                names = "--for",
                paramLabel = "TIME",
                description = "Expire after this time, such as 10m (default: never).")
        private @Nullable String time;
    }

    @Command(
            name = "maintenance",
            description =
                    "Answers requests to the pool with the maintenance page, and DNS queries as if all its backends were down.",
            mixinStandardHelpOptions = true)
    int maintenance(@Mixin Choice choice, @Mixin DashboardOptions at) {
        ApiRequest request = ApiRequest.post("pools", choice.pool, choice.to == Switch.on ? "maintenance" : "serve")
                .withUser()
                .with("why", choice.why)
                .with("until", choice.time);
        return at.send(choice.file, request, (pool, out) -> out.println(line(pool)));
    }

    /** Describes a pool under maintenance, for example "web: under maintenance by ann". */
    private static String line(ApiObject pool) {
        ApiObject maintenance = pool.object("maintenance");
        return maintenance.fields().isEmpty()
                ? traffic(pool)
                : pool.text("name") + ": under maintenance by " + maintenance.text("who");
    }

    /** Describes how many backends of a pool are usable, such as "web: 2 of 3 take traffic". */
    static String traffic(ApiObject pool) {
        return pool.text("name") + ": " + pool.text("usable_count") + " of " + pool.text("backend_count")
                + " take traffic";
    }

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "no command given");
    }
}
