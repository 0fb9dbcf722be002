package io.ballast.dashboard;

import io.ballast.core.health.explain.BackendExplanation;
import io.ballast.dashboard.document.ExplanationJson;
import io.ballast.dashboard.server.AdminResponse;
import io.ballast.dashboard.server.HttpProblem;
import io.ballast.dashboard.server.Request;
import io.ballast.dashboard.server.Router;
import io.ballast.dashboard.source.BackendExplanations;
import io.netty.handler.codec.http.HttpResponseStatus;
import java.util.Optional;

/** Explains the state and the weight of a backend. */
final class ExplainRoute {

    private final Optional<BackendExplanations> explanations;
    private final AsyncResponses responses;

    ExplainRoute(Optional<BackendExplanations> explanations, AsyncResponses responses) {
        this.explanations = explanations;
        this.responses = responses;
    }

    void addTo(Router router) {
        router.get("/api/v1/backends/{pool}/{backend}/explain", this::explain);
    }

    private AdminResponse explain(Request request) {
        BackendExplanations source = explanations.orElseThrow(
                () -> HttpProblem.of(HttpResponseStatus.NOT_IMPLEMENTED, "this process cannot explain backends"));
        return responses.respondWhenComplete(
                source.explain(request.parameter("pool"), request.parameter("backend")),
                request,
                found -> reply(request.parameter("pool"), request.parameter("backend"), found));
    }

    private static AdminResponse.Complete reply(String pool, String backend, Optional<BackendExplanation> found) {
        return found.map(explained -> AdminResponse.json(ExplanationJson.of(pool, backend, explained)))
                .orElseThrow(() -> HttpProblem.notFound("there is no backend " + pool + "/" + backend));
    }
}
