package io.ballast.dns.update;

import io.ballast.core.ErrorText;
import io.ballast.core.stats.Counters;
import io.ballast.dns.config.DnsConfig;
import io.ballast.dns.config.zone.UpdateConfig;
import io.ballast.dns.config.zone.ZoneConfig;
import io.ballast.dns.control.ControlHandler;
import io.ballast.dns.control.ControlRequest;
import io.ballast.dns.stats.DnsCounter;
import io.ballast.dns.zone.contents.ZoneContents;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.xbill.DNS.DClass;
import org.xbill.DNS.Name;
import org.xbill.DNS.Rcode;
import org.xbill.DNS.Record;
import org.xbill.DNS.Type;

/**
 * Handles dynamic updates (<a href="https://datatracker.ietf.org/doc/html/rfc2136">RFC 2136</a>). Updates
 * that arrive while other updates are processed are combined: each zone is written once and activated once.
 * An update is answered when it is on disk and active. If either step fails, the response is SERVFAIL, and
 * the zone is unchanged.
 *
 * <p>Thread safety: the thread that handles messages calls {@link #onUpdate}; zones are prepared and updates
 * are processed on the thread that applies configuration changes; any thread may call {@link #commit}, {@link
 * #begin} and {@link #pause}. At most {@value #MAX_WAITING} updates wait.
 */
public final class Updates implements ControlHandler {

    static final int MAX_WAITING = 256;

    private static final Logger LOG = LoggerFactory.getLogger(Updates.class);

    private final Path directory;
    private final Executor changes;
    /** The counters of the thread that handles messages. */
    private final Counters.Shard<DnsCounter> refusalCounters;
    /** The counters of the thread that applies configuration changes. */
    private final Counters.Shard<DnsCounter> resultCounters;

    private final Queue<ControlRequest> waiting = new ConcurrentLinkedQueue<>();
    private final AtomicInteger waitingCount = new AtomicInteger();
    private final AtomicBoolean isScheduled = new AtomicBoolean();
    private volatile Map<Name, UpdatedZone> zones = Map.of();
    /** The names of all zones of the active configuration; empty if clients may update none of them. */
    private volatile Set<String> names = Set.of();

    /**
     * Zones whose files were written but are not served yet; confined to the thread that applies configuration
     * changes.
     */
    private final Set<String> zonesBeingWritten = new HashSet<>();

    /**
     * Active zones whose prepared files have not replaced the current files yet. The thread that applies
     * configuration changes replaces them.
     */
    private final Queue<UpdatedZone> zonesToActivate = new ConcurrentLinkedQueue<>();

    private volatile boolean isStarted;
    private volatile Served servedZones = Served.NOTHING;

    /** The frontend that serves the zones. */
    public interface Served {

        /** The placeholder before the start, when no zones are served. */
        Served NOTHING = new Served() {
            @Override
            public Optional<ZoneContents> contents(Name apex) {
                return Optional.empty();
            }

            @Override
            public void activateAll() throws IOException {
                throw new IOException("no zones are active yet");
            }

            @Override
            public void activateContents(String zone, ZoneContents contents) throws IOException {
                activateAll();
            }
        };

        /** The records of the served zone. */
        Optional<ZoneContents> contents(Name apex);

        /**
         * Reads and serves the current files of all zones. First merges the changes that were made to the configured
         * zone files.
         *
         * @throws IOException if a zone cannot be read or served; the served state is unchanged in this case
         */
        void activateAll() throws IOException;

        /**
         * Starts to serve changed records of a zone. The records are already in the files of the zone. The cost
         * hardly depends on the number and size of other zones.
         *
         * @param zone name of the zone
         * @throws IOException if the records cannot be served; the served state is unchanged in this case
         */
        void activateContents(String zone, ZoneContents contents) throws IOException;
    }

    /** A processed update whose response is pending. */
    private record Outcome(ControlRequest request, Update update) {}

    /**
     * @param directory directory that is used only for updated zones
     * @param changes serial executor of configuration changes
     * @param refused counters of refused updates; the shard of the thread that handles messages
     * @param done counters of processed updates; the shard of the thread of {@code changes}
     */
    public Updates(
            Path directory, Executor changes, Counters.Shard<DnsCounter> refused, Counters.Shard<DnsCounter> done) {
        this.directory = directory;
        this.changes = changes;
        this.refusalCounters = refused;
        this.resultCounters = done;
    }

