package io.ballast.dashboard.metrics;

import io.ballast.core.config.Histograms;
import io.ballast.dashboard.DashboardSources;
import io.ballast.dashboard.live.LiveStats;
import io.ballast.dashboard.server.Reply;
import io.ballast.dashboard.server.Request;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The registry, made when metrics are asked for the first time. Registering its meters takes a tenth of the start, and
 * many processes are never asked. All figures of our own are kept elsewhere and only read here, so nothing is missed but
 * collections of garbage before the first scrape.
 *
 * <p>Thread safety: confined to the dashboard's event loop, except for {@link #histograms}, and for {@link
 * #close}, to be called when that has ended.
 */
public final class MetricsOnDemand implements AutoCloseable {

    private final DashboardSources sources;
    private final IntSupplier streams;
    private final LiveStats live;
    private volatile Histograms histograms;
    private volatile @Nullable MetricsRegistry registry;

    /** @param streams how many pages follow the stream */
    public MetricsOnDemand(DashboardSources sources, LiveStats live, IntSupplier streams, Histograms histograms) {
        this.live = live;
        this.histograms = histograms;
        this.sources = sources;
        this.streams = streams;
    }

    /** Every meter, in the format that the client prefers. */
    public Reply scrape(Request request) {
        MetricsRegistry present = registry;
        if (present == null) {
            present = new MetricsRegistry(sources, live, streams, histograms);
            registry = present;
        }
        return present.scrape(request, histograms);
    }

    /** Has later answers show these. Any thread. */
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
