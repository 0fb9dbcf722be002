package io.ballast.dns.answer.forwarded;

import io.ballast.core.net.IpAddress;
import io.ballast.dns.answer.AliasChain;
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
 * Writes synthesized answers: addresses, or a negative answer with an SOA record. Clients cache the negative
 * answer for the TTL of that record (<a href="https://datatracker.ietf.org/doc/html/rfc2308">RFC 2308</a>).
 *
 * <p>Thread safety: confined to one thread.
 */
final class SyntheticAnswerWriter {

    private static final int RECORD_BYTES = 12;
    private static final int NUMBERS = 5;
    private static final int SOA_DATA_BYTES = 2 + NUMBERS * Integer.BYTES;
    private static final int SOA_BYTES = RECORD_BYTES + SOA_DATA_BYTES;
    private static final int IPV6_OCTETS = 16;
    private static final List<IpAddress> ZERO = List.of(IpAddress.parse("0.0.0.0"), IpAddress.parse("::"));

    private final Query query;
    private byte[] out = {};
    private int at;
    private int max;

    // Data of the preceding aliases: a pointer to the final name, the number of records, and the flags of the
    // response.
    private int owner;
    private int precedingAnswers;
    private int flags;

    /** @param query query whose OPT record must be complete before a response is written */
    SyntheticAnswerWriter(Query query) {
        this.query = query;
    }

    /**
     * Writes a response and returns its length.
     *
     * @param chain aliases from the query name to the synthesized name; null if they are the same. A REFUSED
     *     response has no aliases
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

    /** Writes only the aliases, for CNAME queries. */
    int aliases(AliasChain chain, byte[] target, int limit) {
        return begin(chain, target, limit) ? end(Rcode.NOERROR, /* answers= */ 0, /* authority= */ 0) : truncate();
    }

    /** Writes the preceding aliases; returns false if they do not fit. */
    private boolean begin(@Nullable AliasChain chain, byte[] target, int limit) {
        out = target;
        at = Response.begin(query, target);
        max = limit - query.opt().bytes();
        owner = Wire.QUESTION_NAME;
        precedingAnswers = 0;
        flags = 0;
        if (chain == null) {
            return true;
        }
        flags = chain.flags();
        if (chain.end() > max) {
            return false;
        }
        at = chain.write(target);
        owner = chain.owner();
        precedingAnswers = chain.answers();
        return true;
    }

    private int addresses(List<IpAddress> all, int ttlSeconds) {
        int type = query.type();
        int begin = at;
        int count = 0;
        for (int i = 0; i < all.size(); i++) { // an index loop, because a for-each loop would allocate an iterator
            IpAddress address = all.get(i);
            boolean wanted = address.isIpv4() ? type == RecordType.A : type == RecordType.AAAA;
            if (!wanted) {
                continue;
            }
            int bytes = address.isIpv4() ? Integer.BYTES : IPV6_OCTETS;
            if (at + RECORD_BYTES + bytes > max) {
                at = begin;
                return truncate();
            }
            Wire.putRecord(out, at, owner, type, ttlSeconds, bytes);
            put(address, at + RECORD_BYTES);
            at += RECORD_BYTES + bytes;
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

    /**
     * Adds an SOA record whose owner is the denied name. The name server and the mailbox in the record are the root
     * name.
     */
    private int deny(int rcode, int ttlSeconds) {
        if (at + SOA_BYTES > max) {
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
        Response.writeHeader(query, out, Response.RECURSION_AVAILABLE | echoed | flags, rcode);
        Wire.putU16(out, 6, precedingAnswers + answers);
        Wire.putU16(out, 8, authority);
        return Response.end(query, out, at, /* additional= */ 0, rcode);
    }
}