    /** Sets the frontend that serves the zones. */
    public void setFrontend(Served frontend) {
        servedZones = frontend;
    }

    /**
     * Returns the configuration with the updated zones. If this process owns the directory, it merges changes
     * that were made to a zone's configured file.
     *
     * @throws IOException if a file cannot be read or written; the message names the file
     */
    public PreparedUpdates prepare(DnsConfig config) throws IOException {
        return prepare(config, /* merges= */ true);
    }

    /**
     * Like {@link #prepare(DnsConfig)}, but does not read the configured zone files, so their changes are not merged.
     * Used to prepare the active configuration again after dynamic updates.
     */
    public PreparedUpdates prepareWithoutMerge(DnsConfig config) throws IOException {
        return prepare(config, /* merges= */ false);
    }

    private PreparedUpdates prepare(DnsConfig config, boolean merges) throws IOException {
        activatePrepared();
        Map<String, UpdatedZone> known = new HashMap<>();
        if (!merges && isStarted) {
            zones.values().forEach(zone -> known.put(zone.name(), zone));
        }
        Map<Name, UpdatedZone> next = new LinkedHashMap<>();
        List<ZoneConfig> all = new ArrayList<>();
        for (ZoneConfig zone : config.zones()) {
            if (zone.update().isEmpty() || zone.file().isEmpty()) {
                all.add(zone);
                continue;
            }
            UpdatedZone before = known.get(zone.name());
            UpdatedZone each = before != null && isUnchanged(before, zone)
                    ? before
                    : prepare(zone, zone.update().get(), zone.file().get(), merges, before);
            next.put(each.apex(), each);
            all.add(each.config());
        }
        return next.isEmpty()
                ? new PreparedUpdates(config, next, Set.of())
                : new PreparedUpdates(
                        config.withZones(all),
                        next,
                        all.stream().map(ZoneConfig::name).collect(Collectors.toSet()));
    }

    /**
     * Returns whether the zone and its settings are unchanged. If they are, the zone's files are not examined,
     * because no other process uses the directory.
     */
    private boolean isUnchanged(UpdatedZone before, ZoneConfig zone) {
        return !before.isPrepared()
                && !zonesBeingWritten.contains(before.name())
                && before.source().equals(zone);
    }

    /**
     * @param before the zone that is currently served; its files are known, because only this process changes
     *     them. Null if the files may have changed
     */
    private UpdatedZone prepare(
            ZoneConfig zone, UpdateConfig clients, Path own, boolean merges, @Nullable UpdatedZone before)
            throws IOException {
        boolean isKnown = before != null && before.source().equals(zone);
        // Reuses the object because it knows the end of the journal; a new object must read the whole journal.
        DynamicZoneFiles files =
                before != null && isKnown ? before.files() : new DynamicZoneFiles(directory, zone.name());
        Optional<Path> current = files.current();
        if (before != null
                && isKnown
                && !before.isPrepared()
                && before.config().file().equals(Optional.of(current.orElse(own)))) {
            return before;
        }
        Path prepared = merges && isStarted && current.isPresent() ? mergeFile(zone, files, own, current.get()) : null;
        Path served = prepared != null ? prepared : current.orElse(own);
        return UpdatedZone.of(zone, zone.withFile(Optional.of(served)), clients, files, prepared != null);
    }

    /**
     * Merges changes that were made to the zone's configured file into the current records, and writes the
     * result. Returns the path of the result; null if the configured file has not changed.
     */
    private static @Nullable Path mergeFile(ZoneConfig zone, DynamicZoneFiles files, Path own, Path current)
            throws IOException {
        List<Record> now;
        try {
            now = files.read(own);
        } catch (IOException e) {
            throw new IOException("zone " + zone.name() + ": " + ErrorText.of(e), e);
        }
        List<Record> kept = files.readCurrent(current);
        List<Record> merged = ZoneMerger.merge(files.base(), now, kept);
        if (merged == kept) {
            return null;
        }
        LOG.info("zone={} file={} msg=\"merged edits of the zone file with dynamic updates\"", zone.name(), own);
        return files.prepare(sink -> writeAll(merged, sink), sink -> writeAll(now, sink));
    }

