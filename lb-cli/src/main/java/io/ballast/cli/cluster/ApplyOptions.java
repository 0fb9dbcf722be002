package io.ballast.cli.cluster;

import io.ballast.cli.api.ApiObject;
import io.ballast.cli.api.ApiRequest;
import io.ballast.cli.api.DashboardApi;
import io.ballast.core.DurationText;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** A mixin with the options of commands that propose a version. */
final class ApplyOptions {

    /** The time for storing and activating the version, in addition to the time for the answers from the nodes. */
    private static final Duration MARGIN = Duration.ofMinutes(3);

    @Option(
            names = "--note",
            paramLabel = "TEXT",
            description = "A note for lb cluster history, at most 200 characters.")
    private @Nullable String note;

    @Option(
            names = "--wait",
            paramLabel = "TIME",
            defaultValue = "30s",
            description = "How long the nodes have for their answers, 1s to 2m (default: 30s).")
    private String wait = "30s";

    /** Sends a proposal, and prints its result. Returns the exit code. */
    int propose(DashboardApi api, ApiRequest request, PrintWriter out, PrintWriter err) throws IOException {
        Duration time = DurationText.parse(wait);
        ApiObject result = api.fetch(
                request.with("note", note).with("wait", wait).withUser().timeout(time.plus(MARGIN)), "version");
        return SharedVersionText.print(result, out, err);
    }
}
