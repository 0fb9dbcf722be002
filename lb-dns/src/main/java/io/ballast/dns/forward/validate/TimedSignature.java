package io.ballast.dns.forward.validate;

import java.time.Instant;
import org.xbill.DNS.Message;
import org.xbill.DNS.RRSIGRecord;
import org.xbill.DNS.Record;
import org.xbill.DNS.Section;

/**
 * A signature whose verification fails after the deadline of the validation. dnsjava reads the expiry of a
 * signature before each verification, also on threads that this process does not own and cannot interrupt. On
 * these threads, the exception ends the validation.
 */
final class TimedSignature extends RRSIGRecord {

    private static final long serialVersionUID = 1;

    private final transient Deadline deadline;

    private TimedSignature(RRSIGRecord signature, Deadline deadline) {
        super(
                signature.getName(),
                signature.getDClass(),
                signature.getTTL(),
                signature.getTypeCovered(),
                signature.getAlgorithm(),
                signature.getOrigTTL(),
                signature.getExpire(),
                signature.getTimeSigned(),
                signature.getFootprint(),
                signature.getSigner(),
                signature.getSignature());
        // This is lower than the label count of the owner if a wildcard was expanded.
        this.labels = signature.getLabels();
        this.deadline = deadline;
    }

    @Override
    public Instant getExpire() {
        deadline.throwIfOverdue();
        return super.getExpire();
    }

    /** A copy of a message whose signatures are validated before a deadline. */
    static Message withDeadline(Message message, Deadline deadline) {
        Message timed = message.clone();
        for (int section : new int[] {Section.ANSWER, Section.AUTHORITY}) {
            timed.removeAllRecords(section);
            for (Record record : message.getSection(section)) {
                boolean isSignature = record instanceof RRSIGRecord;
                timed.addRecord(isSignature ? new TimedSignature((RRSIGRecord) record, deadline) : record, section);
            }
        }
        return timed;
    }
}
