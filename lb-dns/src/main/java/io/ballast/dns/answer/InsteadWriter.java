package io.ballast.dns.answer;

import io.ballast.core.net.IpAddress;
import io.ballast.dns.forward.filter.AnswerChoice;
import io.ballast.dns.wire.Query;
import io.ballast.dns.wire.Rcode;
import io.ballast.dns.wire.RecordType;
import io.ballast.dns.wire.Response;
import io.ballast.dns.wire.Wire;
import java.util.List;

/**
 * Writes what is said instead of the truth: a denial with an SOA record, so that it is kept for its TTL (<a
 * href="https://datatracker.ietf.org/doc/html/rfc2308">RFC 2308</a>), or addresses.
 *
 * <p>Thread safety: confined to one thread.
 */
final class InsteadWriter {

    private static final int RECORD_BYTES = 12;
    private static final int NUMBERS = 5;
    private static final int SOA_DATA_BYTES = 2 + NUMBERS * Integer.BYTES;
    private static final int SOA_BYTES = RECORD_BYTES + SOA_DATA_BYTES;
    private static final int IPV6_OCTETS = 16;
    private static final List<IpAddress> ZERO = List.of(IpAddress.parse("0.0.0.0"), IpAddress.parse("::"));

    private final Query query;
    private byte[] out = {};
    private int at;

    /** @param query whose OPT record is settled before anything is written */
    InsteadWriter(Query query) {
        this.query = query;
    }

    /** Returns the length of the response. */
    int write(AnswerChoice choice, byte[] target, int limit) {
        out = target;
        at = Response.begin(query, target);
        int most = limit - query.opt().bytes();
        return switch (choice.answer()) {
            case NXDOMAIN -> deny(Rcode.NXDOMAIN, choice.ttlSeconds(), most);
            case NODATA -> deny(Rcode.NOERROR, choice.ttlSeconds(), most);
            case REFUSED -> end(Rcode.REFUSED, /* flags= */ 0, /* answers= */ 0, /* authority= */ 0);
            case ZERO -> addresses(ZERO, choice.ttlSeconds(), most);
            case ADDRESSES -> addresses(choice.addresses(), choice.ttlSeconds(), most);
        };
    }

    /** Writes a CNAME record alone, for who asks for that. */
    int alias(byte[] name, int ttlSeconds, byte[] target, int limit) {
        out = target;
        at = Response.begin(query, target);
        if (at + RECORD_BYTES + name.length > limit - query.opt().bytes()) {
            return end(Rcode.NOERROR, Response.TRUNCATED, /* answers= */ 0, /* authority= */ 0);
        }
        Wire.putRecord(out, at, Wire.QUESTION_NAME, RecordType.CNAME, ttlSeconds, name.length);
        System.arraycopy(name, 0, out, at + RECORD_BYTES, name.length);
        at += RECORD_BYTES + name.length;
        return end(Rcode.NOERROR, /* flags= */ 0, /* answers= */ 1, /* authority= */ 0);
    }

    private int addresses(List<IpAddress> all, int ttlSeconds, int most) {
        int type = query.type();
        int begin = at;
        int count = 0;
        for (int i = 0; i < all.size(); i++) { // an iterator would be allocated
            IpAddress address = all.get(i);
            boolean wanted = address.isIpv4() ? type == RecordType.A : type == RecordType.AAAA;
            if (!wanted) {
                continue;
            }
            int octets = address.isIpv4() ? Integer.BYTES : IPV6_OCTETS;
            if (at + RECORD_BYTES + octets > most) {
                at = begin;
                return end(Rcode.NOERROR, Response.TRUNCATED, /* answers= */ 0, /* authority= */ 0);
            }
            Wire.putRecord(out, at, Wire.QUESTION_NAME, type, ttlSeconds, octets);
            put(address, at + RECORD_BYTES);
            at += RECORD_BYTES + octets;
            count++;
        }
        return count == 0 ? deny(Rcode.NOERROR, ttlSeconds, most) : end(Rcode.NOERROR, /* flags= */ 0, count, 0);
    }

    private void put(IpAddress address, int place) {
        if (address.isIpv4()) {
            Wire.putU32(out, place, (int) address.low());
            return;
        }
        Wire.putU32(out, place, (int) (address.high() >>> Integer.SIZE));
        Wire.putU32(out, place + 4, (int) address.high());
        Wire.putU32(out, place + 8, (int) (address.low() >>> Integer.SIZE));
        Wire.putU32(out, place + 12, (int) address.low());
    }

    /** The zone is the name itself, and nobody looks after it. */
    private int deny(int rcode, int ttlSeconds, int most) {
        if (at + SOA_BYTES > most) {
            return end(rcode, Response.TRUNCATED, /* answers= */ 0, /* authority= */ 0);
        }
        Wire.putRecord(out, at, Wire.QUESTION_NAME, RecordType.SOA, ttlSeconds, SOA_DATA_BYTES);
        int data = at + RECORD_BYTES;
        out[data] = 0;
        out[data + 1] = 0;
        for (int i = 0; i < NUMBERS; i++) {
            Wire.putU32(out, data + 2 + i * Integer.BYTES, ttlSeconds);
        }
        at += SOA_BYTES;
        return end(rcode, /* flags= */ 0, /* answers= */ 0, /* authority= */ 1);
    }

    private int end(int rcode, int flags, int answers, int authority) {
        int echoed = query.isCheckingDisabled() ? Response.CHECKING_DISABLED : 0;
        Response.header(query, out, Response.RECURSION_AVAILABLE | echoed | flags, rcode);
        Wire.putU16(out, 6, answers);
        Wire.putU16(out, 8, authority);
        return Response.end(query, out, at, /* additional= */ 0, rcode);
    }
}
