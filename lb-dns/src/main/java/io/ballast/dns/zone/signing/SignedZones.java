package io.ballast.dns.zone.signing;

import io.ballast.dns.config.DnsConfig;
import io.ballast.dns.config.zone.DnssecConfig;
import io.ballast.dns.config.zone.ZoneConfig;
import io.ballast.dns.dnssec.OnDemandCounters;
import io.ballast.dns.dnssec.OnDemandSigner;
import io.ballast.dns.dnssec.SignedZone;
import io.ballast.dns.dnssec.SigningProvider;
import io.ballast.dns.dnssec.ZoneSigner;
import io.ballast.dns.dnssec.key.KeyAlgorithm;
import io.ballast.dns.dnssec.key.KeyDirectory;
import io.ballast.dns.dnssec.key.KeyWatch;
import io.ballast.dns.dnssec.key.ZoneKeySet;
import io.ballast.dns.wire.NameHash;
import io.ballast.dns.zone.contents.Names;
import io.ballast.dns.zone.contents.Ttl;
import io.ballast.dns.zone.contents.ZoneContents;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.xbill.DNS.Name;

/**
 * The signed zones with their last known keys, and the times at which they must be signed again.
 *
 * <p>Thread safety: confined to the thread that signs whole zones, except for {@link #onDemand}.
 */
public final class SignedZones {

    /**
     * Signing time per second for each answering thread. A flood of random names therefore leaves three quarters
     * of the time to other queries.
     */
    private static final Duration ON_DEMAND_PER_SECOND = Duration.ofMillis(250);

    /**
     * Signatures are backdated: they become valid an hour before they are created. If the clock is set back by
     * more than half an hour, all zones are signed again.
     */
    static final Duration MAX_CLOCK_SETBACK = ZoneSigner.BACKDATED.dividedBy(2);

    /**
     * Maximum time for one check of keys. Keys are checked every two seconds, and a check of 10,000 zones would
     * take half a second of CPU.
     */
    static final Duration MAX_CHECK_DURATION = Duration.ofMillis(50);

    private static final Logger LOG = LoggerFactory.getLogger(SignedZones.class);

    private final Clock clock;
    private final LongSupplier nanoTime;
    private final Map<Name, Watched> zones = new HashMap<>();
    private Instant renewAt = Instant.MAX;

    /** The latest observed time of the clock since it was last set back. */
    private Instant latest;

    private boolean due;
    private boolean isOld;
    /** The zones in the order in which their keys are checked, the next one first. */
    private final Deque<Watched> checkQueue = new ArrayDeque<>();

    private static final class Watched {
        private final DnssecConfig config;
        private final KeyWatch keys;
        private @Nullable SignedZone current;
        /** The keys that signed {@link #current}. */
        private @Nullable ZoneKeySet usedKeys;

        private int negativeTtl;

        Watched(DnssecConfig config, KeyWatch keys) {
            this.config = config;
            this.keys = keys;
        }
    }

    private SignedZones(Clock clock, LongSupplier nanoTime) {
        this.clock = clock;
        this.nanoTime = nanoTime;
        this.latest = clock.instant();
    }

    /** Creates an instance without signed zones. */
    public static SignedZones none() {
        return new SignedZones(Clock.systemUTC(), System::nanoTime);
    }

    /**
     * Opens all zones that are to be signed, and creates keys for zones that have none yet.
     *
     * @param nanoTime a clock like {@link System#nanoTime} that any thread may call; limits the time spent on
     *     signing
     * @throws IOException if keys cannot be read, written or used; the message names the file
     */
    public static SignedZones start(DnsConfig config, SigningSetup setup, LongSupplier nanoTime) throws IOException {
        Clock clock = setup.control().clock();
        SignedZones signed = new SignedZones(clock, nanoTime);
        for (ZoneConfig zone : config.zones()) {
            if (zone.dnssec().isPresent()) {
                DnssecConfig dnssec = zone.dnssec().get();
                signed.add(zone.name(), new Watched(dnssec, watch(zone.name(), dnssec, setup, /* withholds= */ true)));
            }
        }
        signed.renewAt = signed.clock.instant().plus(signed.interval());
        return signed;
    }

    private void add(String zone, Watched watched) {
        zones.put(Names.absolute(zone), watched);
        checkQueue.add(watched);
    }

    private static KeyWatch watch(String zone, DnssecConfig dnssec, SigningSetup setup, boolean withholds)
            throws IOException {
        KeyDirectory directory = new KeyDirectory(setup.dataDir(), zone);
        KeyAlgorithm algorithm = KeyAlgorithm.of(dnssec.algorithm());
        Instant now = setup.control().clock().instant();
        return setup.sharesKeys()
                ? KeyWatch.shared(directory, algorithm, now, withholds)
                : new KeyWatch(directory, algorithm, now);
    }

    /**
     * Returns the signed zones of a new configuration, which will replace this instance. Existing key watches are kept.
     * Zones with unchanged signing settings remain the same objects, so that their signatures are reused.
     *
     * @throws IOException under the same conditions as {@link #start}
     */
    public SignedZones next(DnsConfig config, SigningSetup setup) throws IOException {
        SignedZones next = new SignedZones(setup.control().clock(), nanoTime);
        for (ZoneConfig zone : config.zones()) {
            if (zone.dnssec().isPresent()) {
                Watched before = zones.get(Names.absolute(zone.name()));
                next.add(zone.name(), next(zone.name(), zone.dnssec().get(), before, setup));
            }
        }
        // Unchanged zones keep their earlier signatures, so the renewal must not be later than planned before.
        Instant renewNext = next.clock.instant().plus(next.interval());
        next.renewAt = renewNext.isBefore(renewAt) ? renewNext : renewAt;
        next.latest = latest;
        next.due = due;
        next.isOld = isOld;
        return next;
    }

