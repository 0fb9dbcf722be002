package io.ballast.dns.update;

import org.xbill.DNS.Record;
import org.xbill.DNS.Section;
import org.xbill.DNS.Type;

/** Common checks of the parts of an update. Any thread may call them. */
final class UpdateRules {

    /** Type, class, TTL and length. */
    private static final int FIXED_BYTES = 10;

    private UpdateRules() {}

    static void require(boolean holds, int rcode) throws UpdateException {
        if (!holds) {
            throw new UpdateException(rcode);
        }
    }

    /** Returns whether a record has no data. */
    static boolean isEmpty(Record record) {
        return record.toWire(Section.UPDATE).length == record.getName().length() + FIXED_BYTES;
    }

    /** Whether the type is a query type or meta type, of which zones have no records. */
    static boolean isMeta(int type) {
        return type == Type.ANY || isTransferOrMail(type) || type == Type.OPT || type == Type.TSIG || type == Type.TKEY;
    }

    static boolean isTransferOrMail(int type) {
        return type == Type.AXFR || type == Type.IXFR || type == Type.MAILA || type == Type.MAILB;
    }
}
