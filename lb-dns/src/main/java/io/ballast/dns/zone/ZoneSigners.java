package io.ballast.dns.zone;

import io.ballast.core.config.DnsConfig;
import io.ballast.core.config.DnssecConfig;
import io.ballast.core.config.ZoneConfig;
import io.ballast.dns.dnssec.OnDemandCounters;
import io.ballast.dns.dnssec.OnDemandSigner;
import io.ballast.dns.dnssec.SignedZone;
import io.ballast.dns.dnssec.SigningProvider;
import io.ballast.dns.dnssec.ZoneSigner;
import io.ballast.dns.dnssec.key.KeyAlgorithm;
import io.ballast.dns.dnssec.key.KeyDirectory;
import io.ballast.dns.dnssec.key.KeyWatch;
import io.ballast.dns.wire.NameHash;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.xbill.DNS.Name;

/**
 * Who signs which zone at the moment. Thread safety: confined to the control plane, apart from {@link #onDemand}.
 */
final class ZoneSigners {

    /** Of each second, for each answering thread: a flood of random names leaves three quarters to everybody else. */
    private static final Duration ON_DEMAND_PER_SECOND = Duration.ofMillis(250);

    private final Clock clock;
    private final LongSupplier nanoTime;
    private final SplittableRandom random = new SplittableRandom();
    private final Map<Name, Signed> zones = new HashMap<>();
    private Instant renewAt = Instant.MAX;

    private static final class Signed {
        private final DnssecConfig config;
        private final KeyWatch keys;
        private @Nullable ZoneSigner signer;

        Signed(DnssecConfig config, KeyWatch keys) {
            this.config = config;
            this.keys = keys;
        }
    }

    private ZoneSigners(Clock clock, LongSupplier nanoTime) {
        this.clock = clock;
        this.nanoTime = nanoTime;
    }

    /** Nobody signs. */
    static ZoneSigners none() {
        return new ZoneSigners(Clock.systemUTC(), System::nanoTime);
    }

    /**
     * The signers of all zones that are to be signed; makes the first keys of those that have none.
     *
     * @param nanoTime as {@link System#nanoTime}, on any thread: what signing takes of it is limited
     * @throws IOException if keys cannot be read, written or used; the message names the file
     */
    static ZoneSigners start(DnsConfig config, SigningSetup setup, LongSupplier nanoTime) throws IOException {
        Clock clock = setup.control().clock();
        ZoneSigners signers = new ZoneSigners(clock, nanoTime);
        for (ZoneConfig zone : config.zones()) {
            if (zone.dnssec().isPresent()) {
                DnssecConfig dnssec = zone.dnssec().get();
                KeyDirectory directory = new KeyDirectory(setup.dataDir(), zone.name());
                KeyWatch keys = new KeyWatch(directory, KeyAlgorithm.of(dnssec.algorithm()), clock.instant());
                signers.zones.put(Names.absolute(zone.name()), new Signed(dnssec, keys));
            }
        }
        return signers;
    }

    boolean isEmpty() {
        return zones.isEmpty();
    }

    /** Who signs a zone; null if it is not signed. */
    @Nullable ZoneSigner of(ZoneContents zone) {
        Signed signed = zones.get(zone.apex());
        if (signed == null) {
            return null;
        }
        if (signed.signer == null) {
            byte[] apex = zone.apex().toWireCanonical();
            SignedZone current =
                    new SignedZone(apex, signed.config, signed.keys.current(), Ttl.negative(zone.startOfAuthority()));
            signed.signer = new ZoneSigner(current, SigningProvider.fastest(), clock, random);
        }
        return signed.signer;
    }

    /** The longest TTL of a zone's records. */
    int longestTtl(ZoneContents zone) {
        Signed signed = zones.get(zone.apex());
        return signed == null ? 0 : Ttl.seconds(signed.config.maxTtl());
    }

    /** Whether everything is to be signed again, because keys have changed or signatures grow old. */
    boolean isDue() {
        Instant now = clock.instant();
        boolean due = !now.isBefore(renewAt);
        for (Signed zone : zones.values()) {
            if (zone.keys.refresh(now)) {
                zone.signer = null;
                due = true;
            }
        }
        return due;
    }

    /** Everything was looked at: it is due again when the first zone's signatures may have grown old. */
    void renewed() {
        Duration interval = zones.values().stream()
                .map(zone -> zone.signer)
                .filter(signer -> signer != null)
                .map(ZoneSigner::renewalInterval)
                .min(Duration::compareTo)
                .orElse(Duration.ofDays(1));
        renewAt = clock.instant().plus(interval);
    }

    /** A signer for an answering thread. */
    OnDemandSigner onDemand(NameHash hash, OnDemandCounters counters) {
        return new OnDemandSigner(hash, SigningProvider.fastest(), clock, nanoTime, ON_DEMAND_PER_SECOND, counters);
    }
}
