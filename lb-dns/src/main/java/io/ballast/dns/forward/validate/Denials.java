package io.ballast.dns.forward.validate;

import io.ballast.dns.wire.EdnsError;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.xbill.DNS.CNAMERecord;
import org.xbill.DNS.DClass;
import org.xbill.DNS.DNAMERecord;
import org.xbill.DNS.Flags;
import org.xbill.DNS.Message;
import org.xbill.DNS.NSEC3Record;
import org.xbill.DNS.Name;
import org.xbill.DNS.NameTooLongException;
import org.xbill.DNS.RRSIGRecord;
import org.xbill.DNS.RRset;
import org.xbill.DNS.Record;
import org.xbill.DNS.Section;
import org.xbill.DNS.Type;

/** Classifies the denial records of a message. */
final class Denials {

    /**
     * The maximum number of NSEC3 iterations. A proof with more iterations is not validated, because this costs
     * too much CPU time (RFC 9276 section 3.2). Unbound and BIND use this limit or a lower one.
     */
    static final int MAX_ITERATIONS = 150;

    private Denials() {}

    /** Returns whether a denial proves nothing because it relies on opt-out or is too costly to validate. */
    static boolean isInconclusive(Message message) {
        return message.getSection(Section.AUTHORITY).stream()
                .anyMatch(record -> record instanceof NSEC3Record nsec3
                        && ((nsec3.getFlags() & NSEC3Record.Flags.OPT_OUT) != 0
                                || nsec3.getIterations() > MAX_ITERATIONS));
    }

    /** Whether an NSEC3 record of the message has more hash iterations than this server validates. */
    static boolean exceedsIterationLimit(Message message) {
        return message.getSection(Section.AUTHORITY).stream()
                .anyMatch(record -> record instanceof NSEC3Record nsec3 && nsec3.getIterations() > MAX_ITERATIONS);
    }

    /** Returns the reason for a bogus answer, which is more specific than dnsjava's reason. */
    static EdnsError bogusReason(Message message, Instant now) {
        List<RRset> answers = message.getSectionRRsets(Section.ANSWER);
        List<RRset> sets = new ArrayList<>(answers);
        List<RRset> authority = message.getSectionRRsets(Section.AUTHORITY);
        if (answers.isEmpty() && authority.stream().noneMatch(set -> isDenial(set.getType()))) {
            return EdnsError.NSEC_MISSING;
        }
        authority.stream().filter(set -> set.getType() != Type.NS).forEach(sets::add);
        for (RRset set : sets) {
            List<RRSIGRecord> sigs = set.sigs();
            if (sigs.isEmpty()) {
                if (isSynthesized(set, answers)) {
                    continue;
                }
                return EdnsError.RRSIGS_MISSING;
            }
            if (allMatch(sigs, sig -> sig.getExpire().isBefore(now))) {
                return EdnsError.SIGNATURE_EXPIRED;
            }
            if (allMatch(sigs, sig -> sig.getTimeSigned().isAfter(now))) {
                return EdnsError.SIGNATURE_NOT_YET_VALID;
            }
        }
        return EdnsError.DNSSEC_BOGUS;
    }

    /**
     * Returns the number of seconds for which all signatures of a message are valid and their records may be
     * cached (RFC 4035 section 5.3.3).
     */
    static int validSeconds(Message message, Instant now) {
        long min = Integer.MAX_VALUE;
        for (int section : new int[] {Section.ANSWER, Section.AUTHORITY}) {
            for (RRset set : message.getSectionRRsets(section)) {
                long max = 0;
                for (RRSIGRecord sig : set.sigs()) {
                    long remaining = Duration.between(now, sig.getExpire()).toSeconds();
                    max = Math.max(max, Math.min(remaining, sig.getOrigTTL()));
                }
                min = set.sigs().isEmpty() ? min : Math.min(min, max);
            }
        }
        return (int) Math.max(min, 0);
    }

    private static boolean allMatch(List<RRSIGRecord> sigs, Predicate<RRSIGRecord> test) {
        return sigs.stream().allMatch(test);
    }

    static boolean isDenial(int type) {
        return type == Type.NSEC || type == Type.NSEC3;
    }

    /**
     * Whether an unsigned alias is synthesized from a DNAME record of the same answer (RFC 6672 section 5.3.1).
     */
    static boolean isSynthesized(RRset set, List<RRset> others) {
        if (set.getType() != Type.CNAME || !set.sigs().isEmpty() || set.size() != 1) {
            return false;
        }
        Name target = ((CNAMERecord) set.first()).getTarget();
        return others.stream()
                .filter(each -> each.getType() == Type.DNAME && each.size() == 1)
                .filter(each -> isBelow(set.getName(), each.getName()))
                .anyMatch(each -> target.equals(substitute(set.getName(), (DNAMERecord) each.first())));
    }

    /**
     * Returns whether a DNAME record redirects a name: the names below its owner, but not the owner (RFC 6672
     * section 2.3).
     */
    private static boolean isBelow(Name name, Name owner) {
        return name.subdomain(owner) && !name.equals(owner);
    }

    private static @Nullable Name substitute(Name name, DNAMERecord record) {
        try {
            return name.fromDNAME(record);
        } catch (NameTooLongException e) {
            return null;
        }
    }

    /**
     * Returns the proof of non-existence for the target of a message's alias chain as a separate response;
     * null if the target has records.
     */
    static @Nullable Message denialOfAliasTarget(Message message) {
        Name target = message.getQuestion().getName();
        int type = message.getQuestion().getType();
        for (RRset set : message.getSectionRRsets(Section.ANSWER)) {
            if (set.getType() == type || type == Type.ANY) {
                return null;
            }
            if (set.getType() == Type.CNAME && set.getName().equals(target)) {
                target = ((CNAMERecord) set.first()).getTarget();
            }
        }
        Message denial = Message.newQuery(Record.newRecord(target, type, DClass.IN));
        denial.getHeader().setFlag(Flags.QR);
        denial.getHeader().setRcode(message.getRcode());
        message.getSectionRRsets(Section.AUTHORITY).forEach(set -> add(set, Section.AUTHORITY, denial));
        return denial;
    }

    /** Returns a response whose answer section is the given record set, with the question that matches it. */
    static Message positiveResponse(RRset set) {
        Message message = Message.newQuery(Record.newRecord(set.getName(), set.getType(), set.getDClass()));
        message.getHeader().setFlag(Flags.QR);
        add(set, Section.ANSWER, message);
        return message;
    }

    static void add(RRset set, int section, Message to) {
        set.rrs(/* cycle= */ false).forEach(record -> to.addRecord(record, section));
        set.sigs().forEach(record -> to.addRecord(record, section));
    }
}
