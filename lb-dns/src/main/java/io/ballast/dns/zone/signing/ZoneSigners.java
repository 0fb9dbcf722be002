package io.ballast.dns.zone.signing;

import io.ballast.dns.config.zone.DnssecConfig;
import io.ballast.dns.dnssec.SignedZone;
import io.ballast.dns.dnssec.SigningProvider;
import io.ballast.dns.dnssec.ZoneSigner;
import io.ballast.dns.zone.contents.Ttl;
import io.ballast.dns.zone.contents.ZoneContents;
import java.time.Clock;
import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.xbill.DNS.Name;

/** The signers of zones, for one compiling thread. Thread safety: confined to that thread. */
public final class ZoneSigners {

    private final Map<Name, DnssecConfig> configs;
    private final Function<ZoneContents, SignedZone> zones;
    private final Clock clock;
    private final SplittableRandom random = new SplittableRandom();
    private final Map<Name, ZoneSigner> signers = new HashMap<>();

    /**
     * @param configs signing configurations of the zones by name
     * @param zones function that returns, for the contents of a zone, the signed zone with its current keys
     */
    ZoneSigners(Map<Name, DnssecConfig> configs, Function<ZoneContents, SignedZone> zones, Clock clock) {
        this.configs = configs;
        this.zones = zones;
        this.clock = clock;
    }

    /**
     * Adds the signers of {@code others} that are missing from this set. Both sets must be confined to the
     * calling thread.
     */
    public void takeOver(ZoneSigners others) {
        others.signers.forEach(signers::putIfAbsent);
    }

    /** Whether no zone is signed. */
    public boolean isEmpty() {
        return configs.isEmpty();
    }

    /** Returns the signer of a zone; null if the zone is not signed. Drops signatures made with other keys. */
    public @Nullable ZoneSigner of(ZoneContents zone) {
        if (!configs.containsKey(zone.apex())) {
            return null;
        }
        SignedZone signed = zones.apply(zone);
        ZoneSigner known = signers.get(zone.apex());
        if (known != null && known.zone() == signed) {
            return known;
        }
        ZoneSigner signer = new ZoneSigner(signed, SigningProvider.fastest(), clock, random);
        signers.put(zone.apex(), signer);
        return signer;
    }

    /** The longest TTL of a zone's records. */
    public int longestTtl(ZoneContents zone) {
        DnssecConfig config = configs.get(zone.apex());
        return config == null ? 0 : Ttl.seconds(config.maxTtl());
    }
}
