package io.ballast.server.compose;

import io.ballast.cluster.config.ClusterConfig;
import io.ballast.config.BallastConfig;
import io.ballast.core.config.geo.GeoConfig;
import io.ballast.core.control.Background;
import io.ballast.core.control.ControlPlane;
import io.ballast.core.control.PreparedChange;
import io.ballast.core.geo.GeoSource;
import io.ballast.core.pool.Topology;
import io.ballast.core.watchdog.Heartbeat;
import io.ballast.dns.DnsChange;
import io.ballast.dns.DnsFrontend;
import io.ballast.dns.config.CookieSecret;
import io.ballast.dns.config.DnsConfig;
import io.ballast.dns.config.zone.ZoneConfig;
import io.ballast.dns.forward.ListSetup;
import io.ballast.dns.forward.UpstreamFailureListener;
import io.ballast.dns.forward.upstream.UpstreamTls;
import io.ballast.dns.querylog.QueryListener;
import io.ballast.dns.secondary.SecondarySetup;
import io.ballast.dns.zone.ZoneInputs;
import io.ballast.dns.zone.signing.SigningSetup;
import io.ballast.net.takeover.InheritedSockets;
import io.ballast.server.event.FollowedNamesEvents;
import io.ballast.server.host.DataDirectory;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The DNS frontend with its resources, if the active configuration enables it.
 *
 * <p>Thread safety: started, prepared and closed by one thread at a time; any thread may read the running frontend.
 */
