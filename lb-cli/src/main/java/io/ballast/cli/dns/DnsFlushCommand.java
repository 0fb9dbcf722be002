package io.ballast.cli.dns;

import io.ballast.cli.api.DashboardApi;
import io.ballast.cli.api.DashboardOptions;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code lb dns flush}: flushes the DNS cache of a running balancer. */
@Command(
        name = "flush",
        description = "Flushes the DNS cache of a running balancer: all answers, or those of a name or a type."
                + " Exit code 0: done; 2: refused; 1: no balancer responds.",
        mixinStandardHelpOptions = true)
final class DnsFlushCommand implements Callable<Integer> {

    private static final Duration TIMEOUT = Duration.ofSeconds(30);
    private static final String PATH = "/api/v1/dns/cache/flush";

    @Mixin
    private DashboardOptions dashboard = new DashboardOptions();

    @Parameters(
            paramLabel = "CONFIG",
            defaultValue = DashboardOptions.CONFIG,
            description = DashboardOptions.CONFIG_TEXT)
    private Path file = Path.of(DashboardOptions.CONFIG);

    @Option(names = "--name", paramLabel = "NAME", description = "The name (default: all names).")
    private @Nullable String name;

    @Option(names = "--below", description = "Also include all names below the name.")
    private boolean below;

    @Option(names = "--type", description = "Only records of this type, such as AAAA.")
    private @Nullable String type;

    @Override
    public Integer call() {
        return dashboard.runWithDashboard(file, (api, out, err) -> {
            DashboardApi.Answer answer = api.sendRequest("POST", PATH + query(), TIMEOUT);
            Object flushed = answer.body().get("forgotten");
            if (flushed == null) {
                throw new DashboardOptions.RefusedException(api.url() + ": " + answer.detail(), answer.status());
            }
            out.println("forgotten: " + flushed);
            return 0;
        });
    }

    private String query() {
        List<String> parts = new ArrayList<>();
        if (name != null) {
            parts.add("name=" + URLEncoder.encode(name, StandardCharsets.UTF_8));
        }
        if (below) {
            parts.add("below=true");
        }
        if (type != null) {
            parts.add("type=" + URLEncoder.encode(type, StandardCharsets.UTF_8));
        }
        return parts.isEmpty() ? "" : "?" + String.join("&", parts);
    }
}
