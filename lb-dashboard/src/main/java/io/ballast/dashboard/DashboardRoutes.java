package io.ballast.dashboard;

import io.ballast.dashboard.access.Access;
import io.ballast.dashboard.access.LoginRoutes;
import io.ballast.dashboard.document.ClusterJson;
import io.ballast.dashboard.document.ClusterSumsJson;
import io.ballast.dashboard.document.StatsJson;
import io.ballast.dashboard.live.BackendSeries;
import io.ballast.dashboard.live.LiveStats;
import io.ballast.dashboard.live.PoolSeries;
import io.ballast.dashboard.metrics.LazyMetrics;
import io.ballast.dashboard.process.ProcessReading;
import io.ballast.dashboard.server.AdminResponse;
import io.ballast.dashboard.server.BlockingHandlers;
import io.ballast.dashboard.server.Handler;
import io.ballast.dashboard.server.HttpProblem;
import io.ballast.dashboard.server.Request;
import io.ballast.dashboard.server.Router;
import io.ballast.dashboard.source.ClusterStats;
import io.ballast.dashboard.source.ClusterSums;
import io.ballast.dashboard.source.DashboardSources;
import io.ballast.dashboard.source.Readiness;
import io.ballast.dashboard.stream.StreamHub;
import io.ballast.dashboard.web.Assets;
import io.netty.handler.codec.http.DefaultHttpHeaders;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpResponseStatus;
import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.function.Supplier;

/** The routes of the dashboard. */
final class DashboardRoutes {

    private static final long NO_EVENT = -1;
    private static final Duration MAX_REVOCATION = Duration.ofSeconds(50);

    private final DashboardSources sources;
    private final LiveStats live;
    private final StreamHub stream;
    private final LazyMetrics metrics;
    private final BlockingHandlers blockingHandlers;
    private final Access access;
    private final Executor loop;
    private final Supplier<Duration> overrideMax;

    /**
     * @param loop the dashboard's event loop
     * @param overrideMax the longest time until an external override expires
     */
    DashboardRoutes(
            DashboardSources sources,
            LiveStats live,
            StreamHub stream,
            LazyMetrics metrics,
            BlockingHandlers blockingHandlers,
            Access access,
            Executor loop,
            Supplier<Duration> overrideMax) {
        this.overrideMax = overrideMax;
        this.blockingHandlers = blockingHandlers;
        this.access = access;
        this.loop = loop;
        this.sources = sources;
        this.live = live;
        this.stream = stream;
        this.metrics = metrics;
    }

    /** Returns the public routes of the endpoint for probes. */
    Router probeRouter() {
        return addProbes(new Router()).getPublic("/metrics", metrics::scrape);
    }

    private Router addProbes(Router router) {
        return router.getPublic("/healthz", request -> health()).getPublic("/readyz", request -> readiness());
    }

    Router router() {
        Router router = new Router();
        Handler stats = request -> AdminResponse.json(StatsJson.stats(
                live,
                sources.cluster().get(),
                ProcessReading.now(),
                sources.version(),
                sources.control().clock().instant()));
        router.get("/stats", withActiveConfig(inScope(stats)));
        router.get("/api/v1/stats", withActiveConfig(inScope(stats)));
        router.get("/api/v1/cluster/stats", request -> clusterSums());
        router.get("/api/v1/pools", withActiveConfig(request -> AdminResponse.json(StatsJson.pools(live))));
        router.get(
                "/api/v1/pools/{pool}", withActiveConfig(request -> AdminResponse.json(StatsJson.pool(pool(request)))));
        router.get("/api/v1/pools/{pool}/backends/{backend}", this::backendReply);
        router.get("/api/v1/events", this::events);
        router.get(
                "/api/v1/health",
                withActiveConfig(request -> AdminResponse.json(
                        StatsJson.health(live, sources.readiness().get()))));
        router.get("/api/v1/stream", this::stream);
        addProbes(router).get("/metrics", metrics::scrape);
        new LoginRoutes(access).addTo(router);
        new DnsFilterRoutes(sources.dnsServices(), blockingHandlers).addTo(router);
        new ForwardingRoutes(sources.forwarding(), live, blockingHandlers).addTo(router);
        new DnsRoutes(sources.dnsServices(), sources.dns(), sources.topology(), blockingHandlers).addTo(router);
        new PolicyRoutes(sources.policies(), blockingHandlers).addTo(router);
        new HttpCacheRoutes(sources.caches(), blockingHandlers).addTo(router);
        new ReloadRoutes(sources.reloader()).addTo(router);
        new ConfigRoutes(sources.configuration(), sources.dns(), blockingHandlers).addTo(router);
        router.get("/api/v1/backends", withActiveConfig(request -> BackendExport.reply(live, request)));
        AsyncResponses replies = new AsyncResponses(loop);
        new CertificateListRoute(sources.orderedCertificates(), sources.onDemandCertificates(), sources.orderingNode())
                .addTo(router);
        router.get("/api/v1/cluster", request -> cluster());
        new SharedConfigurationRoutes(sources.sharedConfiguration(), blockingHandlers, replies).addTo(router);
        new ClusterNodeRoutes(sources.clusterNodes(), blockingHandlers).addTo(router);
        new CertificateRoutes(sources.revoker(), replies, MAX_REVOCATION).addTo(router);
        PoolReplies poolReplies = new PoolReplies(this::backendReply, this::poolReply, replies);
        new OperatorRoutes(sources.operator(), sources.control().clock(), poolReplies).addTo(router);
        new ExternalOverrideRoutes(
                        sources.overrides(),
                        sources.topology(),
                        overrideMax,
                        sources.control().clock(),
                        replies)
                .addTo(router);
        new AgentDirectoryRoutes(sources.agents(), sources.control().clock(), replies).addTo(router);
        new ExplainRoute(sources.explanations(), replies).addTo(router);
        new BackendRoutes(sources.membership(), sources.control().clock(), poolReplies).addTo(router);
        Assets.addTo(router, access::needsLogin);
        return router;
    }

