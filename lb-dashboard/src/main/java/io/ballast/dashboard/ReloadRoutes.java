package io.ballast.dashboard;

import io.ballast.core.control.ReloadReport;
import io.ballast.dashboard.json.ReloadJson;
import io.ballast.dashboard.server.Problem;
import io.ballast.dashboard.server.Reply;
import io.ballast.dashboard.server.Request;
import io.ballast.dashboard.server.Router;
import io.netty.handler.codec.http.HttpResponseStatus;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reloads the configuration, and says what became of the last reload. A reload goes on when its client leaves. */
final class ReloadRoutes {

    /** Most that run or wait: each holds a connection, and more than one that waits tells nothing new. */
    static final int MOST_UNDER_WAY = 4;

    private static final Logger LOG = LoggerFactory.getLogger(ReloadRoutes.class);
    private static final String PATH = "/api/v1/reload";
    private static final String WHO = "api";
    private static final String DRY_RUN = "dry_run";

    private final Optional<RecordedReloader> reloader;
    private final AtomicInteger underWay = new AtomicInteger();

    ReloadRoutes(Optional<RecordedReloader> reloader) {
        this.reloader = reloader;
    }

    void addTo(Router router) {
        router.get(PATH, request -> last());
        router.command(PATH, this::reload);
    }

    private Reply last() {
        return reloader.flatMap(RecordedReloader::last)
                .map(last -> Reply.json(ReloadJson.last(last)))
                .orElseThrow(() -> Problem.notFound("there was no reload yet"));
    }

    private Reply reload(Request request) {
        RecordedReloader present = reloader.orElseThrow(() ->
                Problem.of(HttpResponseStatus.NOT_IMPLEMENTED, "the configuration of this process cannot be reloaded"));
        if (request.body().length > 0) {
            throw Problem.badRequest(
                    "body: " + request.body().length + " octets (expected: none; dry_run stands in the query)");
        }
        boolean dryRun = dryRun(request.query());
        if (underWay.incrementAndGet() > MOST_UNDER_WAY) {
            underWay.decrementAndGet();
            throw Problem.of(HttpResponseStatus.SERVICE_UNAVAILABLE, "too many reloads are waiting");
        }
        CompletableFuture<ReloadReport> report;
        try {
            report = present.reload(dryRun, request.caller().name().orElse(WHO));
        } catch (RuntimeException | Error e) {
            underWay.decrementAndGet();
            throw e;
        }
        return new Reply.Later(report.handle((done, failure) -> {
            underWay.decrementAndGet();
            if (failure != null) {
                LOG.error("reload failed", failure);
                return Problem.internal().reply();
            }
            return reply(done);
        }));
    }

    private static Reply.Full reply(ReloadReport report) {
        HttpResponseStatus status = report.outcome() == ReloadReport.Outcome.REFUSED
                ? HttpResponseStatus.UNPROCESSABLE_ENTITY
                : HttpResponseStatus.OK;
        return Reply.of(status, "application/json", ReloadJson.report(report));
    }

    /** Nothing else is understood: what was misspelt must not become a reload. */
    private static boolean dryRun(Map<String, List<String>> query) {
        if (query.isEmpty()) {
            return false;
        }
        if (query.equals(Map.of(DRY_RUN, List.of("true")))) {
            return true;
        }
        if (query.equals(Map.of(DRY_RUN, List.of("false")))) {
            return false;
        }
        throw Problem.badRequest("query: " + query + " (expected: dry_run=true, dry_run=false or none)");
    }
}
