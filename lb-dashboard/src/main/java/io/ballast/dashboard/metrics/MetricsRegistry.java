package io.ballast.dashboard.metrics;

import com.sun.management.OperatingSystemMXBean;
import io.ballast.dashboard.config.Histograms;
import io.ballast.dashboard.live.LiveStats;
import io.ballast.dashboard.process.ResidentMemory;
import io.ballast.dashboard.server.AdminResponse;
import io.ballast.dashboard.server.Request;
import io.ballast.dashboard.source.AgentDirectory;
import io.ballast.dashboard.source.DashboardSources;
import io.ballast.dashboard.source.RecordingReloader;
import io.ballast.dashboard.source.RecordingReloader.LastReload;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.binder.jvm.ClassLoaderMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmGcMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.core.instrument.binder.system.FileDescriptorMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.core.instrument.binder.system.UptimeMetrics;
import io.micrometer.core.instrument.config.MeterFilter;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufOutputStream;
import io.netty.handler.codec.http.HttpHeaderNames;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.IntSupplier;

/**
 * Every meter of the process, and the response to {@code GET /metrics}. Micrometer provides the JVM's meters. Ballast's
 * own meters are written directly from the counters of the event loops.
 *
 * <p>Thread safety: confined to the dashboard's event loop after construction, except for {@link #close}.
 */
final class MetricsRegistry implements AutoCloseable {

    private static final String TEXT = "text/plain; version=0.0.4; charset=utf-8";
    private static final String OPEN_METRICS = "application/openmetrics-text; version=1.0.0; charset=utf-8";

    private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private final JvmGcMetrics garbageCollection = new JvmGcMetrics();
    private final DashboardSources sources;
    private final IntSupplier streams;
    private final LiveStats live;
    private Histograms histograms;
    /**
     * The layout version for which {@link #families} was built. The families are cached, because encoding the
     * labels of thousands of backends for each scrape is expensive. The few families of the frontends are built
     * for each scrape.
     */
    private int familiesLayout;

    private List<MetricFamily<?>> families;

    /**
     * @param streams number of pages that are connected to the event stream
     */
    MetricsRegistry(DashboardSources sources, LiveStats live, IntSupplier streams, Histograms histograms) {
        this.sources = sources;
        this.live = live;
        this.streams = streams;
        this.histograms = histograms;
        this.familiesLayout = live.layoutVersion();
        this.families = families();
        bindJvm();
    }

    /**
     * Returns every meter in the format that the client prefers.
     *
     * @param wanted which histograms to include
     */
    AdminResponse scrape(Request request, Histograms wanted) {
        boolean openMetrics = request.header(HttpHeaderNames.ACCEPT)
                .filter(accept -> accept.contains("application/openmetrics-text"))
                .isPresent();
        String contentType = openMetrics ? OPEN_METRICS : TEXT;
        return AdminResponse.of(contentType, document(openMetrics, wanted));
    }

    /**
     * Returns every meter.
     *
     * @param openMetrics whether to use the OpenMetrics format instead of the Prometheus text format
     * @param wanted which histograms to include
     */
    MetricsDocument document(boolean openMetrics, Histograms wanted) {
        String contentType = openMetrics ? OPEN_METRICS : TEXT;
        updateFamilies(wanted);
        List<MetricFamily<?>> all = new ArrayList<>(families);
        all.addAll(FrontendFamilies.of(live.frontends()));
        all.addAll(DiscoveryFamilies.of(sources.discovery().get()));
        all.addAll(OverrideFamilies.of(sources.overrides()));
        all.addAll(OrderFamilies.of(
                sources.orderedCertificates().get(), sources.onDemandCounts().get()));
        all.addAll(TelemetryFamilies.of(sources.telemetry().get()));
        all.addAll(AgentFamilies.of(sources.agents().get().map(AgentDirectory::counts)));
        all.addAll(ClusterFamilies.of(
                sources.cluster().get(), sources.control().clock().instant()));
        return new MetricsDocument(new ExpositionText(openMetrics), all, out -> writeJvm(out, contentType));
    }

