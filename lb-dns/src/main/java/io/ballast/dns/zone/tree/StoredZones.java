package io.ballast.dns.zone.tree;

import io.ballast.dns.answer.StoredNames;
import io.ballast.dns.answer.Zone;
import io.ballast.dns.dnssec.ZoneSigner;
import io.ballast.dns.wire.NameHash;
import io.ballast.dns.zone.contents.Names;
import io.ballast.dns.zone.signing.ZoneSigners;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.xbill.DNS.Name;

/**
 * Stores the names of all zones, and stores them again with the signatures that are due. Confined to the
 * thread that signs whole zones.
 */
final class StoredZones {

    private final NameHash hash;
    private final NameTree tree;
    /** What was stored before, if it has signatures, and by whom they were made, by the number of the zone. */
    private @Nullable StoredNames last;

    private final Map<Integer, ZoneSigner> lastSigners = new HashMap<>();

    StoredZones(NameHash hash, NameTree tree) {
        this.hash = hash;
        this.tree = tree;
    }

    /** All names, as they are to be signed now. */
    StoredNames names(ZoneSigners signers) {
        Zone[] zones = new Zone[tree.zoneCount()];
        tree.zones().forEach(zone -> zones[zone.zone().number()] = zone.zone());
        StoredNames.Builder names = new StoredNames.Builder(hash, zones, ZoneRecords.ANY);
        // Nothing waits for the second time: it leaves the other processors to the threads that answer.
        int threads = last == null ? Runtime.getRuntime().availableProcessors() : 1;
        tree.zones().forEach(zone -> addNames(zone, signers.of(zone.contents()), threads, names));
        for (Name name : tree.entries()) {
            names.add(name.toWireCanonical(), tree.entry(name));
        }
        tree.zones().forEach(zone -> addBetween(zone, signers.of(zone.contents()), names));
        StoredNames built = names.build();
        remember(built, signers);
        return built;
    }

    private void remember(StoredNames built, ZoneSigners signers) {
        last = signers.isEmpty() ? null : built;
        for (ZoneRecords zone : tree.zones()) {
            ZoneSigner signer = signers.of(zone.contents());
            if (signer != null) {
                lastSigners.put(zone.zone().number(), signer);
            }
        }
    }

    @SuppressWarnings("ReferenceEquality") // another signer has other keys
    private NameEncoder encoder(ZoneRecords zone, @Nullable ZoneSigner signer) {
        StoredNames before = lastSigners.get(zone.zone().number()) == signer ? last : null;
        return signer == null
                ? new NameEncoder(zone, hash, null, null)
                : new NameEncoder(zone, hash, signer.renewing(), before == null ? null : before.signatures());
    }

    private void addNames(ZoneRecords zone, @Nullable ZoneSigner signer, int threads, StoredNames.Builder names) {
        int most = zone.contents().size() > EncodingThreads.BLOCK_NAMES ? threads : 1;
        try (EncodingThreads encoding = new EncodingThreads(most, () -> encoder(zone, signer), (name, written) -> {
            if (written == null) {
                tree.addEntry(name);
            } else {
                names.add(written, written.length);
            }
        })) {
            for (Name name : zone.contents().visible()) {
                if (!tree.hasEntry(name) && tree.isInnermost(zone, name)) {
                    encoding.add(name);
                }
            }
            encoding.finish();
        }
    }

    /** Adds the names of a zone that exist only because names below them do. */
    private void addBetween(ZoneRecords zone, @Nullable ZoneSigner signer, StoredNames.Builder names) {
        NamesBetween between = new NamesBetween(zone, hash, encoder(zone, signer), names);
        for (Name name : zone.contents().visible()) {
            if (tree.isInnermost(zone, name)) {
                between.addAbove(name);
            }
        }
        for (Name name : tree.entries()) {
            Name apex = tree.apexOf(name);
            // A zone's own name has names above it that are of the zone around it.
            Name around = name.equals(apex) && name.labels() > 1 ? tree.apexOf(Names.above(name)) : apex;
            if (zone.contents().apex().equals(around)) {
                between.addAbove(name);
            }
        }
    }
}