    private static Watched next(String zone, DnssecConfig dnssec, @Nullable Watched before, SigningSetup setup)
            throws IOException {
        if (before == null || before.config.algorithm() != dnssec.algorithm()) {
            // A zone that was served unsigned has no DS record, so resolvers do not validate its first signatures.
            return new Watched(dnssec, watch(zone, dnssec, setup, /* withholds= */ false));
        }
        Watched next = new Watched(dnssec, before.keys);
        if (before.config.equals(dnssec)) {
            next.current = before.current;
            next.usedKeys = before.usedKeys;
            next.negativeTtl = before.negativeTtl;
        }
        return next;
    }

    public boolean isEmpty() {
        return zones.isEmpty();
    }

    /** Returns signers with the current keys of these zones, for the thread that signs whole zones. */
    public ZoneSigners signers() {
        return signers(this::signedZone);
    }

    /** Returns signers for use by another thread; {@code source} provides the signing data of each zone. */
    public ZoneSigners signers(Function<ZoneContents, SignedZone> source) {
        Map<Name, DnssecConfig> configs = new HashMap<>();
        zones.forEach((name, zone) -> configs.put(name, zone.config));
        return new ZoneSigners(configs, source, clock);
    }

    private SignedZone signedZone(ZoneContents contents) {
        Watched zone = zones.get(contents.apex());
        if (zone == null) {
            throw new IllegalStateException("not a signed zone: " + contents.apex());
        }
        int negativeTtl = Ttl.negative(contents.requireSoa());
        if (zone.current == null || zone.negativeTtl != negativeTtl) {
            byte[] apex = contents.apex().toWireCanonical();
            zone.current = new SignedZone(apex, zone.config, zone.keys.current(), negativeTtl);
            zone.usedKeys = zone.keys.current();
            zone.negativeTtl = negativeTtl;
        }
        return zone.current;
    }

    /**
     * Returns the current version of each zone, by zone name. Omits a zone that was not requested since its
     * keys changed.
     */
    public Map<Name, SignedZone> current() {
        Map<Name, SignedZone> current = new HashMap<>();
        zones.forEach((name, zone) -> {
            if (zone.current != null) {
                current.put(name, zone.current);
            }
        });
        return current;
    }

    @SuppressWarnings("ReferenceEquality") // a key set is a new object only if it has changed
    private static boolean hasOtherKeys(Watched zone) {
        return zone.current != null && zone.usedKeys != zone.keys.current();
    }

    /**
     * Checks whether zones must be re-signed, because their keys have changed, signatures need renewal, or the
     * clock was set back. Once the result is true, it stays true until the zones are re-signed. A check takes at
     * most {@link #MAX_CHECK_DURATION}: if there are very many zones, the keys of the remaining zones are checked
     * next time.
     */
    public boolean isDue() {
        Instant now = clock.instant();
        isOld |= !now.isBefore(renewAt) || isClockSetBack(now);
        due |= isOld;
        long begin = nanoTime.getAsLong();
        for (int left = checkQueue.size();
                left > 0 && nanoTime.getAsLong() - begin < MAX_CHECK_DURATION.toNanos();
                left--) {
            Watched zone = checkQueue.remove();
            checkQueue.add(zone);
            // For some time, a zone and its replacement both check the same keys, so either of them may detect a change
            // first.
            if (zone.keys.refresh(now) || hasOtherKeys(zone)) {
                zone.current = null;
                due = true;
            }
        }
        return due;
    }

    /**
     * Whether all zones must be signed again because signatures need renewal; otherwise, only zones with changed
     * keys must be signed again.
     */
    public boolean areSignaturesOld() {
        return isOld;
    }

    /**
     * Whether the clock was set back so far that signatures may start in the future. If so, discards the
     * signatures of all zones.
     */
    private boolean isClockSetBack(Instant now) {
        if (!now.isBefore(latest.minus(MAX_CLOCK_SETBACK))) {
            latest = now.isAfter(latest) ? now : latest;
            return false;
        }
        LOG.warn("clock={} was={} msg=\"the clock was set back: all zones are signed again\"", now, latest);
        latest = now;
        zones.values().forEach(zone -> zone.current = null);
        return true;
    }

    /**
     * Records that the due zones have been signed.
     *
     * @param all whether all zones were signed; signing is then due again when the first signatures need renewal
     */
    public void markRenewed(boolean all) {
        due = false;
        if (all) {
            isOld = false;
            renewAt = clock.instant().plus(interval());
        }
    }

    /** Returns the time until the first signatures may need renewal. */
    private Duration interval() {
        return zones.values().stream()
                .map(zone -> ZoneSigner.renewalInterval(zone.config.validity()))
                .min(Duration::compareTo)
                .orElse(Duration.ofDays(1));
    }

    /** Creates a signer for an answering thread. */
    public OnDemandSigner onDemand(NameHash hash, OnDemandCounters counters) {
        return new OnDemandSigner(hash, SigningProvider.fastest(), clock, nanoTime, ON_DEMAND_PER_SECOND, counters);
    }
}
