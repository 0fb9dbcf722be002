package io.ballast.http.serving;

import io.ballast.core.config.MaintenancePage;
import io.ballast.core.pool.Pool;
import io.ballast.http.bytes.ByteAppender;
import io.ballast.http.errorpage.ErrorPageTable;
import io.ballast.http.exchange.FailureStatus;
import io.ballast.http.exchange.Listener;
import io.ballast.http.exchange.ListenerCounter;
import io.ballast.http.head.ByteClasses;
import io.ballast.http.head.HeadError;
import io.ballast.http.head.HeaderName;
import io.ballast.http.head.RequestScanner;
import io.ballast.http.head.ResponseScanner;
import io.ballast.http.header.CompiledHeaderChanges;
import io.ballast.http.net.Worker;
import io.ballast.http.policy.DirectResponse;
import io.ballast.http.policy.PolicyAnswer;
import io.ballast.http.policy.PolicyExchange;
import io.ballast.http.policy.Refusal;
import io.ballast.http.relay.Failure;
import io.ballast.http.route.destination.FixedResponse;
import io.ballast.http.route.destination.Redirection;
import io.ballast.http.route.destination.Route;
import io.ballast.http.route.request.RouteScratch;
import io.ballast.http.serving.error.ErrorContent;
import io.ballast.http.serving.error.ErrorResponse;
import io.ballast.http.serving.error.InterceptedLines;
import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Writes, counts and logs the balancer's own responses: fixed responses, redirects and errors. Event-loop confined.
 */
public final class LocalResponses {

    private static final byte[] CONNECTION_CLOSE = ByteClasses.ascii("\r\nConnection: close");
    private static final byte[] CONNECTION_KEEP_ALIVE = ByteClasses.ascii("\r\nConnection: keep-alive");
    private static final byte[] DATE = ByteClasses.ascii("\r\nDate: ");
    private static final int END_OF_LINE = 0x0d0a;
    /** The largest body that is copied into each response; larger bodies are shared. */
    private static final int MAX_COPIED_BYTES = 512;

    private final Worker worker;
    private final Listener listener;
    private final ResponseOutput output;
    private final HeaderContext edits;
    private final ByteAppender lines;
    private final ExchangeRecorder recorder;
    /** The header lines of a backend's response that an error page replaces. */
    private @Nullable ByteAppender keptLines;

    /** @param lines scratch buffer for the header lines that rules add to a response */
    public LocalResponses(
            Worker worker,
            Listener listener,
            ResponseOutput output,
            HeaderContext edits,
            ByteAppender lines,
            ExchangeRecorder recorder) {
        this.worker = worker;
        this.listener = listener;
        this.output = output;
        this.edits = edits;
        this.lines = lines;
        this.recorder = recorder;
    }

    /**
     * Answers a request that is not forwarded to a pool.
     *
     * @param route the matched route
     * @param close whether the connection must close after the response
     * @return whether the connection must close; this method may find more reasons to close it
     */
    public boolean answer(
            Route route, RequestScanner scanned, RouteScratch scratch, RequestState request, boolean close) {
        if (route instanceof Route.Fixed fixed) {
            fixed(fixed.response(), request, close);
            return close;
        }
        if (route instanceof Route.Refused) {
            fault(HeadError.AMBIGUOUS_PATH, request);
            return true;
        }
        if (!(route instanceof Route.Redirect redirect)) {
            boolean ends = close || request.isVersion10(); // HTTP/1.0 needs a header to keep a connection open
            failure(Failure.NO_ROUTE, scanned, request, ends);
            return ends;
        }
        ByteAppender location = redirect.redirection().location(scanned, scratch);
        if (location == null) {
            failure(Failure.BAD_REQUEST, scanned, request, /* close= */ true);
            return true;
        }
        redirect(redirect.redirection(), location, request, close);
        return close;
    }

