package io.ballast.http.serving;

import io.ballast.core.backend.Backend;
import io.ballast.http.forwarding.ClientAddress;
import io.ballast.http.head.RequestScanner;
import io.ballast.http.header.RouteHeaderEdits;
import io.ballast.http.net.Worker;
import io.ballast.http.policy.BackendRequest;
import io.ballast.http.route.destination.PathRewriter;
import io.ballast.http.route.destination.Route;
import io.ballast.http.route.request.RouteScratch;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import org.jspecify.annotations.Nullable;

/**
 * Composes the head for a backend from the head in the event loop's scanner, with the path rewrite and the header
 * changes of the request's route. Event-loop confined; serves all client connections of the event loop.
 */
public final class RequestComposer {

    private final Worker worker;
    private final RequestScanner request;
    private final RouteScratch routing;
    private final RequestHeadWriter writer = new RequestHeadWriter();

    /**
     * @param request the scanner of the event loop
     * @param routing temporary memory of the event loop
     */
    public RequestComposer(Worker worker, RequestScanner request, RouteScratch routing) {
        this.worker = worker;
        this.request = request;
        this.routing = routing;
    }

    /**
     * Returns a new buffer with the head for {@code backend} and room for {@code bodyBytes} more, owned by the caller.
     *
     * @param context the header changes of the request; its backend is set to {@code backend}
     * @param backend null for a local source, which gets no head
     */
    public ByteBuf compose(
            RequestState state, ClientAddress client, HeaderContext context, @Nullable Backend backend, int bodyBytes) {
        if (backend == null) {
            return worker.allocator().directBuffer(bodyBytes);
        }
        PathRewriter rewrite = state.rewrite();
        if (rewrite != null) {
            request.rewrittenTarget = rewrite.rewrite(request, routing);
        }
        request.upgrade = state.upgrade();
        request.removedHeaders = context.removedRequestHeaders();
        state.body().restrictTrailers(context.edits().request());
        context.setBackend(backend);
        return writer.write(request, client, context.edits(), context, backend, bodyBytes, worker.allocator());
    }

    /**
     * Returns the request as a backend of a route would get it, without its body and without a protocol switch.
     *
     * @return null if the pool has no backend, or the head depends on which of several backends gets it
     */
    public @Nullable BackendRequest compose(Route.ToPool to, ClientAddress client, HeaderContext context) {
        int backends = to.pool().members().size();
        RouteHeaderEdits edits = context.edits();
        boolean namesBackend = !edits.keepsHost() && edits.fixedHost() == null;
        if (backends == 0 || (backends > 1 && namesBackend)) {
            return null;
        }
        PathRewriter rewrite = to.rewrite();
        request.rewrittenTarget = rewrite == null ? null : rewrite.rewrite(request, routing);
        request.upgrade = null;
        Backend any = to.pool().members().get(0).backend();
        context.setBackend(any);
        ByteBuf head =
                writer.write(request, client, context.edits(), context, any, /* bodyBytes= */ 0, worker.allocator());
        byte[] bytes = ByteBufUtil.getBytes(head);
        head.release();
        request.rewrittenTarget = null;
        return new BackendRequest(to.pool(), to.generation(), bytes);
    }
}
