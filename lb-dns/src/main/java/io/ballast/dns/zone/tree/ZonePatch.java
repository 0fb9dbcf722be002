package io.ballast.dns.zone.tree;

import io.ballast.dns.answer.data.NameAnswers;
import io.ballast.dns.answer.data.StoredNames;
import io.ballast.dns.dnssec.ZoneSigner;
import io.ballast.dns.wire.NameHash;
import io.ballast.dns.wire.RecordType;
import io.ballast.dns.zone.contents.Names;
import io.ballast.dns.zone.contents.RecordSet;
import io.ballast.dns.zone.contents.ZoneContents;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.xbill.DNS.NSRecord;
import org.xbill.DNS.Name;
import org.xbill.DNS.Record;

/**
 * Compiles a zone in which few names have changed, none of them a wildcard, a delegation or a DNAME record.
 * All other names are copied in their stored form, with their signatures. Confined to the thread that signs
 * whole zones. Cost: a copy of the stored bytes, one access to each name if a name is removed, and the
 * compilation of the changed names.
 */
final class ZonePatch {

    private final ZoneNames zone;
    private final @Nullable ZoneSigner signer;
    private final CompiledZone previousZone;
    private final Set<Name> changed;
    private final StoredNames.Builder names;
    private final NameEncoder encoder;

    private ZonePatch(
            ZoneNames zone, NameHash hash, @Nullable ZoneSigner signer, CompiledZone before, Set<Name> changed) {
        this.zone = zone;
        this.signer = signer;
        this.previousZone = before;
        this.changed = changed;
        this.names = new StoredNames.Builder(hash, before.names());
        // The previous signatures of changed names cover their old records, so they are not reused.
        this.encoder = new NameEncoder(zone.records(), hash, signer == null ? null : signer.newRenewingSigner(), null);
    }

    /**
     * Compiles the zone.
     *
     * @param before the previous compilation of the same zone
     * @param changed the names with changed records
     * @return the compiled zone; empty if the whole zone must be compiled
     */
    static Optional<CompiledZone> compile(
            ZoneNames zone, NameHash hash, @Nullable ZoneSigner signer, CompiledZone before, Set<Name> changed) {
        return new ZonePatch(zone, hash, signer, before, changed).compile();
    }

    private Optional<CompiledZone> compile() {
        Set<Name> removed = new LinkedHashSet<>();
        Set<Name> encoded = new LinkedHashSet<>(delegationsTo(changed));
        for (Name name : changed) {
            if (isStored(name)) {
                (zone.contents().sets(name).isEmpty() ? removed : encoded).add(name);
            }
        }
        encoded.addAll(emptyNonTerminals(encoded));
        if (!removed.isEmpty()) {
            removeUnneeded(removed, encoded);
        }
        for (Name name : encoded) {
            byte[] written = encoder.encode(name);
            if (written == null) {
                return Optional.empty(); // the name is too large to be stored
            }
            names.replace(written);
        }
        NameAnswers[] answers = previousZone.copyOfAnswers();
        NameAnswers[] proven = signer == null ? answers : previousZone.copyOfProven();
        if (answers.length != zone.indexes().size()) {
            return Optional.empty(); // a name was too large to be stored
        }
        zone.indexes().forEach((name, index) -> {
            if (changed.contains(name) || name.equals(zone.apex())) {
                answers[index] = answers(name);
                proven[index] = signer == null ? answers[index] : zone.records().proven(name, answers[index], signer);
            }
        });
        return Optional.of(new CompiledZone(
                zone, signer, names.build(), answers, proven, zone.records().zoneAnswers(signer)));
    }

    private NameAnswers answers(Name name) {
        NameAnswers recorded = zone.records().answers(name, signer);
        return zone.isService(name) ? recorded.with(RecordType.ANY, ZoneRecords.ANY) : recorded;
    }

    /** Whether queries can find the name, and it is stored only in encoded form, without an object. */
    private boolean isStored(Name name) {
        return zone.isOwn(name)
                && !zone.indexes().containsKey(name)
                && zone.contents().hidingName(name) == null;
    }

    /** Returns the empty non-terminals above the given names. */
    private Set<Name> emptyNonTerminals(Set<Name> present) {
        Set<Name> between = new LinkedHashSet<>();
        for (Name name : present) {
            for (Name above : ancestors(name)) {
                if (!zone.indexes().containsKey(above)
                        && zone.contents().sets(above).isEmpty()) {
                    between.add(above);
                }
            }
        }
        return between;
    }

    /** Returns the names between {@code name} and the zone apex. */
    private Set<Name> ancestors(Name name) {
        Set<Name> above = new LinkedHashSet<>();
        int max = name.labels() - zone.apex().labels();
        Name at = name;
        for (int i = 1; i < max; i++) {
            at = Names.parent(at);
            above.add(at);
        }
        return above;
    }

    /** Removes names without records, and empty non-terminals that no longer have names below them. */
    private void removeUnneeded(Set<Name> removed, Set<Name> encoded) {
        Set<Name> candidates = new LinkedHashSet<>(removed);
        for (Name name : removed) {
            for (Name above : ancestors(name)) {
                if (!zone.indexes().containsKey(above)
                        && zone.contents().sets(above).isEmpty()) {
                    candidates.add(above);
                }
            }
        }
        Set<Name> needed = new HashSet<>();
        for (Name name : zone.contents().visible()) {
            if (name.labels() - zone.apex().labels() > 1 && zone.isOwn(name)) {
                needed.addAll(ancestors(name));
            }
        }
        zone.indexes().keySet().forEach(name -> needed.addAll(ancestors(name)));
        zone.nestedZones().forEach(name -> needed.addAll(ancestors(name)));
        for (Name name : candidates) {
            if (needed.contains(name)) {
                encoded.add(name);
            } else {
                names.remove(name.toWireCanonical());
            }
        }
    }

    /** Returns the stored delegations to name servers whose records have changed. */
    private Set<Name> delegationsTo(Set<Name> servers) {
        Set<Name> delegations = new LinkedHashSet<>();
        ZoneContents contents = zone.contents();
        for (Name name : contents.delegations()) {
            boolean isStored =
                    zone.isOwn(name) ? !zone.indexes().containsKey(name) : zone.isDelegatedToNestedZone(name);
            if (isStored && contents.hidingName(name) == null && names(contents, name, servers)) {
                delegations.add(name);
            }
        }
        return delegations;
    }

    private static boolean names(ZoneContents contents, Name delegation, Set<Name> servers) {
        Map<Integer, RecordSet> sets = contents.sets(delegation);
        RecordSet delegated = sets.get(RecordType.NS);
        if (delegated == null) {
            return false;
        }
        for (Record each : delegated.records()) {
            if (servers.contains(((NSRecord) each).getTarget())) {
                return true;
            }
        }
        return false;
    }
}
