package io.ballast.dns.answer;

import io.ballast.core.stats.Counters;
import io.ballast.dns.stats.DnsCounter;
import io.ballast.dns.wire.Edns;
import io.ballast.dns.wire.Query;
import io.ballast.dns.wire.QueryName;
import io.ballast.dns.wire.Rcode;
import io.ballast.dns.wire.RecordType;
import io.ballast.dns.wire.Response;
import io.ballast.dns.wire.Wire;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * Answers queries, whatever transport brought them: parse, find the name, copy its answer.
 *
 * <p>Thread safety: confined to one thread; make one for each. Cost: constant in the number of zones, names and
 * backends; takes no lock, logs nothing, allocates nothing.
 */
public final class Answerer {

    private static final int CLASS_IN = 1;

    private final PublishedAnswers published;
    private final Counters.Shard<DnsCounter> counters;
    private final QueryContext context;
    private final Query query;

    /**
     * @param counters this thread's shard
     * @param random this thread's generator
     */
    public Answerer(PublishedAnswers published, Counters.Shard<DnsCounter> counters, SplittableRandom random) {
        this.published = published;
        this.counters = counters;
        this.context = new QueryContext(random);
        this.query = new Query(published.hash());
    }

    /**
     * Answers the query in the first {@code length} bytes of {@code message}.
     *
     * @param out takes the response; {@link Edns#MAX_PAYLOAD_BYTES} bytes or more for UDP, {@link
     *     Wire#MAX_MESSAGE_BYTES} for TCP
     * @return length of the response; 0 if there must be none
     */
    public int answer(byte[] message, int length, byte[] out, Transport transport) {
        counters.increment(transport.queries());
        return switch (query.parse(message, length)) {
            case ANSWER -> answerQuestion(out, limit(transport));
            case NOTIMP -> fail(out, Rcode.NOTIMP);
            case BADVERS -> fail(out, Rcode.BADVERS);
            case FORMERR -> malformed(out);
            case DROP -> drop(length);
        };
    }

    private int malformed(byte[] out) {
        counters.increment(DnsCounter.MALFORMED);
        return fail(out, Rcode.FORMERR);
    }

    private int drop(int length) {
        if (length < Wire.HEADER_BYTES) {
            counters.increment(DnsCounter.MALFORMED);
        }
        counters.increment(DnsCounter.DROPPED);
        return 0;
    }

    private int limit(Transport transport) {
        if (transport == Transport.TCP) {
            return Wire.MAX_MESSAGE_BYTES;
        }
        return Math.min(query.edns().payload(), Edns.MAX_PAYLOAD_BYTES);
    }

    private int answerQuestion(byte[] out, int limit) {
        int type = query.type();
        countType(type);
        if (query.recordClass() != CLASS_IN || type == RecordType.AXFR || type == RecordType.IXFR) {
            return fail(out, Rcode.REFUSED);
        }
        AnswerTable table = published.current();
        QueryName name = query.name();
        name.hash();
        NameEntry exact = table.find(name, 0);
        if (exact != null) {
            return answerFrom(table, exact.zone(), exact.index(), out, limit);
        }
        NameEntry encloser = closestEncloser(table, name);
        if (encloser == null) {
            return fail(out, Rcode.REFUSED);
        }
        if (encloser.wildcard() != NameEntry.NO_WILDCARD) {
            return answerFrom(table, encloser.zone(), encloser.wildcard(), out, limit);
        }
        return negative(encloser.zone(), Rcode.NXDOMAIN, out, limit);
    }

    /**
     * The longest existing name above one that does not exist; null outside our zones. Only a wildcard directly below
     * it counts (<a href="https://datatracker.ietf.org/doc/html/rfc4592#section-3.3.1">RFC 4592 section 3.3.1</a>).
     */
    private static @Nullable NameEntry closestEncloser(AnswerTable table, QueryName name) {
        for (int suffix = 1; suffix <= name.labels(); suffix++) {
            NameEntry encloser = table.find(name, suffix);
            if (encloser != null) {
                return encloser;
            }
        }
        return null;
    }

    private int answerFrom(AnswerTable table, Zone zone, int index, byte[] out, int limit) {
        NameAnswers answers = table.answers(index);
        Answer answer = answers.of(query.type());
        if (answer == null) {
            return negative(zone, Rcode.NOERROR, out, limit);
        }
        context.ensureCursors(table.cursors());
        int at = Response.begin(query, out, Response.AUTHORITATIVE, Rcode.NOERROR);
        if (!fits(answer, at, limit)) {
            return truncated(out, Rcode.NOERROR);
        }
        answer.write(out, at, apexPointer(zone), context);
        Response.answers(out, answer.records());
        return finish(out, at + answer.bytes(), Rcode.NOERROR);
    }

    /** NXDOMAIN or NODATA, with the SOA record that tells how long to remember it. */
    private int negative(Zone zone, int rcode, byte[] out, int limit) {
        int at = Response.begin(query, out, Response.AUTHORITATIVE, rcode);
        Answer soa = zone.negative();
        if (!fits(soa, at, limit)) {
            return truncated(out, rcode);
        }
        soa.write(out, at, apexPointer(zone), context);
        Response.authority(out, soa.records());
        return finish(out, at + soa.bytes(), rcode);
    }

    private boolean fits(Answer answer, int at, int limit) {
        int reserved = query.edns().isPresent() ? Edns.BARE_OPT_BYTES : 0;
        return at + answer.bytes() + reserved <= limit;
    }

    /** The question's name ends with the zone's. */
    private int apexPointer(Zone zone) {
        return Wire.POINTER << 8 | (Wire.HEADER_BYTES + query.name().length() - zone.apexBytes());
    }

    private int truncated(byte[] out, int rcode) {
        counters.increment(DnsCounter.TRUNCATED);
        int at = Response.begin(query, out, Response.AUTHORITATIVE | Response.TRUNCATED, rcode);
        return finish(out, at, rcode);
    }

    private int fail(byte[] out, int rcode) {
        return finish(out, Response.begin(query, out, 0, rcode), rcode);
    }

    private int finish(byte[] out, int at, int rcode) {
        counters.increment(DnsCounter.ofRcode(rcode));
        return Response.end(query, out, at, rcode);
    }

    private void countType(int type) {
        if (type == RecordType.A) {
            counters.increment(DnsCounter.TYPE_A);
        } else if (type == RecordType.AAAA) {
            counters.increment(DnsCounter.TYPE_AAAA);
        } else {
            counters.increment(DnsCounter.TYPE_OTHER);
        }
    }
}
