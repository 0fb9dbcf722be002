package io.ballast.dashboard.metrics;

import io.ballast.core.pool.Topology;
import io.ballast.dashboard.DashboardSources;
import io.ballast.dashboard.process.ResidentMemory;
import io.ballast.dashboard.server.Reply;
import io.ballast.dashboard.server.Request;
import io.micrometer.core.instrument.binder.jvm.ClassLoaderMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmGcMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.core.instrument.binder.system.FileDescriptorMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.core.instrument.binder.system.UptimeMetrics;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufOutputStream;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpResponseStatus;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.function.IntSupplier;
import java.util.function.Supplier;

/**
 * Every meter of the process, and the answer to {@code GET /metrics}. Meters are registered once for each topology.
 *
 * <p>Thread safety: confined to the dashboard's event loop after construction, except for {@link #close}.
 */
final class MetricsRegistry implements AutoCloseable {

    private static final String TEXT = "text/plain; version=0.0.4; charset=utf-8";
    private static final String OPEN_METRICS = "application/openmetrics-text; version=1.0.0; charset=utf-8";

    private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private final MeterBinding process = new MeterBinding(registry);
    private final MeterBinding pools = new MeterBinding(registry);
    private final JvmGcMetrics garbageCollection = new JvmGcMetrics();
    private final Supplier<Topology> topology;
    private Topology bound;

    /** @param streams how many pages follow the stream */
    MetricsRegistry(DashboardSources sources, IntSupplier streams) {
        this.topology = sources.topology();
        this.bound = topology.get();
        bindJvm();
        bindProcess(sources, streams);
        registry.getPrometheusRegistry().register(new ResponseTimeCollector(topology));
        bindPools();
    }

    /** Writes every meter as it is now, in the format that the client prefers. */
    Reply scrape(Request request) {
        followTopology();
        boolean openMetrics = request.header(HttpHeaderNames.ACCEPT)
                .filter(accept -> accept.contains("application/openmetrics-text"))
                .isPresent();
        String contentType = openMetrics ? OPEN_METRICS : TEXT;
        ByteBuf buffer = Unpooled.buffer(64 * 1024);
        try (ByteBufOutputStream out = new ByteBufOutputStream(buffer)) {
            registry.scrape(out, contentType);
        } catch (IOException e) {
            throw new UncheckedIOException("a buffer in memory refused bytes", e);
        }
        return Reply.of(HttpResponseStatus.OK, contentType, buffer);
    }

    @Override
    public void close() {
        garbageCollection.close();
        registry.close();
    }

    private void followTopology() {
        Topology now = topology.get();
        if (!now.equals(bound)) {
            bound = now;
            pools.unregister();
            bindPools();
        }
    }

    private void bindPools() {
        BackendMeters meters = new BackendMeters(pools);
        bound.poolList().forEach(meters::register);
    }

    private void bindProcess(DashboardSources sources, IntSupplier streams) {
        process.register(BallastMeter.VERSION, () -> 1, sources.version());
        process.register(BallastMeter.READY, () -> sources.readiness().get().ready() ? 1 : 0);
        process.register(BallastMeter.PROCESS_RESIDENT, ResidentMemory::bytes);
        process.register(BallastMeter.DASHBOARD_STREAMS, streams::getAsInt);
        FrontendMeters frontends = new FrontendMeters(process);
        sources.listeners().forEach(frontends::register);
        sources.dns().ifPresent(frontends::register);
    }

    private void bindJvm() {
        new JvmMemoryMetrics().bindTo(registry);
        new JvmThreadMetrics().bindTo(registry);
        new ClassLoaderMetrics().bindTo(registry);
        new ProcessorMetrics().bindTo(registry);
        new UptimeMetrics().bindTo(registry);
        new FileDescriptorMetrics().bindTo(registry);
        garbageCollection.bindTo(registry);
    }
}
