package io.ballast.dashboard;

import io.ballast.dashboard.document.PolicyJson;
import io.ballast.dashboard.server.AdminResponse;
import io.ballast.dashboard.server.BlockingHandlers;
import io.ballast.dashboard.server.HttpProblem;
import io.ballast.dashboard.server.Request;
import io.ballast.dashboard.server.Router;
import io.ballast.dashboard.source.PolicyStats;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/** Lists policies with the heaviest keys of their limits and their last refusals. */
final class PolicyRoutes {

    private static final int DEFAULT_LIMIT = 100;
    private static final int MAX_LIMIT = 500;
    private static final int MAX_OFFSET = 1_000_000;
    private static final int DEFAULT_ROWS = 10;
    private static final int MAX_ROWS = 50;

    private final Supplier<List<PolicyStats>> policies;
    private final BlockingHandlers blockingHandlers;

    /** @param blockingHandlers reads the tables of limits, which takes some milliseconds for each limit */
    PolicyRoutes(Supplier<List<PolicyStats>> policies, BlockingHandlers blockingHandlers) {
        this.policies = policies;
        this.blockingHandlers = blockingHandlers;
    }

    void addTo(Router router) {
        router.get("/api/v1/policies", blockingHandlers.wrap(this::list));
    }

    private AdminResponse list(Request request) {
        int keys = QueryParameters.number(request, "keys", DEFAULT_ROWS, 0, MAX_ROWS);
        int refusals = QueryParameters.number(request, "refusals", DEFAULT_ROWS, 0, MAX_ROWS);
        int offset = QueryParameters.number(request, "offset", 0, 0, MAX_OFFSET);
        int limit = QueryParameters.number(request, "limit", DEFAULT_LIMIT, 0, MAX_LIMIT);
        Optional<String> name = QueryParameters.text(request, "policy");
        List<PolicyStats> all = policies.get().stream()
                .filter(policy -> name.map(policy.name()::equals).orElse(true))
                .toList();
        if (all.isEmpty() && name.isPresent()) {
            throw HttpProblem.notFound("there is no policy " + name.get());
        }
        List<PolicyStats> page = all.stream().skip(offset).limit(limit).toList();
        return AdminResponse.json(PolicyJson.page(page, all.size(), keys, refusals));
    }
}
