package io.ballast.cli.dns;

import io.ballast.cli.api.ApiObject;
import io.ballast.cli.api.ApiRequest;
import io.ballast.cli.api.DashboardApi;
import io.ballast.core.net.Cidr;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;

/** Requests an explanation of DNS answers from a running balancer. */
final class ExplainQuery {

    private static final Duration TIMEOUT = Duration.ofSeconds(10);

    private ExplainQuery() {}

    /**
     * Requests the explanation of the answers to queries for a name.
     *
     * @throws IOException if there is no response, or the response is an error; the message names the API and the
     *     reason
     */
    static ApiObject requestExplanation(DashboardApi api, String name, String type, Optional<Cidr> client)
            throws IOException {
        ApiRequest request = ApiRequest.get("dns", "explain")
                .with("name", name)
                .with("type", type)
                .with("from", client.orElse(null))
                .timeout(TIMEOUT);
        return api.fetch(api.createClient(), request);
    }
}
