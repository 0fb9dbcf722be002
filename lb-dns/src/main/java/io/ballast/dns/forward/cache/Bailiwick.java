package io.ballast.dns.forward.cache;

import io.ballast.dns.forward.question.Question;
import io.ballast.dns.wire.RecordType;
import java.util.Arrays;

/**
 * Selects the in-bailiwick records of a response: records of the query name and its aliases; in the authority section
 * the NS, SOA and DS records of zones above these names, and denials from such a zone. All other records are dropped.
 *
 * <p>Thread safety: confined to one thread and reused.
 */
final class Bailiwick {

    /** The maximum length of an alias chain. */
    static final int MAX_ALIASES = 16;

    private static final int FIRST_META_TYPE = 128;
    private static final int LAST_META_TYPE = 255;
    private static final int NO_ZONE = 0;
    private static final int NO_RECORD = -1;

    private final WireName[] chain = new WireName[MAX_ALIASES + 2];

    /** For each name of the chain, the length in bytes of the shortest zone name above that name. */
    private final int[] zoneBytes = new int[chain.length];

    /**
     * For each name of the chain that has a next name, the DNAME record that applies to it; {@link #NO_RECORD} if
     * no DNAME record applies.
     */
    private final int[] dnames = new int[chain.length];

    /** For each link of the chain, whether the CNAME record synthesized from a DNAME record is in the message. */
    private final boolean[] isCnamePresent = new boolean[chain.length];

    private final WireName owner = new WireName();
    private final WireName target = new WireName();
    private int nameCount;
    private int aliasCount;

    Bailiwick() {
        for (int i = 0; i < chain.length; i++) {
            chain[i] = new WireName();
        }
    }

    /** Follows the aliases; returns false if they form a loop, or if there are too many. */
    boolean followAliases(RecordTable records, Question question) {
        chain[0].set(question.name());
        nameCount = 1;
        aliasCount = 0;
        int type = question.type();
        if (type == RecordType.CNAME || type == RecordType.ANY) {
            aliasCount = followDname(records) ? 1 : 0;
        } else {
            while (followAlias(records)) {
                nameCount++;
                aliasCount++;
                if (nameCount > MAX_ALIASES + 1 || isInChain(lastName())) {
                    return false;
                }
            }
        }
        findZones(records);
        return true;
    }

    /**
     * Appends the alias target of the last name to the chain, if this name is an alias. A DNAME record takes
     * precedence over a CNAME record, because names below a DNAME record have no records of their own (RFC 6672
     * section 2.4).
     */
    private boolean followAlias(RecordTable records) {
        if (followDname(records)) {
            return true;
        }
        dnames[nameCount - 1] = NO_RECORD;
        for (int i = 0; i < records.answerCount(); i++) {
            if (hasType(records, i, RecordType.CNAME)) {
                records.readOwner(i, owner);
                if (owner.isSame(lastName())) {
                    records.readTarget(i, chain[nameCount]);
                    return true;
                }
            }
        }
        return false;
    }

    private boolean followDname(RecordTable records) {
        for (int i = 0; i < records.answerCount(); i++) {
            if (hasType(records, i, RecordType.DNAME)) {
                records.readOwner(i, owner);
                if (lastName().isBelow(owner)) {
                    records.readTarget(i, target);
                    dnames[nameCount - 1] = i;
                    if (!chain[nameCount].substitute(lastName(), owner, target)) {
                        return false;
                    }
                    isCnamePresent[nameCount - 1] = hasCname(records);
                    return true;
                }
            }
        }
        return false;
    }

    /** Whether the message has the CNAME record from the last name of the chain to the next name. */
    private boolean hasCname(RecordTable records) {
        for (int i = 0; i < records.answerCount(); i++) {
            if (hasType(records, i, RecordType.CNAME)) {
                records.readOwner(i, owner);
                records.readTarget(i, target);
                if (owner.isSame(lastName()) && target.isSame(chain[nameCount])) {
                    return true;
                }
            }
        }
        return false;
    }

    /**
     * The number of aliases. For a CNAME question, the alias of the queried name is not followed.
     */
    int aliasCount() {
        return aliasCount;
    }