    private void fixed(FixedResponse response, RequestState request, boolean close) {
        count(response.status());
        request.setStatus(response.status());
        int bodyBytes = request.isHead() ? 0 : response.body().length;
        int copied = bodyBytes > MAX_COPIED_BYTES ? 0 : bodyBytes;
        composeLines();
        ByteBuf out = worker.allocator().directBuffer(response.head().length + 64 + lines.length() + copied);
        out.writeBytes(response.head());
        endHead(out, request, close);
        if (copied == bodyBytes) {
            output.write(out.writeBytes(response.body(), 0, bodyBytes));
        } else {
            output.write(out, response.body());
        }
        recorder.end(/* failure= */ null);
    }

    private void redirect(Redirection redirection, ByteAppender location, RequestState request, boolean close) {
        count(redirection.status());
        request.setStatus(redirection.status());
        composeLines();
        int max = redirection.head().length + location.length() + 128 + lines.length();
        ByteBuf out = worker.allocator().directBuffer(max);
        out.writeBytes(redirection.head())
                .writeBytes(location.bytes(), 0, location.length())
                .writeBytes(DATE);
        endHead(out, request, close);
        output.write(out);
        recorder.end(/* failure= */ null);
    }

    /** Appends the date after {@code "Date: "}, and the remaining header lines. */
    private void endHead(ByteBuf out, RequestState request, boolean close) {
        out.writeBytes(worker.date());
        if (close) {
            out.writeBytes(CONNECTION_CLOSE);
        } else if (request.isVersion10()) {
            out.writeBytes(CONNECTION_KEEP_ALIVE);
        }
        out.writeShort(END_OF_LINE).writeBytes(lines.bytes(), 0, lines.length());
        out.writeShort(END_OF_LINE);
        request.setResponseHeadBytes(out.readableBytes());
    }

    public void fault(HeadError fault, RequestState request) {
        recorder.reason(fault.text);
        fail(Failure.BAD_REQUEST, fault.status, fault.text, /* accept= */ null, request, /* close= */ true);
    }

    /** @param scanned the request's head; its {@code Accept} selects the format of the response; null for none */
    public void failure(Failure failure, @Nullable RequestScanner scanned, RequestState request, boolean close) {
        Optional<MaintenancePage> page = page(failure, request);
        if (page.isPresent()) {
            maintenance(page.get(), request, close);
            return;
        }
        String accept = scanned == null ? null : accept(scanned);
        fail(failure, FailureStatus.of(failure), /* detail= */ null, accept, request, close);
    }

    /**
     * Whether an error page replaces a backend's response with this head. If so, keeps the header lines that the client
     * needs until {@link #intercepted}.
     */
    public boolean intercepts(ResponseScanner response) {
        ErrorPageTable pages = edits.edits().errorPages();
        if (pages == null || !pages.intercepts(response.status)) {
            return false;
        }
        ByteAppender kept = new ByteAppender();
        InterceptedLines.append(response, edits.edits().response(), kept);
        keptLines = kept;
        return true;
    }

    /**
     * Answers with the error page that replaces a backend's response.
     *
     * @param scanned the request's head; null if it is no longer available
     */
    public void intercepted(int status, @Nullable RequestScanner scanned, RequestState request, boolean close) {
        listener.counters().shard(worker.index()).increment(ListenerCounter.RESPONSES_REPLACED);
        composeLines();
        if (keptLines != null) {
            lines.append(keptLines);
            keptLines = null;
        }
        sendError(status, /* detail= */ null, scanned == null ? null : accept(scanned), request, close);
        recorder.end(/* failure= */ null);
    }

    /** Answers a request as a policy has decided. */
    public void policy(PolicyExchange policies, RequestScanner scanned, RequestState request, boolean close) {
        PolicyAnswer answer = policies.answer();
        recorder.answeredLocally(answer.reason());
        if (answer.response() instanceof DirectResponse response) {
            direct(response, request, close);
        } else {
            Refusal refusal = (Refusal) answer.response();
            String detail = refusal.detail().isEmpty() ? null : refusal.detail();
            fail(answer.failure(), refusal.status(), detail, accept(scanned), request, close);
        }
    }

    /**
     * Counts and logs a request that a policy has answered. Used if the caller writes the response itself, for example
     * for gRPC.
     */
    public void recordPolicy(PolicyExchange policies) {
        recorder.answeredLocally(policies.answer().reason());
        recordUnanswered(policies.answer().failure());
    }

