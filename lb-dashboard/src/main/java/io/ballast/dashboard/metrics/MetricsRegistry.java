package io.ballast.dashboard.metrics;

import com.sun.management.OperatingSystemMXBean;
import io.ballast.core.config.Histograms;
import io.ballast.dashboard.DashboardSources;
import io.ballast.dashboard.RecordedReloader;
import io.ballast.dashboard.RecordedReloader.LastReload;
import io.ballast.dashboard.live.LiveStats;
import io.ballast.dashboard.process.ResidentMemory;
import io.ballast.dashboard.server.Reply;
import io.ballast.dashboard.server.Request;
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
 * Every meter of the process, and the answer to {@code GET /metrics}. Micrometer tells about the JVM; the meters of our
 * own are written straight from the cells that the event loops keep.
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
    /** The labels of ten thousand backends are made once for each layout. */
    private int labelled;

    private List<Family<?>> families;

    /** @param streams how many pages follow the stream */
    MetricsRegistry(DashboardSources sources, LiveStats live, IntSupplier streams, Histograms histograms) {
        this.sources = sources;
        this.live = live;
        this.streams = streams;
        this.histograms = histograms;
        this.labelled = live.layout();
        this.families = families();
        bindJvm();
    }

    /**
     * Every meter, in the format that the client prefers.
     *
     * @param wanted which histograms there are to be from now on
     */
    Reply scrape(Request request, Histograms wanted) {
        boolean openMetrics = request.header(HttpHeaderNames.ACCEPT)
                .filter(accept -> accept.contains("application/openmetrics-text"))
                .isPresent();
        String contentType = openMetrics ? OPEN_METRICS : TEXT;
        follow(wanted);
        List<Family<?>> all = new ArrayList<>(families);
        all.addAll(DiscoveryFamilies.of(sources.discovery().get()));
        return Reply.of(
                contentType,
                new MetricsDocument(new ExpositionText(openMetrics), all, out -> writeJvm(out, contentType)));
    }

    @Override
    public void close() {
        garbageCollection.close();
        registry.close();
    }

    /** Takes over what there is now. */
    private void follow(Histograms wanted) {
        live.follow();
        if (labelled != live.layout() || histograms != wanted) {
            labelled = live.layout();
            histograms = wanted;
            families = families();
        }
    }

    private List<Family<?>> families() {
        List<Family<?>> all = new ArrayList<>();
        LabelSet version = LabelSet.of(BallastMeter.VERSION.labels(), sources.version());
        all.add(one(BallastMeter.VERSION, text -> text.of(version).sample(1)));
        all.add(one(
                BallastMeter.READY,
                text -> text.of(LabelSet.NONE).sample(sources.readiness().get().ready() ? 1 : 0)));
        all.add(one(
                BallastMeter.PROCESS_RESIDENT, text -> text.of(LabelSet.NONE).sample(ResidentMemory.bytes())));
        all.add(one(
                BallastMeter.DASHBOARD_STREAMS, text -> text.of(LabelSet.NONE).sample(streams.getAsInt())));
        all.add(one(BallastMeter.LAST_RELOAD_OK, text -> text.of(LabelSet.NONE).sample(isLastReloadRefused() ? 0 : 1)));
        all.add(one(
                BallastMeter.THREAD_STALLS,
                text -> text.of(LabelSet.NONE).sample(sources.stalls().getAsLong())));
        all.add(one(
                BallastMeter.THREAD_STARVATIONS,
                text -> text.of(LabelSet.NONE).sample(sources.starvations().getAsLong())));
        all.addAll(BackendFamilies.of(live.pools(), histograms));
        all.addAll(FrontendFamilies.of(live.frontends()));
        return all;
    }

    private boolean isLastReloadRefused() {
        return sources.reloader()
                .flatMap(RecordedReloader::last)
                .filter(LastReload::isRefused)
                .isPresent();
    }

    private static Family<String> one(BallastMeter meter, Consumer<ExpositionText> sample) {
        return new Family<>(meter, List.of("process"), (text, process) -> sample.accept(text));
    }

    private void writeJvm(ByteBuf buffer, String contentType) {
        try (ByteBufOutputStream out = new ByteBufOutputStream(buffer)) {
            registry.scrape(out, contentType);
        } catch (IOException e) {
            throw new UncheckedIOException("a buffer in memory refused bytes", e);
        }
    }

    private void bindJvm() {
        // Names that Prometheus takes for ill-formed: nanoseconds instead of seconds, and a gauge that ends in _count.
        registry.config()
                .meterFilter(MeterFilter.denyNameStartsWith("process.cpu.time"))
                .meterFilter(MeterFilter.denyNameStartsWith("system.cpu.count"));
        FunctionCounter.builder("process.cpu", this, self -> cpuSeconds())
                .baseUnit("seconds")
                .description("CPU time that the process has used")
                .register(registry);
        Gauge.builder("system.cpus", Runtime.getRuntime(), Runtime::availableProcessors)
                .description("Processors that the process may use")
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