    private static void writeAll(List<Record> records, ZoneDraft.Sink sink) throws IOException {
        for (Record each : records) {
            sink.accept(each);
        }
    }

    /** Activates the zones. Accesses no file, so it may run on the control plane. */
    public void commit(PreparedUpdates prepared) {
        zones = prepared.zones();
        names = prepared.names();
        zones.values().stream().filter(UpdatedZone::isPrepared).forEach(zonesToActivate::add);
        if (!zonesToActivate.isEmpty()) {
            changes.execute(this::activatePrepared);
        }
    }

    /**
     * Replaces the current files of active zones by their prepared files. Runs before any other change to these
     * files.
     */
    private void activatePrepared() {
        for (UpdatedZone zone = zonesToActivate.poll(); zone != null; zone = zonesToActivate.poll()) {
            try {
                zone.files().activatePrepared();
            } catch (IOException e) {
                LOG.error(
                        "zone={} msg=\"the changes of the zone file are active but not saved; they will be merged again\""
                                + " reason=\"{}\"",
                        zone.apex(),
                        ErrorText.of(e));
            }
        }
    }

    /**
     * Starts processing updates after this process has become the owner of the data directory. First activates
     * the zone changes that the previous owner saved.
     */
    public void begin() {
        isStarted = true;
        changes.execute(this::activateSavedZones);
    }

    private void activateSavedZones() {
        if (zones.isEmpty()) {
            return;
        }
        try {
            servedZones.activateAll();
        } catch (IOException | RuntimeException e) {
            LOG.error("msg=\"cannot activate saved zones\" reason=\"{}\"", ErrorText.of(e));
        }
    }

    /**
     * Hands the files over to another process. Further updates are answered with SERVFAIL, so that clients retry.
     *
     * @return a future that completes when no update is running and nothing more is written
     */
    public CompletableFuture<Void> pause() {
        isStarted = false;
        return CompletableFuture.runAsync(this::activatePrepared, changes);
    }

    @Override
    public boolean onUpdate(ControlRequest request) {
        Record about = request.question().orElse(null);
        if (about == null || about.getType() != Type.SOA || about.getDClass() != DClass.IN) {
            refusalCounters.increment(DnsCounter.UPDATES_MALFORMED);
            request.respond(Rcode.FORMERR);
            return true;
        }
        UpdatedZone zone = zones.get(about.getName());
        if (zone == null) {
            boolean isServed = names.contains(
                    about.getName().toString(/* omitFinalDot= */ true).toLowerCase(Locale.ROOT));
            refusalCounters.increment(DnsCounter.UPDATES_PROHIBITED);
            request.respond(isServed ? Rcode.REFUSED : Rcode.NOTAUTH);
        } else if (!zone.permits(request)) {
            refusalCounters.increment(DnsCounter.UPDATES_PROHIBITED);
            request.respond(Rcode.REFUSED);
        } else if (!isStarted || waitingCount.incrementAndGet() > MAX_WAITING) {
            if (isStarted) {
                waitingCount.decrementAndGet();
            }
            refusalCounters.increment(DnsCounter.UPDATES_OVERLOADED);
            request.respond(Rcode.SERVFAIL);
        } else {
            waiting.add(request);
            if (isScheduled.compareAndSet(/* expectedValue= */ false, /* newValue= */ true)) {
                changes.execute(this::run);
            }
        }
        return true;
    }

    private void run() {
        activatePrepared();
        isScheduled.set(false); // an update that arrives after this line schedules another run
        Map<Name, List<ControlRequest>> batch = new LinkedHashMap<>();
        ControlRequest next = waiting.poll();
        while (next != null) {
            waitingCount.decrementAndGet();
            Name zone = next.question().orElseThrow().getName();
            batch.computeIfAbsent(zone, first -> new ArrayList<>()).add(next);
            next = waiting.poll();
        }
        batch.forEach(this::run);
    }

