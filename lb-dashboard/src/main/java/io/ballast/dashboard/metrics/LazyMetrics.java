package io.ballast.dashboard.metrics;

import io.ballast.dashboard.config.Histograms;
import io.ballast.dashboard.live.LiveStats;
import io.ballast.dashboard.server.AdminResponse;
import io.ballast.dashboard.server.Document;
import io.ballast.dashboard.server.Request;
import io.ballast.dashboard.source.DashboardSources;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Creates the metrics registry at the first scrape. Registering its meters takes a tenth of the start-up time, and many
 * processes are never scraped. Ballast's own counters exist independently, so only garbage collections before the first
 * scrape are missed.
 *
 * <p>Thread safety: confined to the dashboard's event loop, except for {@link #histograms}, and for {@link #close},
 * which must be called after the loop has ended.
 */
public final class LazyMetrics implements AutoCloseable {

    private final DashboardSources sources;
    private final IntSupplier streams;
    private final LiveStats live;
    private volatile Histograms histograms;
    private volatile @Nullable MetricsRegistry registry;

    /**
     * @param streams number of pages that are connected to the event stream
     */
    public LazyMetrics(DashboardSources sources, LiveStats live, IntSupplier streams, Histograms histograms) {
        this.live = live;
        this.histograms = histograms;
        this.sources = sources;
        this.streams = streams;
    }

    /** Returns all metrics in the format that the client prefers. */
    public AdminResponse scrape(Request request) {
        return registry().scrape(request, histograms);
    }

    /** Returns all metrics in the Prometheus text format. */
    public Document exposition() {
        return registry().document(/* openMetrics= */ false, histograms);
    }

    private MetricsRegistry registry() {
        MetricsRegistry present = registry;
        if (present == null) {
            present = new MetricsRegistry(sources, live, streams, histograms);
            registry = present;
        }
        return present;
    }

    /** Sets the histograms that future scrapes contain. May be called from any thread. */
    public void histograms(Histograms next) {
        histograms = next;
    }

    @Override
    public void close() {
        MetricsRegistry present = registry;
        if (present != null) {
            present.close();
        }
    }
}
