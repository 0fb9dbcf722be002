package io.ballast.dns.answer;

import io.ballast.core.net.IpAddress;
import io.ballast.dns.config.forward.DnsFilterConfig;
import io.ballast.dns.forward.filter.AnswerChoice;
import io.ballast.dns.wire.Query;
import io.ballast.dns.wire.Rcode;
import io.ballast.dns.wire.RecordType;
import io.ballast.dns.wire.Response;
import io.ballast.dns.wire.Wire;
import java.util.List;
import org.jspecify.annotations.Nullable;

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
    private int most;

    // Of what stands before: the name that is answered for, the records, and the flags of the response.
    private int owner;
    private int before;
    private int flags;

    /** @param query whose OPT record is settled before anything is written */
    InsteadWriter(Query query) {
        this.query = query;
    }

    /**
     * Returns the length of the response.
     *
     * @param chain that leads to the name which the choice is about; null for that of the query. A refusal is one of the query
     */
    int write(AnswerChoice choice, @Nullable AliasChain chain, byte[] target, int limit) {
        if (!begin(choice.answer() == DnsFilterConfig.Answer.REFUSED ? null : chain, target, limit)) {
            return truncate();
        }
        return switch (choice.answer()) {
            case NXDOMAIN -> deny(Rcode.NXDOMAIN, choice.ttlSeconds());
            case NODATA -> deny(Rcode.NOERROR, choice.ttlSeconds());
            case REFUSED -> end(Rcode.REFUSED, /* answers= */ 0, /* authority= */ 0);
            case ZERO -> addresses(ZERO, choice.ttlSeconds());
            case ADDRESSES -> addresses(choice.addresses(), choice.ttlSeconds());
        };
    }

    /** Writes aliases alone, for who asks for these. */
    int aliases(AliasChain chain, byte[] target, int limit) {
        return begin(chain, target, limit) ? end(Rcode.NOERROR, /* answers= */ 0, /* authority= */ 0) : truncate();
    }

    /** Writes what stands before, and tells whether there is room for it. */
    private boolean begin(@Nullable AliasChain chain, byte[] target, int limit) {
        out = target;
        at = Response.begin(query, target);
        most = limit - query.opt().bytes();
        owner = Wire.QUESTION_NAME;
        before = 0;
        flags = 0;
        if (chain == null) {
            return true;
        }
        flags = chain.flags();
        if (chain.end() > most) {
            return false;
        }
        at = chain.write(target);
        owner = chain.owner();
        before = chain.answers();
        return true;
    }

    private int addresses(List<IpAddress> all, int ttlSeconds) {
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
                return truncate();
            }
            Wire.putRecord(out, at, owner, type, ttlSeconds, octets);
            put(address, at + RECORD_BYTES);
            at += RECORD_BYTES + octets;
            count++;
        }
        return count == 0 ? deny(Rcode.NOERROR, ttlSeconds) : end(Rcode.NOERROR, count, /* authority= */ 0);
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
    private int deny(int rcode, int ttlSeconds) {
        if (at + SOA_BYTES > most) {
            flags |= Response.TRUNCATED;
            return end(rcode, /* answers= */ 0, /* authority= */ 0);
        }
        Wire.putRecord(out, at, owner, RecordType.SOA, ttlSeconds, SOA_DATA_BYTES);
        int data = at + RECORD_BYTES;
        out[data] = 0;
        out[data + 1] = 0;
        for (int i = 0; i < NUMBERS; i++) {
            Wire.putU32(out, data + 2 + i * Integer.BYTES, ttlSeconds);
        }
        at += SOA_BYTES;
        return end(rcode, /* answers= */ 0, /* authority= */ 1);
    }

    private int truncate() {
        flags |= Response.TRUNCATED;
        return end(Rcode.NOERROR, /* answers= */ 0, /* authority= */ 0);
    }

    private int end(int rcode, int answers, int authority) {
        int echoed = query.isCheckingDisabled() ? Response.CHECKING_DISABLED : 0;
        Response.header(query, out, Response.RECURSION_AVAILABLE | echoed | flags, rcode);
        Wire.putU16(out, 6, before + answers);
        Wire.putU16(out, 8, authority);
        return Response.end(query, out, at, /* additional= */ 0, rcode);
    }
}
