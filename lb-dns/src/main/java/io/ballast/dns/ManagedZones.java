package io.ballast.dns;

import io.ballast.core.ErrorText;
import io.ballast.core.control.ControlPlane;
import io.ballast.dns.catalog.Catalogs;
import io.ballast.dns.challenge.ChallengeRecords;
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
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * The zones of a frontend that change without a reload: secondary zones, zones with dynamic updates, generated catalog
 * zones, and zones with temporary challenge records.
 *
 * <p>Thread safety: like {@link SecondaryZones} and {@link Updates}.
 */
final class ManagedZones {

    /** Time limit for a change of challenge records, which waits for reloads in progress. */
    private static final Duration MAX_WAIT = Duration.ofMinutes(1);

    private final ControlPlane control;
    private final Executor changes;
    private final ChallengeRecords challenges = new ChallengeRecords();
    private final SecondaryZones secondaries;
    private final Updates updates;
    private final Catalogs catalogs;
    private final DnsStats stats;
    private final Prepared first;
    /** Activates changed zones; set by {@link #commit(Updates.Served, Runnable)}. */
    private volatile Runnable activation = () -> {};

    /** A configuration that can be served but has not been committed. */
    record Prepared(PreparedZones secondaries, PreparedUpdates updates) {

        /** Returns the names of secondary zones that have changed since they were last served. */
        Set<String> changed() {
            return secondaries.changedZones();
        }

        DnsConfig config() {
            return updates.config();
        }
    }

    private ManagedZones(SecondarySetup setup, DnsConfig config, DnsStats stats) throws IOException {
        this.control = setup.control();
        this.changes = setup.changes();
        this.secondaries = new SecondaryZones(setup);
        this.updates = new Updates(setup.updates(), setup.changes(), stats.newShard(), stats.newShard());
        this.catalogs = new Catalogs(setup.catalogs());
        this.stats = stats;
        this.first = prepare(config);
    }

    /**
     * Reads the stored content of the zones in the first configuration.
     *
     * @param stats counters of control messages
     * @throws IOException if the file of a key or of a zone cannot be used; the message names the file
     */
    static ManagedZones start(SecondarySetup setup, DnsConfig config, DnsStats stats) throws IOException {
        return new ManagedZones(setup, config, stats);
    }

    /** Returns the first configuration, with the stored content of the managed zones added. */
    DnsConfig first() {
        return first.config();
    }

    /**
     * Activates the first configuration. From then on, changed zones are passed to {@code frontend}, and {@code
     * later} is called when secondary zones have changed.
     */
    void commit(Updates.Served frontend, Runnable later) {
        commit(first);
        activation = later;
        secondaries.onChange(later);
        updates.setFrontend(frontend);
    }

    /**
     * Prepares another configuration: adds the current content of its managed zones, so that they can be
     * served.
     */
    Prepared prepare(DnsConfig raw) throws IOException {
        PreparedZones prepared = secondaries.prepare(catalogs.prepare(challenges.apply(raw)));
        return new Prepared(prepared, updates.prepare(prepared.config()));
    }

    /**
     * Prepares the active configuration again, with the current zone content. TSIG keys stay in use; their files
     * are not read again.
     *
     * @param merges whether changes of the zones' configured files are merged into zones with dynamic updates
     */
    Prepared prepareAgain(DnsConfig raw, boolean merges) throws IOException {
        PreparedZones prepared = secondaries.prepareAgain(catalogs.prepare(challenges.apply(raw)));
        DnsConfig config = prepared.config();
        return new Prepared(prepared, merges ? updates.prepare(config) : updates.prepareWithoutMerge(config));
    }

    void commit(Prepared prepared) {
        secondaries.commit(prepared.secondaries());
        updates.commit(prepared.updates());
    }

    /**
     * Called when this process has become the owner of the data directory. Starts to query primaries and to
     * accept updates.
     */
    void begin() {
        secondaries.begin();
        updates.begin();
    }

    /**
     * Releases the data directory to another process. The future completes when this process no longer writes to
     * it.
     */
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

    /** Returns the handlers for NOTIFY and UPDATE messages about managed zones that a configuration needs. */
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

    /**
     * Serves a TXT record until it is withdrawn. Blocks until it is active.
     *
     * @throws IOException if the record cannot be served; the served state is unchanged in this case
     */
    void publishChallenge(String name, String text) throws IOException, InterruptedException {
        change(() -> {
            challenges.add(name, text);
            try {
                activation.run();
            } catch (RuntimeException e) {
                challenges.remove(name, text);
                throw e;
            }
        });
    }

    /**
     * Stops serving a TXT record. Returns immediately. If the removal fails, the next change of the zones removes the
     * record.
     */
    void withdrawChallenge(String name, String text) {
        changes.execute(() -> {
            challenges.remove(name, text);
            activation.run();
        });
    }

    /** Runs a task on the executor of configuration changes, and waits until it is done. */
    private void change(Runnable task) throws IOException, InterruptedException {
        try {
            CompletableFuture.runAsync(task, changes).get(MAX_WAIT.toSeconds(), TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            throw new IOException(ErrorText.reason(e), e);
        } catch (TimeoutException e) {
            throw new IOException("the zones did not change within " + MAX_WAIT.toSeconds() + " s", e);
        }
    }

    /** Runs a task on the control plane and waits for it to end. */
    void runOnControlPlane(Runnable task) {
        try {
            control.call(() -> {
                        task.run();
                        return CompletableFuture.completedFuture(null);
                    })
                    .get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // interrupted because the process is ending
        } catch (ExecutionException e) {
            throw new IllegalStateException("zones were only partly activated", e);
        }
    }
}