    private void direct(DirectResponse response, RequestState request, boolean close) {
        count(response.status());
        request.setStatus(response.status());
        composeLines();
        int bodyBytes = request.isHead() ? 0 : response.body().length;
        ByteBuf out = DirectResponseHead.compose(response, worker.allocator(), lines.length() + bodyBytes);
        endHead(out, request, close);
        output.write(out.writeBytes(response.body(), 0, bodyBytes));
        output.flush();
        recorder.end(/* failure= */ null);
    }

    private static Optional<MaintenancePage> page(Failure failure, RequestState request) {
        Pool pool = request.pool();
        return failure == Failure.MAINTENANCE && pool != null ? pool.config().maintenance() : Optional.empty();
    }

    /** Answers with the maintenance page of a pool. */
    private void maintenance(MaintenancePage page, RequestState request, boolean close) {
        count(Failure.MAINTENANCE);
        count(page.status());
        composeLines();
        ByteBuf head = MaintenanceHead.compose(page, edits.edits().response(), worker.allocator());
        request.setStatus(page.status());
        endHead(head, request, close);
        byte[] body = page.body().bytes();
        if (request.isHead() || body.length == 0 || MaintenanceHead.isBodiless(page)) {
            output.write(head);
        } else {
            output.write(head, body);
        }
        output.flush();
        recorder.end(Failure.MAINTENANCE);
    }

    /** Counts and logs a failure for which no response can be sent. */
    public void recordUnanswered(Failure failure) {
        count(failure);
        recorder.end(failure);
    }

    /** Like {@link #recordUnanswered}, if a request has begun and not ended. */
    public void recordUnansweredIfStarted(Failure failure) {
        if (recorder.isOpen()) {
            recordUnanswered(failure);
        }
    }

    private void fail(
            Failure failure,
            int status,
            @Nullable String detail,
            @Nullable String accept,
            RequestState request,
            boolean close) {
        count(failure);
        composeLines();
        sendError(status, detail, accept, request, close);
        recorder.end(failure);
    }

    /** Sends the error page for a status, with the header lines in {@link #lines}. */
    private void sendError(
            int status, @Nullable String detail, @Nullable String accept, RequestState request, boolean close) {
        String id = edits.id().asText();
        ErrorContent content = ErrorContent.of(edits.edits().errorPages(), status, detail, accept, id, edits.traceId());
        count(content.status());
        byte[] body = content.body();
        int bodyBytes = request.isHead() ? 0 : body.length;
        int copied = content.shared() && bodyBytes > MAX_COPIED_BYTES ? 0 : bodyBytes;
        ByteBuf out = new ErrorResponse(edits.idHeader(), id, edits.edits().response(), lines)
                .head(content, worker.date(), close, copied, worker.allocator());
        request.setStatus(content.status());
        request.setHiddenStatus(status);
        request.setResponseHeadBytes(out.readableBytes());
        if (copied == bodyBytes) {
            output.write(out.writeBytes(body, 0, bodyBytes));
        } else {
            output.write(out, body);
        }
        output.flush();
    }

    /** Composes the header lines that the rules add to every response. */
    private void composeLines() {
        lines.clear();
        CompiledHeaderChanges response = edits.edits().response();
        if (response.appendsAny()) {
            response.append(edits, lines);
            DefaultHeaderLines.append(edits.defaultLines(), lines);
        }
    }

    private void count(Failure failure) {
        listener.failures().shard(worker.index()).increment(failure);
    }

    private void count(int status) {
        listener.counters().shard(worker.index()).increment(ListenerCounter.ofStatus(status));
    }

    private static @Nullable String accept(RequestScanner request) {
        for (int i = 0; i < request.count; i++) {
            if (request.names[i] == HeaderName.ACCEPT) {
                int length = request.valueEnd[i] - request.valueStart[i];
                return new String(request.bytes, request.valueStart[i], length, StandardCharsets.ISO_8859_1);
            }
        }
        return null;
    }
}
