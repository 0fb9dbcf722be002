package io.ballast.dns.zone;

import io.ballast.dns.answer.data.ZoneTable;
import io.ballast.dns.dnssec.SignedZone;
import io.ballast.dns.zone.signing.SignedZones;
import io.ballast.dns.zone.signing.ZoneSigners;
import io.ballast.dns.zone.tree.CompiledZone;
import io.ballast.dns.zone.tree.NameTree;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.xbill.DNS.Name;

/**
 * The answers of zones except the addresses of services. All answers are compiled and signed with the keys
 * that were current at the same time. Immutable.
 *
 * @param zones the zones by their numbers; null for a number without a zone
 * @param signed the signed zones with their keys
 * @param compiled the number of newly compiled zones; all other zones are reused
 */
@SuppressWarnings("ArrayRecordComponent") // instances are never compared
record FixedAnswers(@Nullable CompiledZone[] zones, Map<Name, SignedZone> signed, int compiled) {

    /** An instance without zones. */
    static final FixedAnswers NONE = new FixedAnswers(new CompiledZone[0], Map.of(), /* compiled= */ 0);

    /**
     * Compiles and signs the changed zones. This is slow for large zones.
     *
     * @param before the last result, for this tree or the tree that it replaces
     * @param isRenewed whether signatures may need renewal
     * @param threads number of threads for the names of a large zone
     */
    static FixedAnswers compile(
            NameTree tree, ZoneSigners signers, SignedZones keys, FixedAnswers before, boolean isRenewed, int threads) {
        @Nullable CompiledZone[] zones = new CompiledZone[tree.numbers()];
        int compiled = 0;
        for (int number = 0; number < zones.length; number++) {
            CompiledZone known = before.zone(number);
            zones[number] = tree.compile(number, signers, known, isRenewed, threads);
            compiled += isSame(zones[number], known) ? 0 : 1;
        }
        return new FixedAnswers(zones, keys.current(), compiled);
    }

    /** Returns the zone with the given number; null if there is no such zone. */
    @Nullable CompiledZone zone(int number) {
        return number < zones.length ? zones[number] : null;
    }

    /** Returns the tables of the zones without services, by zone number. */
    @Nullable ZoneTable[] tables() {
        @Nullable ZoneTable[] tables = new ZoneTable[zones.length];
        for (int number = 0; number < zones.length; number++) {
            CompiledZone zone = zones[number];
            tables[number] = zone == null ? null : zone.table();
        }
        return tables;
    }

    /**
     * Returns the tables (without services) of the zones that are missing from {@code others} or differ from it.
     */
    Map<Integer, ZoneTable> changedSince(FixedAnswers others) {
        Map<Integer, ZoneTable> changed = new HashMap<>();
        for (int number = 0; number < zones.length; number++) {
            CompiledZone zone = zones[number];
            if (zone != null && !hasSame(number, others)) {
                changed.put(number, zone.table());
            }
        }
        return changed;
    }

    /** Returns the numbers of the zones that {@code others} contains unchanged. */
    Set<Integer> zonesSharedWith(FixedAnswers others) {
        Set<Integer> same = new HashSet<>();
        for (int number = 0; number < zones.length; number++) {
            if (zones[number] != null && hasSame(number, others)) {
                same.add(number);
            }
        }
        return same;
    }

    /** Whether {@code others} has the same zone object under the same number. */
    private boolean hasSame(int number, FixedAnswers others) {
        return isSame(zone(number), others.zone(number));
    }

    @SuppressWarnings("ReferenceEquality") // a zone that did not change is the same object
    private static boolean isSame(@Nullable CompiledZone one, @Nullable CompiledZone other) {
        return one == other;
    }
}
