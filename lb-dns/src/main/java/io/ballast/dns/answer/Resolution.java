package io.ballast.dns.answer;

import io.ballast.dns.answer.data.Answer;
import io.ballast.dns.answer.data.AnswerSource;
import io.ballast.dns.answer.data.AnswerTable;
import io.ballast.dns.answer.data.FixedAnswer;
import io.ballast.dns.answer.data.NameData;
import io.ballast.dns.answer.data.NameLookupResult;
import io.ballast.dns.answer.data.QueryContext;
import io.ballast.dns.answer.data.Referral;
import io.ballast.dns.answer.data.Rewrite;
import io.ballast.dns.answer.data.StoredName;
import io.ballast.dns.answer.data.Zone;
import io.ballast.dns.answer.data.ZoneAnswers;
import io.ballast.dns.dnssec.NameProof;
import io.ballast.dns.stats.ZoneStats.Outcome;
import io.ballast.dns.wire.NameHash;
import io.ballast.dns.wire.QueryName;
import io.ballast.dns.wire.Rcode;
import io.ballast.dns.wire.RecordType;
import io.ballast.dns.wire.Wire;
import org.jspecify.annotations.Nullable;

/**
 * Finds the records for a question and follows aliases within our zones (<a
 * href="https://datatracker.ietf.org/doc/html/rfc1034#section-4.3.2">RFC 1034 section 4.3.2</a>).
 *
 * <p>Thread safety: confined to one thread, which reuses it for every query. Cost: one step for the name and for each
 * alias; allocates nothing.
 */
final class Resolution {

    /** Maximum number of aliases to follow for a query. */
    private static final int MAX_LINKS = 16;

    private final ResponseWriter writer;
    private final SignedWriter signed;
    private final QueryContext context;
    private final ZoneStatsRecorder zoneStats;
    private final QueryName scratch;
    private final byte[] composed = new byte[2 * Wire.MAX_NAME_BYTES];
    private final long[] followedAliases = new long[MAX_LINKS];
    /** Hashes of the names to which a DNAME record was applied. */
    private final long[] rewrittenHashes = new long[MAX_LINKS];
    /**
     * The {@link #identity} of the owner of each DNAME record that was applied, parallel to {@link #rewrittenHashes}.
     */
    private final long[] dnameIdentities = new long[MAX_LINKS];

    private StoredName stored = new StoredName();
    private final NameLookupResult targetLookup = new NameLookupResult();

    private AnswerTable table;
    private QueryName name;
    /** Offset of the current name in the response: the question name, or the target of the last alias. */
    private int nameAt;

    private int nameBytes;
    private int apexPointer;
    private @Nullable NameLookupResult place;
    private int links;
    private int rewrites;
    private boolean targetOutside;
    /** Whether the current step has found an alias, so that the next step looks up its target. */
    private boolean aliasFollowed;

    private Outcome outcome = Outcome.NOERROR;

    /**
     * @param table initial answer table; replaced by the first query
     * @param stats recorder that counts answers by zone and service
     */
    Resolution(
            NameHash hash,
            AnswerTable table,
            ResponseWriter writer,
            SignedWriter signed,
            QueryContext context,
            ZoneStatsRecorder stats) {
        this.zoneStats = stats;
        this.writer = writer;
        this.signed = signed;
        this.context = context;
        this.scratch = new QueryName(hash);
        this.table = table;
        this.name = scratch;
    }

    /** Uses the table {@code next} from now on, and releases the previous table. */
    void use(AnswerTable next) {
        table = next;
        stored = new StoredName();
    }

    /**
     * Writes the records into the started response.
     *
     * @param question query name with hashed suffixes
     * @param first the lookup result of the query name
     * @return the response code; if it is REFUSED, the written records must not be sent
     */
    int resolve(AnswerTable current, QueryName question, int type, NameLookupResult first) {
        table = current;
        name = question;
        nameAt = Wire.HEADER_BYTES;
        nameBytes = question.length();
        apexPointer = pointer(first.zone().apexBytes());
        place = first;
        links = 0;
        rewrites = 0;
        targetOutside = false;
        outcome = Outcome.NOERROR;
        int rcode;
        do {
            aliasFollowed = false;
            // If the target of an alias is outside the zones, or the chain is too long, answer with the records so far.
            rcode = place == null ? Rcode.NOERROR : step(place, type);
        } while (aliasFollowed);
        if (!targetOutside) {
            signed.writeProofs();
        }
        return signed.isRefused() ? Rcode.REFUSED : rcode;
    }

    /** Finishes a response whose last alias has a target outside the zones. */
    void endOutside() {
        signed.writeProofs();
    }

    /** Returns whether the last alias of the last query has a target outside the zones, see {@link #target()}. */
    boolean isTargetOutside() {
        return targetOutside;
    }

