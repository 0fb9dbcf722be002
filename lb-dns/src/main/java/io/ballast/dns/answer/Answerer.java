package io.ballast.dns.answer;

import io.ballast.core.stats.Counters;
import io.ballast.dns.dnssec.SecurityType;
import io.ballast.dns.stats.DnsCounter;
import io.ballast.dns.wire.Edns;
import io.ballast.dns.wire.Query;
import io.ballast.dns.wire.QueryName;
import io.ballast.dns.wire.Rcode;
import io.ballast.dns.wire.RecordType;
import io.ballast.dns.wire.Response;
import io.ballast.dns.wire.Wire;
import java.util.SplittableRandom;

/**
 * Answers queries, whatever transport brought them: parse, find the name, copy its answer.
 *
 * <p>Thread safety: confined to one thread; make one for each. Cost: constant in the number of zones, names and
 * backends; takes no lock, logs nothing, allocates nothing.
 */
public final class Answerer {

    private final PublishedAnswers published;
    private final Counters.Shard<DnsCounter> counters;
    private final QueryContext context;
    private final Query query;
    private final ResponseWriter writer;
    private final SignedWriter signed;
    private final Resolution resolution;

    /**
     * @param counters this thread's shard
     * @param random this thread's generator
     */
    public Answerer(PublishedAnswers published, Counters.Shard<DnsCounter> counters, SplittableRandom random) {
        this.published = published;
        this.counters = counters;
        this.context = new QueryContext(random);
        this.query = new Query(published.hash());
        this.writer = new ResponseWriter(query, context);
        this.signed = new SignedWriter(writer, published.signer(new CountedSignatures(counters)));
        this.resolution = new Resolution(published.hash(), published.current(), writer, signed, context);
    }

    /**
     * Answers the query in the first {@code length} bytes of {@code message}.
     *
     * @param client who asks
     * @param out takes the response; {@link Edns#MAX_PAYLOAD_BYTES} bytes or more for UDP, {@link
     *     Wire#MAX_MESSAGE_BYTES} for TCP
     * @return length of the response; 0 if there must be none
     */
    public int answer(byte[] message, int length, Client client, byte[] out, Transport transport) {
        context.asks(client);
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
        if (transport != Transport.UDP) {
            return Wire.MAX_MESSAGE_BYTES;
        }
        return Math.min(query.edns().payload(), Edns.MAX_PAYLOAD_BYTES);
    }

    private int answerQuestion(byte[] out, int limit) {
        int type = query.type();
        countType(type);
        if (query.recordClass() != Wire.CLASS_IN || type == RecordType.AXFR || type == RecordType.IXFR) {
            return fail(out, Rcode.REFUSED);
        }
        if (type == SecurityType.NXNAME) {
            return fail(out, Rcode.FORMERR);
        }
        AnswerTable table = published.current();
        QueryName name = query.name();
        name.hash();
        Place place = table.find(name, type);
        if (place == null) {
            return fail(out, Rcode.REFUSED);
        }
        context.ensureCursors(table.cursors());
        context.dnssecOk(query.edns().isDnssecOk());
        writer.begin(out, limit);
        signed.begin(query.edns().isCompactOk());
        int rcode = resolution.resolve(table, name, type, place);
        if (rcode == Rcode.REFUSED) {
            return fail(out, Rcode.REFUSED);
        }
        if (writer.isTruncated()) {
            counters.increment(DnsCounter.TRUNCATED);
        }
        boolean own = place.kind() != Place.Kind.DELEGATION;
        return finish(writer.end(own ? Response.AUTHORITATIVE : 0, rcode), rcode);
    }

    private int fail(byte[] out, int rcode) {
        writer.begin(out, Wire.MAX_MESSAGE_BYTES);
        return finish(writer.end(0, rcode), rcode);
    }

    private int finish(int length, int rcode) {
        counters.increment(DnsCounter.ofRcode(rcode));
        return length;
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