    @Override
    public void close() {
        garbageCollection.close();
        registry.close();
    }

    /** Rebuilds the metric families of the process and of backends if the layout or the histograms changed. */
    private void updateFamilies(Histograms wanted) {
        live.applyActiveConfig();
        if (familiesLayout != live.layoutVersion() || histograms != wanted) {
            familiesLayout = live.layoutVersion();
            histograms = wanted;
            families = families();
        }
    }

    private List<MetricFamily<?>> families() {
        List<MetricFamily<?>> all = new ArrayList<>();
        LabelSet version = LabelSet.of(BallastMeter.VERSION.labels(), sources.version());
        all.add(singleSampleFamily(
                BallastMeter.VERSION, text -> text.setLabels(version).sample(1)));
        all.add(singleSampleFamily(
                BallastMeter.READY,
                text -> text.setLabels(LabelSet.NONE)
                        .sample(sources.readiness().get().isReady() ? 1 : 0)));
        all.add(singleSampleFamily(
                BallastMeter.PROCESS_RESIDENT,
                text -> text.setLabels(LabelSet.NONE).sample(ResidentMemory.bytes())));
        all.add(singleSampleFamily(
                BallastMeter.DASHBOARD_STREAMS,
                text -> text.setLabels(LabelSet.NONE).sample(streams.getAsInt())));
        all.add(singleSampleFamily(
                BallastMeter.LAST_RELOAD_OK,
                text -> text.setLabels(LabelSet.NONE).sample(isLastReloadRefused() ? 0 : 1)));
        all.add(singleSampleFamily(
                BallastMeter.THREAD_STALLS,
                text -> text.setLabels(LabelSet.NONE).sample(sources.stalls().getAsLong())));
        all.add(singleSampleFamily(
                BallastMeter.THREAD_STARVATIONS,
                text -> text.setLabels(LabelSet.NONE)
                        .sample(sources.starvations().getAsLong())));
        all.addAll(BackendFamilies.of(live.pools(), histograms));
        return all;
    }

    private boolean isLastReloadRefused() {
        return sources.reloader()
                .flatMap(RecordingReloader::lastReload)
                .filter(LastReload::isRefused)
                .isPresent();
    }

    private static MetricFamily<String> singleSampleFamily(BallastMeter meter, Consumer<ExpositionText> sample) {
        return new MetricFamily<>(meter, List.of("process"), (text, process) -> sample.accept(text));
    }

    private void writeJvm(ByteBuf buffer, String contentType) {
        try (ByteBufOutputStream out = new ByteBufOutputStream(buffer)) {
            registry.scrape(out, contentType);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot write to a buffer in memory", e);
        }
    }

    private void bindJvm() {
        // Exclude meters that Prometheus considers malformed: one in nanoseconds instead of seconds, and a gauge
        // whose name ends in _count.
        registry.config()
                .meterFilter(MeterFilter.denyNameStartsWith("process.cpu.time"))
                .meterFilter(MeterFilter.denyNameStartsWith("system.cpu.count"));
        FunctionCounter.builder("process.cpu", this, self -> cpuSeconds())
                .baseUnit("seconds")
                .description("CPU time used by the process")
                .register(registry);
        Gauge.builder("system.cpus", Runtime.getRuntime(), Runtime::availableProcessors)
                .description("Processors available to the process")
                .register(registry);
        new JvmMemoryMetrics().bindTo(registry);
        new JvmThreadMetrics().bindTo(registry);
        new ClassLoaderMetrics().bindTo(registry);
        new ProcessorMetrics().bindTo(registry);
        new UptimeMetrics().bindTo(registry);
        new FileDescriptorMetrics().bindTo(registry);
        garbageCollection.bindTo(registry);
    }

    private static double cpuSeconds() {
        return ManagementFactory.getOperatingSystemMXBean() instanceof OperatingSystemMXBean system
                ? system.getProcessCpuTime() / 1e9
                : 0;
    }
}