    /** The target of the last alias, hashed; valid until the next query. */
    QueryName target() {
        return name;
    }

    /** The offset of the last alias target in the response. */
    int targetAt() {
        return nameAt;
    }

    /**
     * Returns the outcome of the last query.
     *
     * @param rcode the response code that {@link #resolve} returned
     */
    Outcome outcome(int rcode) {
        return rcode == Rcode.NOERROR || rcode == Rcode.NXDOMAIN ? outcome : Outcome.OTHER;
    }

    /**
     * Handles one lookup result. Returns the response code, which is final unless {@link #aliasFollowed} is
     * set.
     */
    private int step(NameLookupResult at, int type) {
        return switch (at.kind()) {
            case NAME, WILDCARD -> answer(at, table.answers(at, stored), type);
            case DELEGATION -> refer(at, table.answers(at, stored), type);
            case REWRITTEN -> rewrite(at, table.answers(at, stored).rewrite(), type);
            case MISSING -> writeNxdomain(at);
        };
    }

    @SuppressWarnings("ReferenceEquality") // SERVFAIL is a single object
    private int answer(NameLookupResult at, NameData answers, int type) {
        zoneStats.countService(at);
        AnswerSource source = answers.answerFor(type);
        if (source != null) {
            return answer(at, source);
        }
        if (type == RecordType.NSEC && at.kind() == NameLookupResult.Kind.NAME && nsec(at)) {
            return Rcode.NOERROR;
        }
        AnswerSource aliases = answers.alias();
        if (aliases == null || RecordType.canCoexistWithCname(type)) {
            return noData(at, answers.proof());
        }
        if (aliases == FixedAnswer.SERVFAIL) {
            return Rcode.SERVFAIL;
        }
        if (isFollowed(identity(at))) {
            return Rcode.NOERROR;
        }
        Answer alias = aliases.select(context);
        int target = writer.at() + Answer.FIXED_BYTES;
        if (!write(at, alias, Wire.POINTER << 8 | nameAt)) {
            return Rcode.NOERROR;
        }
        follow(at.zone(), target, answers.readAliasTarget(alias, scratch));
        return Rcode.NOERROR;
    }

    private boolean nsec(NameLookupResult at) {
        int owner = Wire.POINTER << 8 | nameAt;
        return signed.nsec(table.zone(at.zone()), name, context.isDnssecOk(), owner, apexPointer);
    }

    /** The zone if it has signatures and the client requests them; otherwise null. */
    private @Nullable ZoneAnswers zoneWithSignatures(NameLookupResult at) {
        if (!context.isDnssecOk()) {
            return null;
        }
        ZoneAnswers zone = table.zone(at.zone());
        return zone.hasSignatures() ? zone : null;
    }

    /** Writes records of the found name, with signatures if the client requests them. */
    private boolean write(NameLookupResult at, Answer records, int owner) {
        ZoneAnswers zone = zoneWithSignatures(at);
        if (zone == null || !records.isSigned()) {
            return writer.answer(records, owner, apexPointer);
        }
        if (at.kind() == NameLookupResult.Kind.WILDCARD) {
            signed.addWildcardProof(zone, at, name, apexPointer);
        }
        return signed.answer(zone, records, name, owner, apexPointer);
    }

    @SuppressWarnings("ReferenceEquality") // SERVFAIL is a singleton
    private int answer(NameLookupResult at, AnswerSource source) {
        if (source == FixedAnswer.SERVFAIL) {
            return Rcode.SERVFAIL;
        }
        write(at, source.select(context), Wire.POINTER << 8 | nameAt);
        return Rcode.NOERROR;
    }

    /** A unique key of a name within one table. */
    private static long identity(NameLookupResult at) {
        return (long) at.zone().number() << Integer.SIZE | (at.index() & 0xffff_ffffL);
    }

    /**
     * Returns true if the alias was already followed, which means a loop, or if the chain is too long. Otherwise
     * records the alias and returns false.
     */
    private boolean isFollowed(long identity) {
        for (int i = 0; i < links; i++) {
            if (followedAliases[i] == identity) {
                return true;
            }
        }
        if (rewrites + links >= MAX_LINKS) {
            return true;
        }
        followedAliases[links++] = identity;
        return false;
    }

    /**
     * Returns whether a DNAME record was already applied to this name, or the chain is too long. Only the name is
     * compared, because one DNAME record may apply to several names in a chain without a loop.
     */
    private boolean isRewritten() {
        name.hash();
        long hash = name.hash(0);
        for (int i = 0; i < rewrites; i++) {
            if (rewrittenHashes[i] == hash) {
                return true;
            }
        }
        if (rewrites + links >= MAX_LINKS) {
            return true;
        }
        rewrittenHashes[rewrites++] = hash;
        return false;
    }

