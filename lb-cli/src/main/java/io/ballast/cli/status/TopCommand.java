package io.ballast.cli.status;

import io.ballast.cli.api.ApiRequest;
import io.ballast.cli.api.ConfigArgument;
import io.ballast.cli.api.DashboardApi;
import io.ballast.cli.api.DashboardOptions;
import io.ballast.cli.terminal.LiveView;
import io.ballast.cli.terminal.Terminal;
import io.ballast.core.DurationText;
import io.ballast.core.ErrorText;
import java.io.IOException;
import java.net.http.HttpClient;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code lb top}: shows a live table of the backends of a running balancer. */
@Command(
        name = "top",
        description =
                "Shows a live table of the backends of a running balancer: those out of service first, then by requests per"
                        + " second. Press q to quit. If the output is not a terminal, one table is printed."
                        + " Exit code 0: done; 2: refused; 1: no balancer responds.",
        mixinStandardHelpOptions = true)
public final class TopCommand implements Callable<Integer> {

    private static final Duration MIN_INTERVAL = Duration.ofMillis(200);
    private static final Duration MAX_INTERVAL = Duration.ofMinutes(1);

    @Spec
    private CommandSpec spec;

    @Mixin
    private DashboardOptions dashboard = new DashboardOptions();

    @Mixin
    private ConfigArgument config = new ConfigArgument();

    @Option(names = "--interval", paramLabel = "TIME", description = "The time between updates (default: 1s).")
    private String interval = "1s";

    @Option(names = "--once", description = "Print one table and quit.")
    private boolean once;

    @Override
    public Integer call() {
        Duration pace = parseInterval();
        return dashboard.runWithDashboard(config.file(), (api, out, err) -> {
            HttpClient connection = api.createClient();
            LiveView.Lines lines = () -> fetchLines(api, connection);
            Optional<Terminal> terminal = once ? Optional.empty() : Terminal.open();
            if (terminal.isEmpty()) {
                lines.read().forEach(out::println);
                return 0;
            }
            try (Terminal open = terminal.get()) {
                new LiveView(open, pace, out).run(lines);
            }
            return 0;
        });
    }

    private static List<String> fetchLines(DashboardApi api, HttpClient connection) throws IOException {
        return new TopTable(api.fetch(connection, ApiRequest.get("pools"))).lines();
    }

    private Duration parseInterval() {
        try {
            Duration pace = DurationText.parse(interval);
            if (pace.compareTo(MIN_INTERVAL) >= 0 && pace.compareTo(MAX_INTERVAL) <= 0) {
                return pace;
            }
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), "--interval: " + ErrorText.of(e), e);
        }
        throw new ParameterException(spec.commandLine(), "--interval: " + interval + " (expected: 200ms to 1m)");
    }
}
