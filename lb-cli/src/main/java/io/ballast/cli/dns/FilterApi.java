package io.ballast.cli.dns;

import io.ballast.cli.api.DashboardApi;
import io.ballast.cli.api.DashboardOptions;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.stream.Collectors;

/** Sends commands to the filter of a running balancer through its API. */
final class FilterApi {

    private static final Duration TIMEOUT = Duration.ofSeconds(30);
    private static final String PATH = "/api/v1/dns/filter/";

    private FilterApi() {}

    /**
     * Sends the command with its author.
     *
     * @param done text that is printed on success
     * @return the exit code
     */
    static int sendCommand(
            DashboardOptions dashboard, Path config, String order, Map<String, String> parameters, String done) {
        String query = parameters.entrySet().stream()
                .map(each -> each.getKey() + "=" + URLEncoder.encode(each.getValue(), StandardCharsets.UTF_8))
                .collect(Collectors.joining("&", "", parameters.isEmpty() ? "" : "&"));
        String who = URLEncoder.encode(System.getProperty("user.name", "lb"), StandardCharsets.UTF_8);
        return dashboard.runWithDashboard(config, (api, out, err) -> {
            DashboardApi.Answer answer = api.sendRequest("POST", PATH + order + "?" + query + "who=" + who, TIMEOUT);
            if (answer.body().get("groups") == null) {
                throw new DashboardOptions.RefusedException(api.url() + ": " + answer.detail(), answer.status());
            }
            out.println(done);
            return 0;
        });
    }
}