    /** Whether the DNAME record is already in the response. */
    private boolean isWritten(long identity) {
        for (int i = 0; i < rewrites - 1; i++) {
            if (dnameIdentities[i] == identity) {
                return true;
            }
        }
        return false;
    }

    /**
     * Continues the lookup with the name in {@link #scratch}, which is also at offset {@code at} of the response.
     */
    @SuppressWarnings("ReferenceEquality") // compares identity: each zone has exactly one object
    private void follow(Zone from, int at, int length) {
        aliasFollowed = true;
        scratch.hash();
        name = scratch;
        nameAt = at;
        nameBytes = length;
        // Look up the name itself, even for DS: an alias applies to all types.
        place = table.find(scratch, /* type= */ 0, targetLookup);
        targetOutside = place == null;
        if (place != null && place.zone().isMissing()) {
            place = null; // the target's zone has no data: the client gets the error when it queries the target itself
        }
        // A target in the same zone may be compressed with the existing pointer to the zone name.
        if (place != null && place.zone() != from) {
            apexPointer = pointer(place.zone().apexBytes());
        }
    }

    private int refer(NameLookupResult at, NameData answers, int type) {
        if (type == RecordType.DS && nameBytes == at.ownerBytes()) {
            return answer(at, answers, type); // an alias led to this name; its DS record is in the parent zone
        }
        Referral referral = answers.referral();
        if (referral != null) {
            int cut = pointer(at.ownerBytes());
            writer.authority(referral.servers(), cut, apexPointer);
            ZoneAnswers zone = zoneWithSignatures(at);
            if (zone != null) {
                AnswerSource ds = answers.answerFor(RecordType.DS);
                signed.writeDsOrProof(
                        zone, at, answers, ds == null ? null : ds.select(context), name, cut, apexPointer);
            }
            Answer glue = referral.glue();
            if (glue != null) {
                writer.additional(glue, cut, apexPointer);
            }
        }
        return Rcode.NOERROR;
    }

    /** Replaces the DNAME owner at the end of the name by the DNAME target (RFC 6672 section 3.2). */
    private int rewrite(NameLookupResult at, @Nullable Rewrite rewrite, int type) {
        if (rewrite == null || isRewritten()) {
            return Rcode.NOERROR;
        }
        boolean stands = isWritten(identity(at));
        dnameIdentities[rewrites - 1] = identity(at);
        if (!stands && !write(at, rewrite.record(), pointer(at.ownerBytes()))) {
            return Rcode.NOERROR;
        }
        int kept = nameBytes - at.ownerBytes();
        int length = kept + rewrite.target().length;
        if (length > Wire.MAX_NAME_BYTES) {
            return Rcode.YXDOMAIN;
        }
        name.copy(kept, composed);
        System.arraycopy(rewrite.target(), 0, composed, kept, rewrite.target().length);
        int target = writer.at() + Answer.FIXED_BYTES;
        if (!writer.alias(Wire.POINTER << 8 | nameAt, rewrite.ttlSeconds(), composed, length)) {
            return Rcode.NOERROR;
        }
        if (type == RecordType.CNAME) {
            return Rcode.NOERROR; // the client queried the CNAME record itself, so it is not followed
        }
        scratch.read(composed, 0, length);
        follow(at.zone(), target, length);
        return Rcode.NOERROR;
    }

    /** Writes NODATA, with the SOA record that gives the negative caching time. */
    private int noData(NameLookupResult at, @Nullable NameProof proof) {
        outcome = Outcome.NODATA;
        Answer soa = table.zone(at.zone()).negativeSoa();
        ZoneAnswers zone = zoneWithSignatures(at);
        if (zone != null) {
            return signed.noData(zone, at, proof, name, Wire.POINTER << 8 | nameAt, apexPointer);
        }
        writer.authority(soa, apexPointer, apexPointer);
        return Rcode.NOERROR;
    }

    /** Writes NXDOMAIN, with the SOA record that gives the negative caching time. */
    private int writeNxdomain(NameLookupResult at) {
        outcome = Outcome.NXDOMAIN;
        Answer soa = table.zone(at.zone()).negativeSoa();
        ZoneAnswers zone = zoneWithSignatures(at);
        if (zone != null) {
            NameProof encloser = table.answers(at, stored).proof();
            return signed.writeNxdomain(zone, at, encloser, name, Wire.POINTER << 8 | nameAt, apexPointer);
        }
        writer.authority(soa, apexPointer, apexPointer);
        return Rcode.NXDOMAIN;
    }

    /** A compression pointer to the last {@code bytes} bytes of the current name. */
    private int pointer(int bytes) {
        return Wire.POINTER << 8 | (nameAt + nameBytes - bytes);
    }
}
