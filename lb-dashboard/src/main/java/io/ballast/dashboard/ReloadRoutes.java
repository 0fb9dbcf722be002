package io.ballast.dashboard;

import io.ballast.core.control.ReloadReport;
import io.ballast.dashboard.document.ReloadJson;
import io.ballast.dashboard.server.AdminResponse;
import io.ballast.dashboard.server.HttpProblem;
import io.ballast.dashboard.server.Request;
import io.ballast.dashboard.server.Router;
import io.ballast.dashboard.source.RecordingReloader;
import io.netty.handler.codec.http.HttpResponseStatus;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reloads the configuration, and returns the result of the last reload. A reload continues if its client disconnects.
 */
final class ReloadRoutes {

    /**
     * Maximum number of running and waiting reloads. It is small, because each reload occupies a connection, and
     * several waiting reloads have the same result.
     */
    static final int MAX_PENDING = 4;

    private static final Logger LOG = LoggerFactory.getLogger(ReloadRoutes.class);
    private static final String PATH = "/api/v1/reload";
    private static final String DEFAULT_WHO = "api";
    private static final String DRY_RUN = "dry_run";

    private final Optional<RecordingReloader> reloader;
    private final AtomicInteger pending = new AtomicInteger();

    ReloadRoutes(Optional<RecordingReloader> reloader) {
        this.reloader = reloader;
    }

    void addTo(Router router) {
        router.get(PATH, request -> lastReload());
        router.command(PATH, this::reload);
    }

    private AdminResponse lastReload() {
        return reloader.flatMap(RecordingReloader::lastReload)
                .map(last -> AdminResponse.json(ReloadJson.lastReload(last)))
                .orElseThrow(() -> HttpProblem.notFound("the configuration has not been reloaded yet"));
    }

    private AdminResponse reload(Request request) {
        RecordingReloader present = reloader.orElseThrow(() -> HttpProblem.of(
                HttpResponseStatus.NOT_IMPLEMENTED, "the configuration of this process cannot be reloaded"));
        if (request.body().length > 0) {
            throw HttpProblem.badRequest("body: " + request.body().length
                    + " bytes (expected: an empty body; dry_run is a query parameter)");
        }
        boolean dryRun = isDryRun(request.query());
        if (pending.incrementAndGet() > MAX_PENDING) {
            pending.decrementAndGet();
            throw HttpProblem.of(
                    HttpResponseStatus.SERVICE_UNAVAILABLE, "too many reloads are waiting; try again later");
        }
        CompletableFuture<ReloadReport> report;
        try {
            report = present.reload(dryRun, request.caller().name().orElse(DEFAULT_WHO));
        } catch (RuntimeException | Error e) {
            pending.decrementAndGet();
            throw e;
        }
        return new AdminResponse.Async(report.handle((done, failure) -> {
            pending.decrementAndGet();
            if (failure != null) {
                LOG.error("reload failed", failure);
                return HttpProblem.internal().reply();
            }
            return reply(done);
        }));
    }

    private static AdminResponse.Complete reply(ReloadReport report) {
        HttpResponseStatus status = report.outcome() == ReloadReport.Outcome.REFUSED
                ? HttpResponseStatus.UNPROCESSABLE_ENTITY
                : HttpResponseStatus.OK;
        return AdminResponse.of(status, "application/json", ReloadJson.report(report));
    }

    /**
     * Returns whether the query parameters request a dry run. Rejects unknown parameters, so that a misspelt
     * parameter cannot turn a dry run into a reload.
     */
    private static boolean isDryRun(Map<String, List<String>> query) {
        if (query.isEmpty()) {
            return false;
        }
        if (query.equals(Map.of(DRY_RUN, List.of("true")))) {
            return true;
        }
        if (query.equals(Map.of(DRY_RUN, List.of("false")))) {
            return false;
        }
        throw HttpProblem.badRequest("query: " + query + " (expected: dry_run=true, dry_run=false or no query)");
    }
}
