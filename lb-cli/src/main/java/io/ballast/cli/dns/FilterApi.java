package io.ballast.cli.dns;

import io.ballast.cli.api.ApiObject;
import io.ballast.cli.api.ApiRequest;
import io.ballast.cli.api.DashboardOptions;
import java.nio.file.Path;

/** Sends commands to the filter of a running balancer through its API. */
final class FilterApi {

    private FilterApi() {}

    /** Returns the request that sends a command to the filter. */
    static ApiRequest command(String name) {
        return ApiRequest.post("dns", "filter", name);
    }

    /**
     * Sends the command with the name of the user who runs it.
     *
     * @param done text that is printed on success
     * @return the exit code
     */
    static int send(DashboardOptions dashboard, Path config, ApiRequest command, String done) {
        return dashboard.runWithDashboard(config, (api, out, err) -> {
            ApiObject unused = api.fetch(command.withUser(), "groups");
            out.println(done);
            return 0;
        });
    }
}
