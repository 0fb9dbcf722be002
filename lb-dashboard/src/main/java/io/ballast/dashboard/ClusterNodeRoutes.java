package io.ballast.dashboard;

import io.ballast.core.ErrorText;
import io.ballast.dashboard.json.JsonWriter;
import io.ballast.dashboard.server.AdminResponse;
import io.ballast.dashboard.server.BlockingHandlers;
import io.ballast.dashboard.server.HttpProblem;
import io.ballast.dashboard.server.Request;
import io.ballast.dashboard.server.Router;
import io.ballast.dashboard.source.ClusterNodes;
import io.netty.handler.codec.http.HttpResponseStatus;
import java.util.NoSuchElementException;
import java.util.regex.Pattern;

/** Removes nodes of the cluster that will not return. */
final class ClusterNodeRoutes {

    private static final Pattern NODE = Pattern.compile("[A-Za-z0-9.-]{1,63}");

    private final ClusterNodes nodes;
    private final BlockingHandlers blockingHandlers;

    ClusterNodeRoutes(ClusterNodes nodes, BlockingHandlers blockingHandlers) {
        this.nodes = nodes;
        this.blockingHandlers = blockingHandlers;
    }

    void addTo(Router router) {
        router.delete("/api/v1/cluster/nodes/{node}", blockingHandlers.wrap(this::forget));
    }

    private AdminResponse forget(Request request) {
        String node = request.parameter("node");
        if (!NODE.matcher(node).matches()) {
            throw HttpProblem.badRequest("node: " + node.length() + " characters (expected: the name of a node)");
        }
        try {
            boolean isCommitted = nodes.forget(node, OverrideParameters.who(request));
            AdminResponse.Complete reply =
                    AdminResponse.json(JsonWriter.write(json -> json.object(() -> json.field("forgotten", node))));
            return isCommitted ? reply : reply.withStatus(HttpResponseStatus.ACCEPTED);
        } catch (NoSuchElementException e) {
            throw HttpProblem.notFound(ErrorText.of(e));
        } catch (IllegalStateException e) {
            throw HttpProblem.of(HttpResponseStatus.CONFLICT, ErrorText.of(e));
        } catch (IllegalArgumentException e) {
            throw HttpProblem.badRequest(ErrorText.of(e));
        }
    }
}