public final class DnsPart implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(DnsPart.class);

    /** Directory of secondary zones, below the data directory. */
    static final String SECONDARY = "secondary";

    /** Directory of dynamically updated zones, below the data directory. */
    static final String UPDATES = "updates";

    /** Directory of generated catalog zones, below the data directory. */
    static final String CATALOGS = "catalogs";

    /** Number of simultaneous downloads of rule lists; a few slow servers do not delay other downloads. */
    private static final int MAX_FETCHES = 8;
    /** Time limit for a running zone change when another process takes the directory. */
    private static final Duration MAX_WAIT_FOR_CHANGE = Duration.ofSeconds(10);

    /** Maximum number of simultaneous zone transfers. */
    private static final int MAX_TRANSFERS = 4;

    private final ControlPlane control;
    private final Consumer<List<Heartbeat>> heartbeatListener;
    private final UpstreamFailureListener upstreamFailureListener;
    private final List<QueryListener> queryListeners;
    private final UpstreamTls tls;
    private final Executor changes;
    private final Background signer = Background.of("dns-sign", /* max= */ 1);
    private final Background compiler = Background.of("dns-compile", /* max= */ 1);
    private final Background transfers = Background.of("dns-transfer-in", MAX_TRANSFERS);
    private final Background lists = Background.of("dns-lists", /* max= */ 1);
    private final Background fetchers = Background.of("dns-list-fetch", MAX_FETCHES);
    private final Background geoReader = Background.of("geo", /* max= */ 1);
    private final CacheSnapshotStore cacheStore = new CacheSnapshotStore(lists);
    private @Nullable DataDirectory directory;
    private final InheritedSockets inherited;
    private boolean awaitsBegin;
    private boolean awaitsDirectory;
    private volatile @Nullable Running running;
    private volatile List<CookieSecret> sharedCookies = List.of();

    /**
     * A running frontend with its resources.
     *
     * @param geoConfig the configuration of {@code geo}
     */
    private record Running(DnsFrontend frontend, Optional<GeoSource> geo, Optional<GeoConfig> geoConfig, Path dataDir) {

        void closeGeo() {
            geo.ifPresent(GeoSource::close);
        }
    }

    /**
     * @param hearts receives the heartbeats of new threads
     * @param failure receives failures of resolvers
     * @param queryListeners receive the logged queries
     * @param tls the TLS contexts of encrypted resolvers
     * @param changes executor that runs configuration changes one after the other; may block
     * @param inherited listening sockets of the previous process
     * @param follows whether a previous process serves until {@link #startServing}, and holds the directory
     *     until {@link #takeDirectory}
     */
    public DnsPart(
            ControlPlane control,
            Consumer<List<Heartbeat>> hearts,
            UpstreamFailureListener failure,
            List<QueryListener> queryListeners,
            UpstreamTls tls,
            Executor changes,
            InheritedSockets inherited,
            boolean follows) {
        this.control = control;
        this.heartbeatListener = hearts;
        this.upstreamFailureListener = failure;
        this.queryListeners = queryListeners;
        this.tls = tls;
        this.changes = changes;
        this.inherited = inherited;
        this.awaitsBegin = follows;
        this.awaitsDirectory = follows;
    }

    /** Starts to answer queries. Called if this process was started alongside a previous process. */
    public void startServing() {
        awaitsBegin = false;
        if (running != null) {
            startServing(running.frontend);
        }
    }

    private void startServing(DnsFrontend frontend) {
        frontend.begin();
        heartbeatListener.accept(frontend.heartbeats());
        LOG.info(
                "dns_udp={} dns_tcp={} addresses={} reason=\"{}\"",
                frontend.udp().kind(),
                frontend.transport(),
                frontend.addresses(),
                frontend.udp().why());
    }

    /** Takes over the data directory after the previous process has released it. */
    public void takeDirectory(BallastConfig config) throws IOException {
        awaitsDirectory = false;
        if (config.dns().isPresent()) {
            lockDirectory(config, config.dns().get());
        }
        frontend().ifPresent(DnsFrontend::beginManagedZones);
        frontend().ifPresent(frontend -> cacheStore.restore(frontend, config.dataDir()));
    }

    /**
     * Uses secrets of a cluster for DNS cookies, unless the configuration has its own. Called on the control plane's thread.
     */
    void shareCookieSecrets(List<CookieSecret> secrets) {
        sharedCookies = List.copyOf(secrets);
        frontend().ifPresent(this::shareCookieSecrets);
    }

    private void shareCookieSecrets(DnsFrontend frontend) {
        if (!sharedCookies.isEmpty()) {
            frontend.shareCookieSecrets(sharedCookies);
        }
    }

    /** Executes a task after the saved cache was restored, if there is one. Returns at once. */
    void afterCacheRestore(Runnable task) {
        lists.execute(task); // the same thread restores the cache
    }

    /** Releases the data directory, so that another process can take it over. */
    public void releaseDirectory() throws IOException {
        frontend().ifPresent(DnsPart::awaitUpdates);
        saveCache();
        if (directory != null) {
            directory.close();
            directory = null;
        }
    }

    /** Waits until accepted updates are complete, before another process reads their files. */
    private static void awaitUpdates(DnsFrontend frontend) {
        try {
            frontend.pauseManagedZones().get(MAX_WAIT_FOR_CHANGE.toSeconds(), TimeUnit.SECONDS);
        } catch (TimeoutException e) {
            LOG.warn(
                    "msg=\"handing over the data directory although zone changes did not finish within {} s\"",
                    MAX_WAIT_FOR_CHANGE.toSeconds());
        } catch (ExecutionException e) {
            LOG.warn("msg=\"handing over the data directory although waiting for zone changes failed\"", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void saveCache() {
        Running present = running;
        if (present != null) {
            cacheStore.save(present.frontend, present.dataDir);
        }
    }

    /** Returns the running frontend; empty if DNS is not enabled. */
    public Optional<DnsFrontend> frontend() {
        return Optional.ofNullable(running).map(Running::frontend);
    }

    /**
     * Starts the frontend, if the configuration enables DNS.
     *
     * @throws IOException if an address cannot be bound, or a file cannot be used; the message names it and the
     *     reason
     */
    public void start(BallastConfig config, Topology pools) throws IOException {
        if (config.dns().isPresent()) {
            running = open(config, config.dns().get(), pools);
        }
    }

    private Running open(BallastConfig config, DnsConfig dns, Topology pools) throws IOException {
        lockDirectory(config, dns);
        SigningSetup signing = new SigningSetup(
                config.dataDir(),
                control,
                signer,
                config.cluster().flatMap(ClusterConfig::secretKey).isPresent());
        Optional<GeoSource> geo = openGeo(config.geo());
        DnsFrontend started;
        try {
            started = DnsFrontend.bind(
                    dns,
                    inputs(pools, geo),
                    config.eventLoops(),
                    config.transport(),
                    signing,
                    ListSetup.inDataDirectory(control, lists, fetchers, config.dataDir()),
                    new SecondarySetup(
                            control,
                            transfers,
                            changes,
                            config.dataDir().resolve(SECONDARY),
                            config.dataDir().resolve(UPDATES),
                            config.dataDir().resolve(CATALOGS),
                            new SplittableRandom()),
                    inherited);
        } catch (IOException | RuntimeException e) {
            geo.ifPresent(GeoSource::close);
            throw e;
        }
        started.onAddedHeartbeats(heartbeatListener);
        started.onUpstreamFailure(upstreamFailureListener);
        started.aliasResolver().onFailure(new FollowedNamesEvents(control));
        queryListeners.forEach(started.queryLog()::attach);
        started.secureUpstreams(tls);
        shareCookieSecrets(started);
        if (!awaitsBegin) {
            startServing(started);
        }
        if (!awaitsDirectory) {
            started.beginManagedZones();
            cacheStore.restore(started, config.dataDir());
        }
        return new Running(started, geo, config.geo(), config.dataDir());
    }

    private ZoneInputs inputs(Topology pools, Optional<GeoSource> geo) {
        return ZoneInputs.of(pools, geo).withCompiler(compiler);
    }

    private void lockDirectory(BallastConfig config, DnsConfig dns) throws IOException {
        if (directory == null && !awaitsDirectory && dns.zones().stream().anyMatch(DnsPart::needsDirectory)) {
            directory = DataDirectory.acquire(config.dataDir());
        }
    }

    /** Whether a zone stores data in the data directory, which only one process at a time may write. */
    private static boolean needsDirectory(ZoneConfig zone) {
        return zone.dnssec().isPresent()
                || zone.secondary().isPresent()
                || zone.update().isPresent()
                || !zone.members().isEmpty();
    }

    private Optional<GeoSource> openGeo(Optional<GeoConfig> config) throws IOException {
        return config.isEmpty() ? Optional.empty() : Optional.of(GeoSource.open(config.get(), control, geoReader));
    }

    /**
     * Prepares another configuration. A new frontend already answers queries before the commit.
     *
     * @throws IOException like {@link #start}
     */
    public Change prepare(BallastConfig next, Topology pools) throws IOException {
        Running before = running;
        if (next.dns().isEmpty()) {
            return new Change(before, /* next= */ null, /* zones= */ null);
        }
        if (before == null) {
            return new Change(before, open(next, next.dns().get(), pools), /* zones= */ null);
        }
        return change(before, next, next.dns().get(), pools);
    }

    /**
     * Switches to another topology with the same pools. Called on the control plane's thread while no change is
     * prepared.
     */
    public void switchTopology(Topology pools) {
        Running present = running;
        if (present != null) {
            present.frontend.switchTopology(inputs(pools, present.geo));
        }
    }

    private Change change(Running before, BallastConfig next, DnsConfig dns, Topology pools) throws IOException {
        lockDirectory(next, dns);
        boolean sameGeo = next.geo().equals(before.geoConfig);
        Optional<GeoSource> geo = sameGeo ? before.geo : openGeo(next.geo());
        try {
            DnsChange zones = before.frontend.prepare(dns, inputs(pools, geo));
            return new Change(before, new Running(before.frontend, geo, next.geo(), before.dataDir), zones);
        } catch (IOException | RuntimeException e) {
            if (!sameGeo) {
                geo.ifPresent(GeoSource::close);
            }
            throw e;
        }
    }

    /** The change that adds the frontend, removes it, or changes its configuration. */
    final class Change implements PreparedChange {

        private final @Nullable Running before;
        private final @Nullable Running next;
        /** The prepared change of the zones; null if this change adds or removes the DNS frontend. */
        private final @Nullable DnsChange zones;

        private boolean committed;

        private Change(@Nullable Running before, @Nullable Running next, @Nullable DnsChange zones) {
            this.before = before;
            this.next = next;
            this.zones = zones;
        }

        /** Returns whether zones or the contents of their files have changed. */
        boolean hasChangedZones() {
            return zones == null ? (before == null) != (next == null) : zones.hasOtherZones();
        }

        @Override
        public List<String> warnings() {
            return zones == null ? List.of() : zones.warnings();
        }

        @Override
        public void commit() {
            committed = true;
            if (zones != null) {
                zones.commit();
            }
            running = next;
            frontend().ifPresent(DnsPart.this::shareCookieSecrets);
        }

        @Override
        public void releasePrevious() {
            if (zones != null) {
                zones.releasePrevious();
            }
            closeUnused(before, next);
        }

        @Override
        public void close() {
            if (zones != null) {
                zones.close();
            }
            if (!committed) {
                closeUnused(next, before);
            }
        }
    }

    /**
     * Closes the frontend and the GeoIP source of {@code replaced}. If {@code staying} is given, closes only the
     * GeoIP source, and only if {@code staying} has a different one. Returns immediately.
     */
    private void closeUnused(@Nullable Running replaced, @Nullable Running staying) {
        if (replaced == null) {
            return;
        }
        if (staying == null) {
            compiler.execute(() -> closeResources(replaced));
        } else if (!replaced.geo.equals(staying.geo)) {
            replaced.closeGeo();
        }
    }

    private static void closeResources(Running replaced) {
        replaced.frontend.close();
        replaced.closeGeo();
    }

    @Override
    public void close() {
        Running last = running;
        saveCache();
        running = null;
        if (last != null) {
            closeResources(last);
        }
        signer.close();
        compiler.close();
        transfers.close();
        fetchers.close();
        lists.close();
        geoReader.close();
        try {
            if (directory != null) {
                directory.close();
            }
        } catch (IOException e) {
            LOG.warn("msg=\"cannot release the lock on the data directory\"", e);
        }
    }
}