    /** Wraps a handler so that its response reflects the active configuration instead of the last sample. */
    private Handler withActiveConfig(Handler handler) {
        return request -> {
            live.applyActiveConfig();
            return handler.handle(request);
        };
    }

    /** Returns the current state of one backend. */
    private AdminResponse.Complete backendReply(Request request) {
        live.applyActiveConfig();
        return AdminResponse.json(StatsJson.backend(backend(request)));
    }

    /** Returns the current state of one pool. */
    private AdminResponse.Complete poolReply(Request request) {
        live.applyActiveConfig();
        return AdminResponse.json(StatsJson.poolDescription(pool(request)));
    }

    private PoolSeries pool(Request request) {
        String name = request.parameter("pool");
        return live.pool(name).orElseThrow(() -> HttpProblem.notFound("there is no pool " + name));
    }

    private BackendSeries backend(Request request) {
        PoolSeries pool = pool(request);
        String address = request.parameter("backend");
        return pool.backends().stream()
                .filter(series -> series.backend().address().toString().equals(address))
                .findFirst()
                .orElseThrow(() -> HttpProblem.notFound("pool " + pool.pool().name() + " has no backend " + address));
    }

    /** Returns a handler that calls {@code ofNode}, unless the request asks for the data of the whole cluster. */
    private Handler inScope(Handler ofNode) {
        return request -> {
            String scope = QueryParameters.value(request, "scope").orElse("node");
            return switch (scope) {
                case "node" -> ofNode.handle(request);
                case "cluster" -> clusterSums();
                default -> throw HttpProblem.badRequest("scope: " + scope + " (expected: node or cluster)");
            };
        };
    }

    private AdminResponse clusterSums() {
        ClusterSums sums = sources.clusterSums()
                .get()
                .orElseThrow(
                        () -> HttpProblem.notFound("this process is not in a cluster (expected: the key cluster)"));
        return AdminResponse.json(
                ClusterSumsJson.of(sums, sources.control().clock().instant()));
    }

    private AdminResponse cluster() {
        ClusterStats cluster = sources.cluster()
                .get()
                .orElseThrow(
                        () -> HttpProblem.notFound("this process is not in a cluster (expected: the key cluster)"));
        return AdminResponse.json(
                ClusterJson.of(cluster, sources.control().clock().instant()));
    }

    private AdminResponse events(Request request) {
        return AdminResponse.json(StatsJson.events(
                EventSearch.of(request).of(sources.control().timeline().recent())));
    }

    private AdminResponse stream(Request request) {
        stream.requireCapacity();
        long lastId = request.header("Last-Event-ID")
                .map(DashboardRoutes::parseEventId)
                .orElse(NO_EVENT);
        HttpHeaders headers = new DefaultHttpHeaders()
                .set(HttpHeaderNames.CONTENT_TYPE, "text/event-stream")
                .set(HttpHeaderNames.CACHE_CONTROL, "no-store")
                .set(HttpHeaderNames.VARY, HttpHeaderNames.ACCEPT_ENCODING);
        boolean gzip = request.acceptsGzip();
        if (gzip) {
            headers.set(HttpHeaderNames.CONTENT_ENCODING, HttpHeaderValues.GZIP);
        }
        return new AdminResponse.Streaming(headers, channel -> {
            access.trackStream(channel, request);
            stream.subscribe(channel, lastId, gzip);
        });
    }

    private AdminResponse health() {
        return sources.failureReason()
                .get()
                .map(reason -> AdminResponse.text(HttpResponseStatus.SERVICE_UNAVAILABLE, reason))
                .orElseGet(() -> AdminResponse.text(HttpResponseStatus.OK, "alive"));
    }

    private AdminResponse readiness() {
        Readiness readiness = sources.readiness().get();
        HttpResponseStatus status =
                readiness.isReady() ? HttpResponseStatus.OK : HttpResponseStatus.SERVICE_UNAVAILABLE;
        return AdminResponse.text(status, readiness.reason());
    }

    private static long parseEventId(String text) {
        try {
            return Long.parseLong(text);
        } catch (NumberFormatException e) {
            throw HttpProblem.badRequest("Last-Event-ID: " + text + " (expected: the id of an event)");
        }
    }
}
