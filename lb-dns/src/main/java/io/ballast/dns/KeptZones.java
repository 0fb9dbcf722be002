package io.ballast.dns;

import io.ballast.core.control.ControlPlane;
import io.ballast.dns.catalog.Catalogs;
import io.ballast.dns.config.DnsConfig;
import io.ballast.dns.control.ControlHandler;
import io.ballast.dns.secondary.Notifications;
import io.ballast.dns.secondary.PreparedZones;
import io.ballast.dns.secondary.SecondarySetup;
import io.ballast.dns.secondary.SecondaryZones;
import io.ballast.dns.stats.DnsStats;
import io.ballast.dns.update.PreparedUpdates;
import io.ballast.dns.update.Updates;
import java.io.IOException;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

/**
 * The zones of a frontend whose records are kept in files of our own: those that come from other servers, those that
 * messages change, and catalogs that are made here.
 *
 * <p>Thread safety: as that of {@link SecondaryZones} and {@link Updates}.
 */
final class KeptZones {

    private final ControlPlane control;
    private final SecondaryZones secondaries;
    private final Updates updates;
    private final Catalogs catalogs;
    private final DnsStats stats;
    private final Prepared first;

    /** A configuration as it can be served, which waits for its commit. */
    record Prepared(PreparedZones secondaries, PreparedUpdates updates) {

        /** The names of the zones of other servers that are not as they were when they were served last. */
        Set<String> changed() {
            return secondaries.changed();
        }

        DnsConfig config() {
            return updates.config();
        }
    }

    private KeptZones(SecondarySetup setup, DnsConfig config, DnsStats stats) throws IOException {
        this.control = setup.control();
        this.secondaries = new SecondaryZones(setup);
        this.updates = new Updates(setup.updates(), setup.changes(), stats.newShard(), stats.newShard());
        this.catalogs = new Catalogs(setup.catalogs());
        this.stats = stats;
        this.first = prepare(config);
    }

    /**
     * Reads what is kept of the zones of the first configuration.
     *
     * @param stats where messages are counted
     * @throws IOException if the file of a key or of a zone cannot be used; the message names it
     */
    static KeptZones start(SecondarySetup setup, DnsConfig config, DnsStats stats) throws IOException {
        return new KeptZones(setup, config, stats);
    }

    /** The first configuration, as it can be served. */
    DnsConfig first() {
        return first.config();
    }

    /** The first configuration is in force; what comes from now on is taken up by {@code frontend}. */
    void commit(Updates.Served frontend, Runnable later) {
        commit(first);
        secondaries.onChange(later);
        updates.on(frontend);
    }

    /** Makes another configuration one that can be served. */
    Prepared prepare(DnsConfig raw) throws IOException {
        PreparedZones prepared = secondaries.prepare(catalogs.prepare(raw));
        return new Prepared(prepared, updates.prepare(prepared.config()));
    }

    /** Likewise of the configuration in force, for what is kept now. */
    Prepared prepareAgain(DnsConfig raw) throws IOException {
        PreparedZones prepared = secondaries.prepare(catalogs.prepare(raw));
        return new Prepared(prepared, updates.prepareAgain(prepared.config()));
    }

    void commit(Prepared prepared) {
        secondaries.commit(prepared.secondaries());
        updates.commit(prepared.updates());
    }

    /** This process has the directory in which zones are kept: primaries are asked, and messages may change zones. */
    void begin() {
        secondaries.begin();
        updates.begin();
    }

    /** Another process gets it; what is returned completes when nothing is written there any more. */
    CompletableFuture<Void> pause() {
        secondaries.pause();
        return updates.pause();
    }

    SecondaryZones secondaries() {
        return secondaries;
    }

    Updates updates() {
        return updates;
    }

    DnsStats stats() {
        return stats;
    }

    /** What takes messages about such zones, as far as a configuration has some. */
    List<ControlHandler> handlers(DnsConfig config) {
        boolean hasSecondaries =
                config.zones().stream().anyMatch(zone -> zone.secondary().isPresent());
        boolean hasUpdates =
                config.zones().stream().anyMatch(zone -> zone.update().isPresent());
        if (hasSecondaries) {
            Notifications notifications = new Notifications(secondaries);
            return hasUpdates ? List.of(notifications, updates) : List.of(notifications);
        }
        return hasUpdates ? List.of(updates) : List.of();
    }

    /** Runs a task on the control plane and waits for its end. */
    void onControl(Runnable task) {
        try {
            control.call(() -> {
                        task.run();
                        return CompletableFuture.completedFuture(null);
                    })
                    .get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // the process ends
        } catch (ExecutionException e) {
            throw new IllegalStateException("zones are in force in part", e);
        }
    }
}
