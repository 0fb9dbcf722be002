package io.ballast.dashboard;

import io.ballast.dashboard.document.OrderedJson;
import io.ballast.dashboard.server.AdminResponse;
import io.ballast.dashboard.server.Request;
import io.ballast.dashboard.server.Router;
import io.ballast.dashboard.source.OrderedCertificate;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/** Lists the certificates that are ordered by ACME. */
final class CertificateListRoute {

    private static final int DEFAULT_LIMIT = 100;
    private static final int MAX_LIMIT = 500;
    private static final int MAX_OFFSET = 1_000_000;

    private final Supplier<List<OrderedCertificate>> configured;
    private final Supplier<List<OrderedCertificate>> onDemand;

    private final Supplier<Optional<String>> orderingNode;

    /**
     * @param onDemand the certificates that were ordered because clients requested their names; a bounded number
     * @param orderingNode returns the node that orders for all nodes of a cluster, if there is one
     */
    CertificateListRoute(
            Supplier<List<OrderedCertificate>> configured,
            Supplier<List<OrderedCertificate>> onDemand,
            Supplier<Optional<String>> orderingNode) {
        this.configured = configured;
        this.onDemand = onDemand;
        this.orderingNode = orderingNode;
    }

    void addTo(Router router) {
        router.get("/api/v1/certificates/ordered", this::list);
    }

    private AdminResponse list(Request request) {
        int offset = QueryParameters.number(request, "offset", 0, 0, MAX_OFFSET);
        int limit = QueryParameters.number(request, "limit", DEFAULT_LIMIT, 0, MAX_LIMIT);
        return AdminResponse.json(
                OrderedJson.page(configured.get(), onDemand.get(), orderingNode.get(), offset, limit));
    }
}
