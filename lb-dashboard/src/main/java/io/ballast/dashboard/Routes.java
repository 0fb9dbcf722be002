package io.ballast.dashboard;

import io.ballast.dashboard.access.Access;
import io.ballast.dashboard.access.LoginRoutes;
import io.ballast.dashboard.json.StatsJson;
import io.ballast.dashboard.live.BackendSeries;
import io.ballast.dashboard.live.LiveStats;
import io.ballast.dashboard.live.PoolSeries;
import io.ballast.dashboard.live.StreamHub;
import io.ballast.dashboard.metrics.MetricsOnDemand;
import io.ballast.dashboard.process.ProcessReading;
import io.ballast.dashboard.server.Handler;
import io.ballast.dashboard.server.OffLoop;
import io.ballast.dashboard.server.Problem;
import io.ballast.dashboard.server.Reply;
import io.ballast.dashboard.server.Request;
import io.ballast.dashboard.server.Router;
import io.ballast.dashboard.web.Assets;
import io.netty.handler.codec.http.DefaultHttpHeaders;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpResponseStatus;
import java.util.concurrent.Executor;

/** What is served where. */
final class Routes {

    private static final long NO_EVENT = -1;

    private final DashboardSources sources;
    private final LiveStats live;
    private final StreamHub stream;
    private final MetricsOnDemand metrics;
    private final OffLoop offLoop;
    private final Access access;
    private final Executor loop;

    /** @param loop the event loop on which all this is served */
    Routes(
            DashboardSources sources,
            LiveStats live,
            StreamHub stream,
            MetricsOnDemand metrics,
            OffLoop offLoop,
            Access access,
            Executor loop) {
        this.offLoop = offLoop;
        this.access = access;
        this.loop = loop;
        this.sources = sources;
        this.live = live;
        this.stream = stream;
        this.metrics = metrics;
    }

    /** What anybody may ask for where there is nothing else. */
    Router probes() {
        return addProbes(new Router()).open("/metrics", metrics::scrape);
    }

    private Router addProbes(Router router) {
        return router.open("/healthz", request -> health()).open("/readyz", request -> readiness());
    }

    Router router() {
        Router router = new Router();
        Handler stats = request -> Reply.json(StatsJson.stats(
                live,
                ProcessReading.now(),
                sources.version(),
                sources.control().clock().instant()));
        router.get("/stats", followed(stats));
        router.get("/api/v1/stats", followed(stats));
        router.get("/api/v1/pools", followed(request -> Reply.json(StatsJson.pools(live))));
        router.get("/api/v1/pools/{pool}", followed(request -> Reply.json(StatsJson.pool(pool(request)))));
        router.get("/api/v1/pools/{pool}/backends/{backend}", this::backendReply);
        router.get("/api/v1/events", this::events);
        router.get(
                "/api/v1/health",
                followed(request ->
                        Reply.json(StatsJson.health(live, sources.readiness().get()))));
        router.get("/api/v1/stream", this::stream);
        addProbes(router).get("/metrics", metrics::scrape);
        new LoginRoutes(access).addTo(router);
        new DnsFilterRoutes(sources.dnsServices(), offLoop).addTo(router);
        new ForwardingRoutes(sources.forwarding(), live, offLoop).addTo(router);
        new DnsRoutes(sources.dnsServices(), sources.dns(), sources.topology(), offLoop).addTo(router);
        new ReloadRoutes(sources.reloader()).addTo(router);
        new ConfigRoutes(sources.configuration(), sources.dns(), offLoop).addTo(router);
        router.get("/api/v1/backends", followed(request -> BackendExport.reply(live, request)));
        AwaitedReplies replies = new AwaitedReplies(loop);
        new OperatorRoutes(sources.operator(), sources.control().clock(), this::backendReply, this::poolReply, replies)
                .addTo(router);
        new BackendRoutes(sources.membership(), sources.control().clock(), this::backendReply, this::poolReply, replies)
                .addTo(router);
        Assets.addTo(router, access::needsLogin);
        return router;
    }

    /** A handler that tells of what is in force now, and not only from the next sample on. */
    private Handler followed(Handler handler) {
        return request -> {
            live.follow();
            return handler.handle(request);
        };
    }

    /** Of one backend as it is now. */
    private Reply.Full backendReply(Request request) {
        live.follow();
        return Reply.json(StatsJson.backend(backend(request)));
    }

    /** Of one pool as it is now. */
    private Reply.Full poolReply(Request request) {
        live.follow();
        return Reply.json(StatsJson.poolDescription(pool(request)));
    }

    private PoolSeries pool(Request request) {
        String name = request.parameter("pool");
        return live.pool(name).orElseThrow(() -> Problem.notFound("there is no pool " + name));
    }

    private BackendSeries backend(Request request) {
        PoolSeries pool = pool(request);
        String address = request.parameter("backend");
        return pool.backends().stream()
                .filter(series -> series.backend().address().toString().equals(address))
                .findFirst()
                .orElseThrow(() -> Problem.notFound("pool " + pool.pool().name() + " has no backend " + address));
    }

    private Reply events(Request request) {
        return Reply.json(StatsJson.events(
                EventSearch.of(request).of(sources.control().timeline().recent())));
    }

    private Reply stream(Request request) {
        stream.requireRoom();
        long lastId = request.header("Last-Event-ID").map(Routes::eventId).orElse(NO_EVENT);
        HttpHeaders headers = new DefaultHttpHeaders()
                .set(HttpHeaderNames.CONTENT_TYPE, "text/event-stream")
                .set(HttpHeaderNames.CACHE_CONTROL, "no-store")
                .set(HttpHeaderNames.VARY, HttpHeaderNames.ACCEPT_ENCODING);
        boolean gzip = request.acceptsGzip();
        if (gzip) {
            headers.set(HttpHeaderNames.CONTENT_ENCODING, HttpHeaderValues.GZIP);
        }
        return new Reply.Stream(headers, channel -> {
            access.follow(channel, request);
            stream.subscribe(channel, lastId, gzip);
        });
    }

    private Reply health() {
        return sources.end()
                .get()
                .map(reason -> Reply.text(HttpResponseStatus.SERVICE_UNAVAILABLE, reason))
                .orElseGet(() -> Reply.text(HttpResponseStatus.OK, "alive"));
    }

    private Reply readiness() {
        Readiness readiness = sources.readiness().get();
        HttpResponseStatus status = readiness.ready() ? HttpResponseStatus.OK : HttpResponseStatus.SERVICE_UNAVAILABLE;
        return Reply.text(status, readiness.reason());
    }

    private static long eventId(String text) {
        try {
            return Long.parseLong(text);
        } catch (NumberFormatException e) {
            throw Problem.badRequest("Last-Event-ID: " + text + " (expected: the id of an event)");
        }
    }
}
