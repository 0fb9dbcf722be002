package io.ballast.core.geo;

import io.ballast.core.ErrorText;
import io.ballast.core.backend.HealthStatus.Origin;
import io.ballast.core.config.geo.GeoConfig;
import io.ballast.core.control.ControlPlane;
import io.ballast.core.net.IpAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The {@link RegionTable} of a configuration, kept up to date with its database files. The files are checked
 * every {@link #INTERVAL}. After a change that is stable for one interval, a new table is compiled in the
 * background and published. If a file is invalid, it is rejected and the current table is kept.
 *
 * <p>Thread safety: any thread may call any method. Listeners are called on the control plane's thread.
 */
public final class GeoSource implements Geography, AutoCloseable {

    /** Interval at which the database files are checked for changes. */
    public static final Duration INTERVAL = Duration.ofSeconds(5);

    private static final Logger LOG = LoggerFactory.getLogger(GeoSource.class);
    private static final String SUBJECT = "geo";

    private final Regions regions;
    private final List<Path> databases;
    private final GeoCompiler compiler;
    private final ControlPlane control;
    private final Executor files;
    private final Executor background;
    private final List<Consumer<RegionTable>> listeners = new CopyOnWriteArrayList<>();
    private volatile RegionTable current;
    private volatile boolean closed;

    // Confined to the thread that reads the files.
    private List<FileStamp> processedStamps;
    private List<FileStamp> lastStamps;
    private boolean compiling;

    private GeoSource(GeoConfig config, ControlPlane control, Executor files, Executor background)
            throws GeoDatabaseException {
        this.regions = Regions.of(config);
        this.databases = config.databases();
        this.compiler = new GeoCompiler(config);
        this.control = control;
        this.files = files;
        this.background = background;
        this.processedStamps = stamps();
        this.lastStamps = processedStamps;
        GeoCompiler.Compiled first = compiler.compile();
        this.current = first.table();
        control.execute(() -> control.timeline().add(Origin.START, SUBJECT, "loaded " + first.description()));
    }

    /**
     * Compiles the first table and starts to watch the files.
     *
     * @param control publishes tables
     * @param background checks the files, one task after the other, and compiles later tables, which takes seconds
     *     for large databases
     * @throws GeoDatabaseException if a database cannot be used; the message names the file and the reason
     */
    public static GeoSource open(GeoConfig config, ControlPlane control, Executor background)
            throws GeoDatabaseException {
        return open(config, control, background, background);
    }

    /** @param files checks the files, one task after the other; if a disk hangs, only this executor is blocked */
    static GeoSource open(GeoConfig config, ControlPlane control, Executor files, Executor background)
            throws GeoDatabaseException {
        GeoSource source = new GeoSource(config, control, files, background);
        if (!source.databases.isEmpty()) {
            source.checkLater();
        }
        return source;
    }

    private void checkLater() {
        control.schedule(() -> files.execute(this::checkFiles), INTERVAL);
    }

    /**
     * Compiles a table and discards it.
     *
     * @throws GeoDatabaseException if a database cannot be used; the message names the file and the reason
     */
    public static void check(GeoConfig config) throws GeoDatabaseException {
        new GeoCompiler(config).compile();
    }

    /** Returns the newest table. Cost: one volatile read. */
    @Override
    public RegionTable current() {
        return current;
    }

    /** Returns the regions for the table's IDs; they never change during the life of this object. */
    @Override
    public Regions regions() {
        return regions;
    }

    /**
     * Registers a listener that is called with each new table. If a listener throws, the exception is logged and
     * the remaining listeners are called.
     */
    public void onChange(Consumer<RegionTable> listener) {
        listeners.add(listener);
    }

    /**
     * Explains why an address belongs to its region, according to the current files. Not for the hot path: the
     * method opens and reads the files.
     *
     * @throws GeoDatabaseException if a database cannot be used
     */
    public RegionMatch explain(IpAddress address) throws GeoDatabaseException {
        return new RegionLookup(databases, compiler, regions).of(address);
    }

    /** Stops watching the files. The last table stays usable. */
    @Override
    public void close() {
        closed = true;
    }

    /**
     * Checks the files. If they differ from the files that were processed last and have been unchanged for one
     * interval, the table is compiled again.
     */
    private void checkFiles() {
        if (closed) {
            return;
        }
        List<FileStamp> now = stamps();
        if (!compiling && !now.equals(processedStamps) && now.equals(lastStamps)) {
            compiling = true;
            background.execute(() -> compile(now));
        }
        lastStamps = now;
        checkLater();
    }

    private void compile(List<FileStamp> wanted) {
        try {
            GeoCompiler.Compiled compiled = compiler.compile();
            scheduleApplyIfUnchanged(wanted, () -> publish(compiled));
        } catch (GeoDatabaseException | RuntimeException | Error e) {
            scheduleApplyIfUnchanged(wanted, () -> refuse(e));
        }
    }

    private void scheduleApplyIfUnchanged(List<FileStamp> wanted, Runnable verdict) {
        control.execute(() -> files.execute(() -> applyIfUnchanged(wanted, verdict)));
    }

    /**
     * Applies the result of a compilation (a new table or a failure), unless the files changed during the
     * compilation. Changed files are compiled again once they no longer change.
     */
    private void applyIfUnchanged(List<FileStamp> wanted, Runnable verdict) {
        compiling = false;
        if (!closed && stamps().equals(wanted)) {
            processedStamps = wanted;
            control.execute(verdict);
        }
    }

    private void publish(GeoCompiler.Compiled compiled) {
        current = compiled.table();
        control.timeline().add(Origin.FILE, SUBJECT, "loaded " + compiled.description());
        for (Consumer<RegionTable> listener : listeners) {
            try {
                listener.accept(compiled.table());
            } catch (RuntimeException e) {
                LOG.error("subject={} msg=\"change listener failed\"", SUBJECT, e);
            }
        }
    }

    private void refuse(Throwable why) {
        String reason = ErrorText.of(why);
        LOG.warn(
                "subject={} msg=\"the changed database was rejected; the previous one stays in use\" reason=\"{}\"",
                SUBJECT,
                reason);
        control.timeline()
                .add(
                        Origin.FILE,
                        SUBJECT,
                        "the changed database was rejected; the previous one stays in use: " + reason);
    }

    private List<FileStamp> stamps() {
        return databases.stream().map(FileStamp::of).toList();
    }
}
