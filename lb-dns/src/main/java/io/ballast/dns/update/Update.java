package io.ballast.dns.update;

import io.ballast.dns.zone.contents.RecordSet;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.xbill.DNS.Message;
import org.xbill.DNS.Name;
import org.xbill.DNS.Rcode;
import org.xbill.DNS.Record;
import org.xbill.DNS.SOARecord;
import org.xbill.DNS.Section;
import org.xbill.DNS.Type;

/**
 * The result of an update, which is applied as a whole or not at all.
 *
 * @param draft the changed zone; null if nothing has changed
 * @param rcode the response code
 */
record Update(@Nullable ZoneDraft draft, int rcode) {

    /**
     * Applies an update message to a new draft on top of {@code zone}. The serial is incremented, unless the
     * message itself sets a later serial (section 3.6).
     *
     * @param isService whether a name is a service with health-based answers, which updates cannot change
     * @param isSigned whether the zone is signed online
     */
    static Update of(Message message, ZoneDraft zone, Predicate<Name> isService, boolean isSigned) {
        List<Record> changes = message.getSection(Section.UPDATE);
        ZoneDraft draft = zone.newOverlay();
        try {
            Prerequisites.require(message.getSection(Section.PREREQ), zone);
            UpdateChanges.requireAllowed(changes, zone.apex(), isService, isSigned);
            UpdateChanges.applyAll(changes, draft);
        } catch (UpdateException e) {
            return new Update(/* draft= */ null, e.rcode());
        }
        if (!draft.hasChanges()) {
            return new Update(/* draft= */ null, Rcode.NOERROR);
        }
        if (draft.soa().getSerial() == zone.soa().getSerial()) {
            SOARecord next = withSerial(draft.soa(), nextSerial(zone.soa().getSerial()));
            draft.put(new RecordSet(zone.apex(), Type.SOA, next.getTTL(), List.of(next)));
        }
        return new Update(draft, Rcode.NOERROR);
    }

    /** Returns the next serial. Skips 0, because some implementations treat it as missing. */
    static long nextSerial(long serial) {
        long next = (serial + 1) & 0xffff_ffffL;
        return next == 0 ? 1 : next;
    }

    static SOARecord withSerial(SOARecord soa, long serial) {
        return new SOARecord(
                soa.getName(),
                soa.getDClass(),
                soa.getTTL(),
                soa.getHost(),
                soa.getAdmin(),
                serial,
                soa.getRefresh(),
                soa.getRetry(),
                soa.getExpire(),
                soa.getMinimum());
    }
}
