package io.ballast.dns.update;

import org.xbill.DNS.Record;
import org.xbill.DNS.Section;
import org.xbill.DNS.Type;

/** Rules that apply to several sections of a dynamic update. Any thread may call the methods. */
final class UpdateRules {

    /** Bytes of the type, class, TTL and data length of a record. */
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

    /** Returns whether the type is a query type or meta type; zones contain no records of such types. */
    static boolean isMeta(int type) {
        return type == Type.ANY || isTransferOrMail(type) || type == Type.OPT || type == Type.TSIG || type == Type.TKEY;
    }

    static boolean isTransferOrMail(int type) {
        return type == Type.AXFR || type == Type.IXFR || type == Type.MAILA || type == Type.MAILB;
    }
}
