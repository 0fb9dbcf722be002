package io.ballast.cli.override;

import io.ballast.cli.api.ApiObject;
import io.ballast.cli.api.DashboardApi;
import io.ballast.cli.api.DashboardOptions;
import io.ballast.cli.api.UrlQuery;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
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
                        + " running balancer, and sets or removes one. Exit code 0: done; 2: refused; 1: no balancer"
                        + " responds.",
        mixinStandardHelpOptions = true)
public final class OverridesCommand implements Callable<Integer> {

    private static final Duration TIMEOUT = Duration.ofSeconds(30);
    private static final int OK = 200;
    private static final String PATH = "/api/v1/overrides";

    /** The query parameter of the API that corresponds to the option {@code --yes}. */
    private static final String CONFIRM_PARAMETER = "confirm=true";

    @Mixin
    private DashboardOptions dashboard = new DashboardOptions();

    @Parameters(
            paramLabel = "CONFIG",
            defaultValue = DashboardOptions.CONFIG,
            description = DashboardOptions.CONFIG_TEXT)
    private Path file = Path.of(DashboardOptions.CONFIG);

    /** The states that a source can set, for the help and the completion. */
    enum State {
        up,
        drain,
        down
    }

    /** The backend and the source of an override. */
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
                description = "The source (default: that of the token, otherwise the name of the token, or 'api').")
        private @Nullable String source;

        private String path() {
            return PATH + "/" + UrlQuery.encode(pool) + "/" + UrlQuery.encode(address);
        }

        private Map<String, String> query() {
            Map<String, String> query = new LinkedHashMap<>();
            if (source != null) {
                query.put("source", source);
            }
            return query;
        }
    }

    /** The content of an override. */
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

        private void addTo(Map<String, String> query) {
            if (state != null) {
                query.put("state", state.name());
            }
            if (weight != null) {
                query.put("weight", weight.toString());
            }
            if (time != null) {
                query.put("expires", time);
            }
            if (!why.isEmpty()) {
                query.put("reason", why);
            }
            if (yes) {
                query.put("confirm", "true");
            }
        }
    }

    @Command(
            name = "set",
            description = "Sets or renews the override of a source: its state, its weight or both.",
            mixinStandardHelpOptions = true)
    int set(@Mixin Choice choice, @Mixin Content content, @Mixin DashboardOptions at) {
        Map<String, String> query = choice.query();
        content.addTo(query);
        return send(at, choice, "PUT", query);
    }

    @Command(
            name = "remove",
            description = "Removes the override of a source before it expires.",
            mixinStandardHelpOptions = true)
    int remove(@Mixin Choice choice, @Mixin DashboardOptions at) {
        return send(at, choice, "DELETE", choice.query());
    }

    private static int send(DashboardOptions at, Choice choice, String method, Map<String, String> query) {
        return at.runWithDashboard(choice.file, (api, out, err) -> {
            DashboardApi.Answer answer = api.sendRequest(method, choice.path() + UrlQuery.of(query), TIMEOUT);
            if (answer.status() != OK) {
                String detail = answer.detail();
                err.println("lb: " + detail + (detail.contains(CONFIRM_PARAMETER) ? " (with lb: --yes)" : ""));
                return DashboardOptions.exitCode(answer.status());
            }
            OverrideTable.ofBackend(new ApiObject(answer.body())).forEach(out::println);
            return 0;
        });
    }

    @Override
    public Integer call() {
        return dashboard.runWithDashboard(file, (api, out, err) -> {
            DashboardApi.Answer answer = api.sendRequest("GET", PATH + "?limit=" + OverrideTable.MAX, TIMEOUT);
            if (answer.status() != OK) {
                err.println("lb: " + answer.detail());
                return DashboardOptions.exitCode(answer.status());
            }
            OverrideTable.ofAll(new ApiObject(answer.body())).forEach(out::println);
            return 0;
        });
    }
}