    /**
     * Applies the updates of a zone as one change. If the result cannot be served, each half of the updates is
     * applied separately, so that an update does not fail because of another update.
     */
    private void run(Name name, List<ControlRequest> requests) {
        UpdatedZone zone = zones.get(name);
        Optional<ZoneContents> contents = servedZones.contents(name);
        if (zone == null || contents.isEmpty() || !isStarted) {
            requests.forEach(request -> answer(request, Rcode.SERVFAIL, DnsCounter.UPDATES_FAILED));
            return;
        }
        ZoneDraft draft = new ZoneDraft(contents.get());
        List<Outcome> outcomes = new ArrayList<>();
        for (ControlRequest request : requests) {
            Update update = update(request, draft, zone);
            if (update.draft() != null) {
                draft.merge(update.draft());
            }
            outcomes.add(new Outcome(request, update));
        }
        boolean isDone = !draft.hasChanges() || saveAndServe(zone, contents.get(), draft);
        if (isDone || requests.size() == 1) {
            outcomes.forEach(outcome -> answer(outcome, isDone));
            return;
        }
        int half = requests.size() / 2;
        run(name, requests.subList(0, half));
        run(name, requests.subList(half, requests.size()));
    }

    /** Processes an update; a failure does not affect the responses to other updates. */
    private static Update update(ControlRequest request, ZoneDraft draft, UpdatedZone zone) {
        try {
            return Update.of(request.message(), draft, zone.services()::contains, zone.isSigned());
        } catch (RuntimeException e) {
            LOG.error("zone={} msg=\"internal error while processing an update\"", zone.apex(), e);
            return new Update(/* draft= */ null, Rcode.SERVFAIL);
        }
    }

    /** Writes a version to disk and serves it; on failure, nothing changes. */
    private boolean saveAndServe(UpdatedZone zone, ZoneContents before, ZoneDraft draft) {
        boolean isWritten = false;
        zonesBeingWritten.add(zone.name());
        try {
            if (zone.files().current().isEmpty()) {
                zone.files().writeBase(new ZoneDraft(before)::forEach);
            }
            ZoneContents next = before.with(draft.changedSets());
            zone.files().write(draft);
            isWritten = true;
            servedZones.activateContents(zone.name(), next);
            zone.files().deleteObsoleteFiles();
            LOG.info(
                    "zone={} serial={} msg=\"the zone was changed by updates\"",
                    zone.apex(),
                    draft.soa().getSerial());
            return true;
        } catch (IOException | RuntimeException e) {
            LOG.error(
                    "zone={} msg=\"updates cannot be saved or activated\" reason=\"{}\"", zone.apex(), ErrorText.of(e));
            if (isWritten) {
                undo(zone);
            }
            return false;
        } finally {
            zonesBeingWritten.remove(zone.name());
        }
    }

    private static void undo(UpdatedZone zone) {
        try {
            zone.files().undo();
        } catch (IOException e) {
            LOG.error(
                    "zone={} msg=\"cannot remove a rejected update from the file\" reason=\"{}\"",
                    zone.apex(),
                    ErrorText.of(e));
        }
    }

    private void answer(Outcome outcome, boolean isDone) {
        Update update = outcome.update();
        if (update.draft() != null) {
            answer(
                    outcome.request(),
                    isDone ? Rcode.NOERROR : Rcode.SERVFAIL,
                    isDone ? DnsCounter.UPDATES_APPLIED : DnsCounter.UPDATES_FAILED);
        } else {
            answer(outcome.request(), update.rcode(), counter(update.rcode()));
        }
    }

    private static DnsCounter counter(int rcode) {
        return switch (rcode) {
            case Rcode.NOERROR -> DnsCounter.UPDATES_UNCHANGED;
            case Rcode.REFUSED -> DnsCounter.UPDATES_PROHIBITED;
            case Rcode.FORMERR, Rcode.NOTZONE -> DnsCounter.UPDATES_MALFORMED;
            case Rcode.SERVFAIL -> DnsCounter.UPDATES_FAILED;
            default -> DnsCounter.UPDATES_UNMET;
        };
    }

    private void answer(ControlRequest request, int rcode, DnsCounter counter) {
        resultCounters.increment(counter);
        request.respond(rcode);
    }
}