    /** Returns whether an alias comes from a DNAME record, and the message lacks its synthesized CNAME record. */
    boolean isCnameMissing(int link, int dname) {
        return dnames[link] == dname && !isCnamePresent[link];
    }

    private static boolean hasType(RecordTable records, int i, int type) {
        return records.type(i) == type && records.isClassIn(i);
    }

    private boolean isInChain(WireName name) {
        for (int i = 0; i < nameCount - 1; i++) {
            if (chain[i].isSame(name)) {
                return true;
            }
        }
        return false;
    }

    private void findZones(RecordTable records) {
        Arrays.fill(zoneBytes, 0, nameCount, NO_ZONE);
        for (int i = records.answerCount(); i < records.count(); i++) {
            if (hasType(records, i, RecordType.SOA)) {
                records.readOwner(i, owner);
                addZone(owner);
            } else if (hasType(records, i, RecordType.RRSIG) && isDenial(records.coveredType(i))) {
                records.readSigner(i, owner);
                records.readOwner(i, target);
                if (target.isAtOrBelow(owner)) { // otherwise the signature is not valid (RFC 4035 section 5.3.1)
                    addZone(owner);
                }
            }
        }
    }

    private void addZone(WireName zone) {
        for (int i = 0; i < nameCount; i++) {
            if (chain[i].isAtOrBelow(zone) && (zoneBytes[i] == NO_ZONE || zone.length() < zoneBytes[i])) {
                zoneBytes[i] = zone.length();
            }
        }
    }

    private static boolean isDenial(int type) {
        return type == RecordType.NSEC || type == RecordType.NSEC3;
    }

    /** Returns the last name of the alias chain. */
    WireName lastName() {
        return chain[nameCount - 1];
    }

    /** The number of names in the chain of aliases, including the queried name. */
    int nameCount() {
        return nameCount;
    }

    /** Returns the name at an index of the chain. */
    WireName name(int i) {
        return chain[i];
    }

    /** The queried name. */
    WireName queriedName() {
        return chain[0];
    }

    /** Whether a record may be used as a part of the answer to the question. */
    boolean isInBailiwick(RecordTable records, int i) {
        int type = records.type(i);
        if (!records.isClassIn(i) || (type >= FIRST_META_TYPE && type <= LAST_META_TYPE)) {
            return false;
        }
        if (records.isSvcbOrHttps(i) && !records.params(i).isValid()) {
            return false; // clients must ignore this record (RFC 9460 section 2.2); its addresses cannot be filtered
        }
        if (records.isAnswer(i) && contradictsDname(records, i)) {
            return false;
        }
        records.readOwner(i, owner);
        int covered = records.coveredType(i);
        return records.isAnswer(i) ? isInBailiwickAnswer(covered) : isInBailiwickAuthority(covered);
    }

    /**
     * Whether the record is a CNAME record that contradicts a DNAME record above its name, or the signature of a
     * CNAME record below a DNAME record. Synthesized aliases have no signatures.
     */
    private boolean contradictsDname(RecordTable records, int i) {
        if (records.coveredType(i) != RecordType.CNAME) {
            return false;
        }
        records.readOwner(i, owner);
        for (int link = 0; link < aliasCount; link++) {
            if (dnames[link] != NO_RECORD && owner.isSame(chain[link])) {
                if (records.type(i) != RecordType.CNAME) {
                    return !isCnamePresent[link];
                }
                records.readTarget(i, target);
                return !target.isSame(chain[link + 1]);
            }
        }
        return false;
    }

    private boolean isInBailiwickAnswer(int type) {
        for (int i = 0; i < nameCount; i++) {
            if (owner.isSame(chain[i]) || (type == RecordType.DNAME && chain[i].isBelow(owner))) {
                return true;
            }
        }
        return false;
    }

    private boolean isInBailiwickAuthority(int type) {
        if (type != RecordType.NS && type != RecordType.SOA && type != RecordType.DS && !isDenial(type)) {
            return false;
        }
        for (int i = 0; i < nameCount; i++) {
            boolean isInZone = zoneBytes[i] != NO_ZONE && owner.isAtOrBelow(chain[i], zoneBytes[i]);
            if (chain[i].isAtOrBelow(owner) || (isDenial(type) && isInZone)) {
                return true;
            }
        }
        return false;
    }
}
