package io.ballast.dns.zone.tree;

import io.ballast.dns.answer.StoredNames;
import io.ballast.dns.answer.Zone;
import io.ballast.dns.dnssec.ZoneSigner;
import io.ballast.dns.wire.NameHash;
import io.ballast.dns.zone.contents.Names;
import io.ballast.dns.zone.contents.ZoneContents;
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
    /** Whose place this takes, until it has stored something itself. */
    private @Nullable StoredZones before;

    /** What was stored last, if it has signatures. */
    private @Nullable StoredNames last;

    /** And of what and by whom they were made, by the zone's name. */
    private Map<Name, Signed> lastSigned = Map.of();

    private record Signed(ZoneContents contents, ZoneSigner signer) {}

    StoredZones(NameHash hash, NameTree tree, @Nullable StoredZones before) {
        this.hash = hash;
        this.tree = tree;
        this.before = before;
    }

    /** All names, as they are to be signed now. */
    StoredNames names(ZoneSigners signers) {
        Zone[] zones = new Zone[tree.zoneCount()];
        tree.zones().forEach(zone -> zones[zone.zone().number()] = zone.zone());
        StoredNames.Builder names = new StoredNames.Builder(hash, zones, ZoneRecords.ANY);
        int threads = threads();
        if (before != null) {
            last = before.last;
            lastSigned = before.lastSigned;
            before = null;
        }
        tree.zones().forEach(zone -> addNames(zone, signers.of(zone.contents()), threads, names));
        for (Name name : tree.entries()) {
            names.add(name.toWireCanonical(), tree.entry(name));
        }
        tree.zones().forEach(zone -> addBetween(zone, signers.of(zone.contents()), names));
        StoredNames built = names.build();
        remember(built, signers);
        return built;
    }

    /** What nothing waits for leaves the other processors to the threads that answer; an operator waits for a reload. */
    private int threads() {
        if (last != null) {
            return 1;
        }
        int processors = Runtime.getRuntime().availableProcessors();
        return before == null ? processors : Math.max(1, processors / 2);
    }

    private void remember(StoredNames built, ZoneSigners signers) {
        last = signers.isEmpty() ? null : built;
        Map<Name, Signed> signed = new HashMap<>();
        for (ZoneRecords zone : tree.zones()) {
            ZoneSigner signer = signers.of(zone.contents());
            if (signer != null) {
                signed.put(zone.contents().apex(), new Signed(zone.contents(), signer));
            }
        }
        lastSigned = signed;
    }

    private NameEncoder encoder(ZoneRecords zone, @Nullable ZoneSigner signer) {
        if (signer == null) {
            return new NameEncoder(zone, hash, null, null);
        }
        StoredNames stored = isSignedBy(signer, zone.contents()) ? last : null;
        return new NameEncoder(zone, hash, signer.renewing(), stored == null ? null : stored.signatures());
    }

    /** Whether what was stored last has signatures of these very records by these keys. */
    private boolean isSignedBy(ZoneSigner signer, ZoneContents contents) {
        Signed signed = lastSigned.get(contents.apex());
        return signed != null && signed.signer == signer && signed.contents == contents;
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
