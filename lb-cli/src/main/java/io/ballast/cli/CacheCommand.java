package io.ballast.cli;

import io.ballast.cli.api.ApiRequest;
import io.ballast.cli.api.DashboardOptions;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code lb cache}: removes responses from the HTTP caches of a running balancer. */
@Command(
        name = "cache",
        description = "Removes responses from the HTTP caches of a running balancer."
                + " Exit code 0: done; 3: pending in the cluster; 2: refused; 1: no balancer responds.",
        mixinStandardHelpOptions = true)
public final class CacheCommand implements Runnable {

    @Spec
    private CommandSpec spec;

    /** The options that select the responses to remove. */
    static final class Selection {

        @Option(
                names = "--url",
                paramLabel = "URL",
                required = true,
                description = "Remove the responses of this URL; with * at its end, of all URLs with this prefix.")
        private @Nullable String url;

        @Option(
                names = "--tag",
                paramLabel = "TAG",
                required = true,
                description = "Remove the responses that have this word in Cache-Tag or Surrogate-Key.")
        private @Nullable String tag;

        /** Without a selection, the API removes all responses. */
        @Option(names = "--all", required = true, description = "Remove all responses.")
        private boolean all;
    }

    @Command(
            name = "purge",
            description = "Removes the responses of a URL, the responses with a tag, or all responses.",
            mixinStandardHelpOptions = true)
    int purge(
            @ArgGroup(exclusive = true, multiplicity = "1") Selection selection,
            @Option(names = "--policy", paramLabel = "NAME", description = "Only from this cache.") @Nullable String policy,
            @Parameters(
                            index = "0",
                            arity = "0..1",
                            paramLabel = "CONFIG",
                            defaultValue = DashboardOptions.CONFIG,
                            description = DashboardOptions.CONFIG_TEXT)
                    Path file,
            @Mixin DashboardOptions at) {
        ApiRequest request = ApiRequest.post("cache", "purge")
                .with("url", selection.url)
                .with("tag", selection.tag)
                .with("policy", policy)
                .withUser();
        return at.send(file, request, (purged, out) -> out.println("removed: " + purged.text("removed")));
    }

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "no command given");
    }
}
