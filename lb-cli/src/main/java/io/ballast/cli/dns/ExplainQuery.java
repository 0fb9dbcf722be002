package io.ballast.cli.dns;

import io.ballast.cli.api.DashboardApi;
import io.ballast.core.net.Cidr;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/** Asks a running balancer for an explanation. */
final class ExplainQuery {

    private static final Duration TIMEOUT = Duration.ofSeconds(10);
    private static final String PATH = "/api/v1/dns/explain";

    private ExplainQuery() {}

    /**
     * Requests an explanation.
     *
     * @throws IOException if there is no response, or an error; the message names the API and the reason
     */
    static Map<String, Object> requestExplanation(DashboardApi api, String name, String type, Optional<Cidr> client)
            throws IOException {
        String query = "?name=" + encode(name) + "&type=" + encode(type)
                + client.map(network -> "&from=" + encode(network.toString())).orElse("");
        DashboardApi.Answer answer = api.sendRequest("GET", PATH + query, TIMEOUT);
        if (answer.status() != 200) {
            throw new IOException(api.url() + ": " + answer.detail());
        }
        return answer.body();
    }

    private static String encode(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }
}
