package io.ballast.cli.cluster;

import io.ballast.cli.api.ApiRequest;
import io.ballast.cli.api.DashboardApi;
import io.ballast.cli.api.DashboardOptions;
import io.ballast.config.load.BundleCollector;
import io.ballast.config.load.ConfigException;
import io.ballast.config.shared.ConfigurationBundle;
import io.ballast.core.ErrorText;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.http.HttpClient;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Base64;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code lb cluster apply}: gives all nodes of a cluster the same configuration. */
@Command(
        name = "apply",
        description = "Gives all nodes of a cluster the configuration in a file, with the files that it includes or"
                + " references by relative paths, if all connected nodes accept it. Keys and certificates stay on the"
                + " nodes, and ${VARIABLES} are replaced on each node. Exit code 0: the connected nodes use it; 3: it is"
                + " active, but a node does not use it yet; 1: a node has refused it, or no balancer responds; 2: the"
                + " file or the request is not valid.",
        mixinStandardHelpOptions = true)
final class ClusterApplyCommand implements Callable<Integer> {

    /**
     * The number of bytes of the configuration in one request. Encoded in Base64, they fit in the 16 KiB that the API
     * accepts.
     */
    private static final int PART_BYTES = 11_000;

    @Spec
    private @Nullable CommandSpec spec;

    @Mixin
    private DashboardOptions dashboard = new DashboardOptions();

    @Mixin
    private ApplyOptions options = new ApplyOptions();

    @Parameters(index = "0", paramLabel = "FILE", description = "The configuration file.")
    private Path file = Path.of(DashboardOptions.CONFIG);

    @Parameters(
            index = "1",
            arity = "0..1",
            paramLabel = "CONFIG",
            description =
                    "The configuration file with the address of the dashboard, used without --api (default: FILE).")
    private @Nullable Path config;

    @Override
    public Integer call() {
        PrintWriter err = Objects.requireNonNull(spec).commandLine().getErr();
        BundleCollector.Result collected = BundleCollector.collect(file, System::getenv);
        ConfigurationBundle bundle = collected.bundle();
        if (bundle == null) {
            collected.errors().forEach(err::println);
            err.flush();
            return ConfigException.EXIT_CODE;
        }
        byte[] compressed;
        try {
            compressed = bundle.compress();
        } catch (IllegalArgumentException e) {
            err.println(file + ": " + ErrorText.of(e));
            err.flush();
            return ConfigException.EXIT_CODE;
        }
        return dashboard.runWithDashboard(config == null ? file : config, (api, out, errors) -> {
            String sha256 = ConfigurationBundle.sha256(compressed);
            upload(api, sha256, compressed);
            ApiRequest request = ApiRequest.post("cluster", "configuration").with("upload", sha256);
            return options.propose(api, request, out, errors);
        });
    }

    private static void upload(DashboardApi api, String sha256, byte[] compressed) throws IOException {
        HttpClient connection = api.createClient();
        for (int start = 0; start < compressed.length; start += PART_BYTES) {
            byte[] part = Arrays.copyOfRange(compressed, start, Math.min(compressed.length, start + PART_BYTES));
            ApiRequest request = ApiRequest.put("cluster", "configuration", "uploads", sha256)
                    .with("offset", start)
                    .json("{\"data\": \"" + Base64.getEncoder().encodeToString(part) + "\"}");
            api.fetch(connection, request);
        }
    }
}
