package io.ballast.cli.override;

import io.ballast.cli.api.ApiRequest;
import io.ballast.cli.api.ConfigArgument;
import io.ballast.cli.api.DashboardOptions;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code lb overrides}: lists, sets and removes the overrides of external sources. */
@Command(
        name = "overrides",
        description =
                "Lists the overrides that external sources, such as monitoring scripts, have set for backends of a"
                        + " running balancer, and sets or removes one. Exit code 0: done; 3: pending in the"
                        + " cluster; 2: refused; 1: no balancer responds.",
        mixinStandardHelpOptions = true)
public final class OverridesCommand implements Callable<Integer> {

    private static final String PATH = "overrides";

    @Mixin
    private DashboardOptions dashboard = new DashboardOptions();

    @Mixin
    private ConfigArgument config = new ConfigArgument();

    /** The states that a source can set, for the help text and shell completion. */
    enum State {
        up,
        drain,
        down
    }

    /** The arguments that select an override: its backend and its source. */
    static final class Choice {

        @Parameters(index = "0", paramLabel = "POOL", description = "The pool of the backend.")
        private String pool = "";

        @Parameters(index = "1", paramLabel = "ADDRESS", description = "The configured address of the backend.")
        private String address = "";

        @Parameters(
                index = "2",
                arity = "0..1",
                paramLabel = "CONFIG",
                defaultValue = DashboardOptions.CONFIG,
                description = DashboardOptions.CONFIG_TEXT)
        private Path file = Path.of(DashboardOptions.CONFIG);

        @Option(
                names = "--source",
                paramLabel = "NAME",
                description = "The source (default: the token's source, otherwise the token's name, or 'api').")
        private @Nullable String source;
    }

    /** The options that set the content of an override. */
    static final class Content {

        @Option(names = "--state", paramLabel = "STATE", description = "One of ${COMPLETION-CANDIDATES}.")
        private @Nullable State state;

        @Option(names = "--weight", paramLabel = "N", description = "0 to 1000; with 0 the backend gets no traffic.")
        private @Nullable Integer weight;

        @Option(
                names = "--for",
                paramLabel = "TIME",
                description =
                        "Expire after this time, such as 10m (default: 1h, or dashboard.override_max if shorter).")
        private @Nullable String time;

        @Option(
                names = "--why",
                paramLabel = "TEXT",
                description = "The reason, for the log, the timeline and the dashboard.")
        private String why = "";

        @Option(names = "--yes", description = "Apply the override even if the pool is left without a usable backend.")
        private boolean yes;

        private ApiRequest addTo(ApiRequest request) {
            return request.with("state", state)
                    .with("weight", weight)
                    .with("expires", time)
                    .with("reason", why.isEmpty() ? null : why)
                    .withFlag("confirm", yes);
        }
    }

    @Command(
            name = "set",
            description = "Sets or renews the override of a source: its state, its weight or both.",
            mixinStandardHelpOptions = true)
    int set(@Mixin Choice choice, @Mixin Content content, @Mixin DashboardOptions at) {
        return send(at, choice, content.addTo(ApiRequest.put(PATH, choice.pool, choice.address)));
    }

    @Command(
            name = "remove",
            description = "Removes the override of a source before it expires.",
            mixinStandardHelpOptions = true)
    int remove(@Mixin Choice choice, @Mixin DashboardOptions at) {
        return send(at, choice, ApiRequest.delete(PATH, choice.pool, choice.address));
    }

    private static int send(DashboardOptions at, Choice choice, ApiRequest request) {
        return at.send(
                choice.file,
                request.with("source", choice.source),
                (backend, out) -> OverrideTable.ofBackend(backend).forEach(out::println));
    }

    @Override
    public Integer call() {
        return dashboard.send(
                config.file(),
                ApiRequest.get(PATH).with("limit", OverrideTable.MAX),
                (list, out) -> OverrideTable.ofAll(list).forEach(out::println));
    }
}
