package io.ballast.cli.cluster;

import io.ballast.cli.api.ApiObject;
import io.ballast.cli.api.ApiRequest;
import io.ballast.cli.api.DashboardApi;
import io.ballast.cli.api.DashboardOptions;
import io.ballast.cli.terminal.TerminalText;
import java.io.IOException;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code lb cluster diff}: shows the differences between two versions of the configuration. */
@Command(
        name = "diff",
        description = "Shows the differences between the files of two versions of the cluster's configuration, in the"
                + " unified format. Needs the role operator, because files may contain secrets. Exit code 0: done; 2:"
                + " refused; 1: no balancer responds.",
        mixinStandardHelpOptions = true)
final class ClusterDiffCommand implements Callable<Integer> {

    @Mixin
    private DashboardOptions dashboard = new DashboardOptions();

    @Parameters(
            arity = "0..3",
            paramLabel = "FROM|TO|CONFIG",
            description = {
                "The number of the first version (default: the one that was active before the second one).",
                "The number of the second version (default: the active one).",
                "A configuration file with the address of the dashboard, used without --api (default: config.yaml)."
            })
    private String @Nullable [] arguments;

    @Override
    public Integer call() {
        VersionArguments given = VersionArguments.of(arguments);
        return dashboard.runWithDashboard(given.config(), (api, out, err) -> {
            given.requireVersions(2);
            List<Long> versions = given.versions();
            ApiObject history = api.fetch(ApiRequest.get("cluster", "configuration"), "versions");
            long to = versions.size() > 1 ? versions.get(1) : active(history);
            long from = versions.isEmpty() ? before(history, to) : versions.get(0);
            FileDifferences.lines(from, files(api, from), to, files(api, to)).stream()
                    .map(ClusterDiffCommand::sanitize)
                    .forEach(out::println);
            return 0;
        });
    }

    private static long active(ApiObject history) {
        if (history.number("active") == 0) {
            throw new IllegalArgumentException(
                    "no version is active (expected: the numbers of two versions of lb cluster history)");
        }
        return history.number("active");
    }

    private static long before(ApiObject history, long to) {
        return history.objects("versions").stream()
                .filter(version ->
                        version.number("number") < to && version.text("state").equals("superseded"))
                .mapToLong(version -> version.number("number"))
                .max()
                .orElseThrow(() -> new IllegalArgumentException("no version was active before version " + to
                        + " (expected: the numbers of two versions of lb cluster history)"));
    }

    private static SortedMap<String, byte[]> files(DashboardApi api, long version) throws IOException {
        ApiObject found =
                api.fetch(ApiRequest.get("cluster", "configuration", "versions", Long.toString(version)), "files");
        SortedMap<String, byte[]> files = new TreeMap<>();
        for (ApiObject file : found.objects("files")) {
            files.put(file.text("path"), Base64.getDecoder().decode(SharedVersionText.optional(file, "content")));
        }
        return files;
    }

    /** Removes control characters, except for tabs. */
    private static String sanitize(String line) {
        return Arrays.stream(line.split("\t", -1)).map(TerminalText::sanitize).collect(Collectors.joining("\t"));
    }
}
