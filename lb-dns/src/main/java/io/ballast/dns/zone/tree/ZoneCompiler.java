package io.ballast.dns.zone.tree;

import io.ballast.dns.answer.data.NameAnswers;
import io.ballast.dns.answer.data.StoredNames;
import io.ballast.dns.dnssec.ZoneSigner;
import io.ballast.dns.wire.NameHash;
import io.ballast.dns.wire.RecordType;
import io.ballast.dns.zone.contents.NameCursor;
import io.ballast.dns.zone.contents.TypeMask;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.xbill.DNS.Name;

/**
 * Compiles and signs the records of one zone. Thread safety: confined to the thread that signs whole zones.
 * Cost: linear in the names of the zone, regardless of other zones.
 */
final class ZoneCompiler {

    /** The record types of a name that is an NSEC3 hash of another name. */
    private static final long HASHED_NAME_TYPES = TypeMask.of(RecordType.NSEC3, RecordType.RRSIG);

    private final ZoneNames zone;
    private final NameHash hash;
    private final @Nullable ZoneSigner signer;
    /**
     * The names from an earlier compilation of the same records by the same signer; their signatures are reused. Null
     * if there is none.
     */
    private final @Nullable StoredNames previousNames;

    private final StoredNames.Builder names;
    /**
     * The names that have a {@code NameEntry}, with the indexes of their answers; all other names are stored only in
     * encoded form.
     */
    private Map<Name, Integer> indexes;

    private ZoneCompiler(ZoneNames zone, NameHash hash, @Nullable ZoneSigner signer, @Nullable StoredNames known) {
        this.zone = zone;
        this.hash = hash;
        this.signer = signer;
        this.previousNames = known;
        this.names = new StoredNames.Builder(hash, zone.zone(), zone.records().any());
        this.indexes = zone.indexes();
    }

    /**
     * Compiles a zone.
     *
     * @param signer the signer of the zone; null for an unsigned zone
     * @param before the last compilation of the same zone, whose fresh signatures are reused; null if there is none
     * @param isDue whether signatures must be checked
     * @param threads number of threads for the names of a large zone
     */
    static CompiledZone compile(
            ZoneNames zone,
            NameHash hash,
            @Nullable ZoneSigner signer,
            @Nullable CompiledZone before,
            boolean isDue,
            int threads) {
        if (before != null
                && !isDue
                && before.hasSigner(signer)
                && !before.names().isWasteful()) {
            Optional<CompiledZone> patched = zone.changedSince(before.source())
                    .flatMap(names -> ZonePatch.compile(zone, hash, signer, before, names));
            if (patched.isPresent()) {
                return patched.get();
            }
        }
        StoredNames known =
                signer != null && before != null && before.isSignedBy(signer, zone.contents()) ? before.names() : null;
        return new ZoneCompiler(zone, hash, signer, known).compile(threads);
    }

    private CompiledZone compile(int threads) {
        addNames(threads);
        indexes.keySet().forEach(name -> names.add(name.toWireCanonical(), zone.entry(name, indexes)));
        addEmptyNonTerminals();
        NameAnswers[] answers = answers();
        return new CompiledZone(
                zone,
                signer,
                names.build(),
                answers,
                proven(answers),
                zone.records().zoneAnswers(signer));
    }

    private NameEncoder encoder() {
        return signer == null
                ? new NameEncoder(zone.records(), hash, null, null)
                : new NameEncoder(
                        zone.records(),
                        hash,
                        signer.newRenewingSigner(),
                        previousNames == null ? null : previousNames.signatures());
    }

    private void addNames(int threads) {
        int max = zone.contents().size() > EncodingThreads.BLOCK_NAMES ? threads : 1;
        try (EncodingThreads encoding = new EncodingThreads(max, this::encoder, (name, written) -> {
            if (written == null) {
                addEntry(name);
            } else {
                names.add(written, written.length);
            }
        })) {
            for (NameCursor each = zone.contents().cursor(); each.next(); ) {
                if (!isAnswered(each)) {
                    continue;
                }
                Name name = each.name();
                if (zone.isOutsideNestedZones(name) ? !indexes.containsKey(name) : zone.isDelegatedToNestedZone(name)) {
                    encoding.add(name);
                }
            }
            encoding.finish();
        }
    }

    /**
     * Whether queries find a name. They do not find names that are NSEC3 hashes of other names (RFC 5155 section
     * 7.2.8).
     */
    private static boolean isAnswered(NameCursor name) {
        return name.has(~HASHED_NAME_TYPES) && !name.isHidden();
    }

    /** Adds an object for a name that is too large to be stored in encoded form. */
    @SuppressWarnings("ReferenceEquality") // compares identity: the map is copied before the first change
    private void addEntry(Name name) {
        if (indexes == zone.indexes()) {
            indexes = new LinkedHashMap<>(indexes);
        }
        indexes.put(name, indexes.size());
    }

    /** Adds the empty non-terminals of the zone: names that exist only because names below them exist. */
    private void addEmptyNonTerminals() {
        EmptyNonTerminals between = new EmptyNonTerminals(zone.records(), hash, encoder(), names);
        for (NameCursor each = zone.contents().cursor(); each.next(); ) {
            if (each.labelsBelowApex() > 1 && isAnswered(each) && zone.isOutsideNestedZones(each.name())) {
                between.addAncestors(each.name());
            }
        }
        indexes.keySet().forEach(between::addAncestors);
        zone.nestedZones().forEach(between::addAncestors);
    }

    /** Returns the answers of each name, in the order of the name indexes, without DNSSEC denial records. */
    private NameAnswers[] answers() {
        NameAnswers[] answers = new NameAnswers[indexes.size()];
        indexes.forEach((name, index) -> {
            NameAnswers recorded = zone.records().answers(name, signer);
            answers[index] = zone.isService(name) ? recorded.with(RecordType.ANY, ZoneRecords.ANY) : recorded;
        });
        return answers;
    }

    /** Returns the answers with denial records for each name, if the zone is signed. */
    private NameAnswers[] proven(NameAnswers[] answers) {
        ZoneSigner proving = signer;
        if (proving == null) {
            return answers;
        }
        NameAnswers[] proven = new NameAnswers[answers.length];
        indexes.forEach((name, index) -> proven[index] = zone.records().proven(name, answers[index], proving));
        return proven;
    }
}
