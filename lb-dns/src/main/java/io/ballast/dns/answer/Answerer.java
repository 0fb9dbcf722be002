package io.ballast.dns.answer;

import io.ballast.core.stats.Counters;
import io.ballast.dns.answer.data.AnswerTable;
import io.ballast.dns.answer.data.Client;
import io.ballast.dns.answer.data.NameLookupResult;
import io.ballast.dns.answer.data.PublishedAnswers;
import io.ballast.dns.answer.data.QueryContext;
import io.ballast.dns.dnssec.DnssecRecordType;
import io.ballast.dns.forward.Deferral;
import io.ballast.dns.protect.QueryGuard;
import io.ballast.dns.querylog.Decision;
import io.ballast.dns.querylog.Outcome;
import io.ballast.dns.querylog.QueryRecorder;
import io.ballast.dns.stats.DnsCounter;
import io.ballast.dns.wire.Edns;
import io.ballast.dns.wire.EdnsError;
import io.ballast.dns.wire.EdnsSubnet;
import io.ballast.dns.wire.Query;
import io.ballast.dns.wire.QueryName;
import io.ballast.dns.wire.Rcode;
import io.ballast.dns.wire.RecordType;
import io.ballast.dns.wire.Response;
import io.ballast.dns.wire.Wire;
import java.nio.charset.StandardCharsets;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * Answers queries of any transport: parses the query, finds the name, and copies its answer.
 *
 * <p>Thread safety: confined to one thread; each thread has its own answerer. Cost: independent of the number
 * of zones, names and backends; takes no lock, logs nothing, allocates nothing.
 */
public final class Answerer {

    /** Returned instead of a length if the response is sent later, over the deferral's reply path. */
    public static final int DEFERRED = -1;

    /**
     * Returned instead of a length if the alias target is outside our zones and the response has only the
     * aliases.
     */
    public static final int ALIAS_ONLY = -2;

    private static final Deferral NO_DEFERRAL = () -> {
        throw new IllegalStateException("a deferred answer is not possible here");
    };

    /** Sentinel for {@link #zoneBytes}: the name is outside the zones. */
    private static final int OUTSIDE_ZONES = -1;

    private static final int CODE_MASK = 0x0f;
    private static final byte[] NO_TIME_TO_SIGN = "no time to sign".getBytes(StandardCharsets.US_ASCII);

    private final ActiveAnswerConfig active;
    private final Counters.Shard<DnsCounter> counters;
    private final QueryContext context;
    private final Query query;
    private final ResponseWriter writer;
    private final SignedWriter signed;
    private final Resolution resolution;
    private final ZoneStatsRecorder zoneStats;
    private final AliasChain chain;
    private final NameLookupResult found = new NameLookupResult();
    private final @Nullable QueryRecorder recorder;
    private final Decision decision = new Decision();
    /** Length of the name of the zone that answers the current query; 0 for none, or {@link #OUTSIDE_ZONES}. */
    private int zoneBytes;

    // Fields of the configuration that the current query uses:
    private AnswerConfig config;
    private PublishedAnswers published;
    private AnswerSettings settings;
    private QueryGuard guard;
    private @Nullable NonLocalResolver nonLocalResolver;
    private @Nullable ControlMessages control;

    /**
     * Creates an answerer without rate limits and cookies.
     *
     * @param counters this thread's shard
     * @param random this thread's generator
     */
    public Answerer(PublishedAnswers published, Counters.Shard<DnsCounter> counters, SplittableRandom random) {
        this(published, AnswerSettings.OPEN, counters, random);
    }

    /**
     * Creates an answerer with fixed settings.
     *
     * @param settings settings shared by all threads
     * @param counters this thread's shard
     * @param random this thread's generator
     */
    public Answerer(
            PublishedAnswers published,
            AnswerSettings settings,
            Counters.Shard<DnsCounter> counters,
            SplittableRandom random) {
        this(new ActiveAnswerConfig(new AnswerConfig(published, settings)), counters, random);
    }

    /**
     * Creates an answerer that follows the active configuration.
     *
     * @param active configuration shared by all threads
     * @param counters this thread's shard
     * @param random this thread's generator
     */
    public Answerer(ActiveAnswerConfig active, Counters.Shard<DnsCounter> counters, SplittableRandom random) {
        this(active, counters, random, /* recorder= */ null);
    }

    /**
     * Creates an answerer that follows the active configuration and records its answers.
     *
     * @param recorder this thread's query log recorder; null if nothing is logged
     */
    public Answerer(
            ActiveAnswerConfig active,
            Counters.Shard<DnsCounter> counters,
            SplittableRandom random,
            @Nullable QueryRecorder recorder) {
        this.recorder = recorder;
        this.active = active;
        this.config = active.current();
        this.published = config.answers();
        this.settings = config.settings();
        this.guard = settings.protection().createGuard(counters);
        this.counters = counters;
        this.nonLocalResolver = nonLocalResolver(config, counters);
        this.control = config.control();
        this.context = new QueryContext(published, random);
        this.query = new Query(published.hash());
        this.writer = new ResponseWriter(query, context);
        this.signed = new SignedWriter(writer, new CountedSignatures(counters));
        this.signed.use(published);
        this.zoneStats = new ZoneStatsRecorder(published.statsSlots());
        this.chain = new AliasChain(query.name().newWithSameHash());
        this.resolution = new Resolution(published.hash(), published.current(), writer, signed, context, zoneStats);
    }

    private static @Nullable NonLocalResolver nonLocalResolver(
            AnswerConfig config, Counters.Shard<DnsCounter> counters) {
        NonLocalResolverFactory source = config.nonLocalResolverFactory();
        return source == null ? null : source.forThread(counters);
    }

    /**
     * Answers a query without a deferral. May be used only with configurations that refuse names outside the
     * zones.
     */
    public int answer(byte[] message, int length, Client client, byte[] out, Transport transport) {
        return answer(message, length, client, out, transport, NO_DEFERRAL);
    }

    /**
     * Answers the query in the first {@code length} bytes of {@code message}.
     *
     * @param client sender of the query
     * @param out buffer for the response; {@link Edns#MAX_PAYLOAD_BYTES} bytes or more for UDP, {@link
     *     Wire#MAX_MESSAGE_BYTES} for TCP
     * @param deferral creates the reply path if the answer is deferred
     * @return length of the response; 0 if no response must be sent; {@link #DEFERRED} if the response is sent
     *     later
     */
    public int answer(byte[] message, int length, Client client, byte[] out, Transport transport, Deferral deferral) {
        follow();
        context.beginQuery(client);
        counters.increment(transport.queries());
        boolean datagram = transport.isDatagram();
        if (datagram && !guard.accepts(client.port())) {
            return drop();
        }
        Query.Verdict verdict = query.parse(message, length);
        if (verdict == Query.Verdict.DROP) {
            return noQuery(length);
        }
        settings.describe(query.opt(), transport);
        return switch (guard.evaluate(query, client.bytes(), client.length(), datagram)) {
            case ANSWER -> begin(verdict, out, transport, deferral);
            case BADCOOKIE -> fail(out, Rcode.BADCOOKIE);
            case TRUNCATE -> truncate(out);
            case DROP -> drop();
        };
    }

    /**
     * Answers a query that {@link ControlMessages} has already handled, without passing it there again. The
     * thread that received the query has already counted it and applied the client's limits.
     *
     * @return like {@link #answer(byte[], int, Client, byte[], Transport, Deferral)}
     */
    public int answerWithoutControl(
            byte[] message, int length, Client client, byte[] out, Transport transport, Deferral deferral) {
        follow();
        context.beginQuery(client);
        Query.Verdict verdict = query.parse(message, length);
        settings.describe(query.opt(), transport);
        guard.renewCookie(query, client.bytes(), client.length());
        return answer(verdict, out, transport, deferral);
    }

    /**
     * Switches to the active configuration, which releases an inactive one. Each query does this; idle threads
     * call it.
     */
    public void follow() {
        AnswerConfig now = active.current();
        if (now != config) {
            use(now);
        }
    }

    /** Switches to another configuration. Per-client state is kept unless the protection changes. */
    @SuppressWarnings("ReferenceEquality") // compares identity, because each source object gives its own answers
    private void use(AnswerConfig next) {
        if (next.settings().protection() != settings.protection()) {
            guard = next.settings().protection().createGuard(counters);
        }
        if (next.nonLocalResolverFactory() != config.nonLocalResolverFactory()) {
            nonLocalResolver = nonLocalResolver(next, counters);
        }
        config = next;
        control = next.control();
        settings = next.settings();
        published = next.answers();
        context.use(published);
        signed.use(published);
        resolution.use(published.current());
        zoneStats.use(published.statsSlots());
    }

    private int begin(Query.Verdict verdict, byte[] out, Transport transport, Deferral deferral) {
        if (control == null || !query.isControlMessage()) {
            return answer(verdict, out, transport, deferral);
        }
        if (control.accept(query.message(), query.length(), context.client(), transport, deferral)) {
            return DEFERRED;
        }
        counters.increment(DnsCounter.CONTROL_OVERLOADED);
        return refuse(out, EdnsError.NOT_READY);
    }

    private int answer(Query.Verdict verdict, byte[] out, Transport transport, Deferral deferral) {
        return switch (verdict) {
            case ANSWER ->
                recorder != null && recorder.beginQuery()
                        ? answerRecorded(recorder, out, transport, deferral)
                        : answerQuestion(out, transport, deferral);
            case COOKIE -> guard.hasCookies() ? fail(out, Rcode.NOERROR) : malformed(out);
            case NOTIMP -> fail(out, Rcode.NOTIMP);
            case BADVERS -> fail(out, Rcode.BADVERS);
            case FORMERR -> malformed(out);
            case DROP -> drop();
        };
    }

    private int malformed(byte[] out) {
        counters.increment(DnsCounter.MALFORMED);
        return fail(out, Rcode.FORMERR);
    }

    private int noQuery(int length) {
        counters.increment(length < Wire.HEADER_BYTES ? DnsCounter.MALFORMED : DnsCounter.RESPONSES_RECEIVED);
        return drop();
    }

    private int drop() {
        counters.increment(DnsCounter.DROPPED);
        return 0;
    }

    private int answerRecorded(QueryRecorder told, byte[] out, Transport transport, Deferral deferral) {
        zoneBytes = 0;
        int length = answerQuestion(out, transport, deferral);
        Decision how = length > 0 ? decision(out[3] & CODE_MASK) : null;
        if (how != null) {
            Client client = context.client();
            told.recordAnswer(
                    client.arrivedNanos(),
                    query,
                    client.bytes(),
                    client.length(),
                    client.port(),
                    transport.protocol(),
                    how,
                    out,
                    length);
        }
        return length;
    }

    /** The decision about the current query; null if it is not logged. */
    private @Nullable Decision decision(int rcode) {
        if (zoneBytes == OUTSIDE_ZONES) {
            return nonLocalResolver == null ? null : nonLocalResolver.decision();
        }
        switch (rcode) {
            case Rcode.REFUSED -> decision.setServer(Outcome.REFUSED);
            case Rcode.FORMERR, Rcode.SERVFAIL -> decision.setServer(Outcome.FAILED);
            default -> decision.setZone(zoneBytes);
        }
        return decision;
    }

    private int answerQuestion(byte[] out, Transport transport, Deferral deferral) {
        int limit = transport.limit(query);
        int type = query.type();
        countType(type);
        if (type == DnssecRecordType.NXNAME || RecordType.isMessageOnly(type)) {
            query.opt().error(EdnsError.INVALID_QUERY_TYPE);
            return fail(out, Rcode.FORMERR);
        }
        if (query.recordClass() == Wire.CLASS_CH) {
            return answerAboutServer(out, limit);
        }
        if (query.recordClass() != Wire.CLASS_IN || RecordType.isTransfer(type)) {
            return refuse(out, EdnsError.NOT_SUPPORTED);
        }
        AnswerTable table = published.current();
        QueryName name = query.name();
        name.hash();
        NameLookupResult place = table.find(name, type, found);
        if (place == null) {
            return nonLocalResolver == null
                    ? refuse(out, EdnsError.NOT_AUTHORITATIVE)
                    : answerNonLocal(nonLocalResolver, out, limit, transport, deferral);
        }
        if (place.zone().isMissing()) {
            query.opt().error(EdnsError.INVALID_DATA);
            return fail(out, Rcode.SERVFAIL);
        }
        zoneBytes = place.zone().apexBytes();
        context.ensureCursors(table.cursors());
        context.dnssecOk(query.edns().isDnssecOk());
        boolean subnetUsed = locate();
        writer.begin(out, limit);
        signed.begin(query.edns().isCompactOk());
        int rcode = resolution.resolve(table, name, type, place);
        zoneStats.countZone(place.zone(), resolution.outcome(rcode));
        if (rcode == Rcode.REFUSED) {
            query.opt().error(EdnsError.OTHER, NO_TIME_TO_SIGN);
            return fail(out, Rcode.REFUSED);
        }
        if (subnetUsed) {
            query.opt().scope(context.location().scope());
        }
        if (resolution.isTargetOutside() && nonLocalResolver != null) {
            int length = follow(nonLocalResolver, subnetUsed, out, limit, transport, deferral);
            if (length != ALIAS_ONLY) {
                return length;
            }
        }
        if (resolution.isTargetOutside()) {
            resolution.endOutside();
        }
        if (writer.isTruncated()) {
            counters.increment(DnsCounter.TRUNCATED);
        }
        boolean own = place.kind() != NameLookupResult.Kind.DELEGATION;
        int flags = own ? Response.AUTHORITATIVE : 0;
        if (query.isCheckingDisabled() && hasSignatures(table, place)) {
            flags |= Response.CHECKING_DISABLED;
        }
        return finish(writer.end(flags, rcode), rcode);
    }

    private int answerNonLocal(NonLocalResolver names, byte[] out, int limit, Transport transport, Deferral deferral) {
        return countAnswer(names.answer(query, context.client(), out, limit, transport, deferral), out);
    }

    /**
     * Resolves an alias target outside the zones for clients that request recursion. The aliases are already in
     * the response.
     */
    private int follow(
            NonLocalResolver names, boolean subnetUsed, byte[] out, int limit, Transport transport, Deferral deferral) {
        if (!query.isRecursionDesired() || query.type() == RecordType.ANY) {
            return ALIAS_ONLY;
        }
        boolean isComplete = chain.begin(
                query.questionEnd(),
                out,
                writer.at(),
                writer.answers(),
                resolution.target(),
                resolution.targetAt(),
                Response.AUTHORITATIVE,
                subnetUsed ? context.location().scope() : 0);
        int length = isComplete
                ? names.answerAliasTarget(chain, query, context.client(), out, limit, transport, deferral)
                : ALIAS_ONLY;
        return length == ALIAS_ONLY ? ALIAS_ONLY : countAnswer(length, out);
    }

    /** Counts an answer for a name outside the zones. */
    private int countAnswer(int length, byte[] out) {
        zoneBytes = OUTSIDE_ZONES;
        if (length == DEFERRED) {
            return DEFERRED;
        }
        if (length == 0) {
            return drop();
        }
        if ((out[2] & Response.TRUNCATED) != 0) {
            counters.increment(DnsCounter.TRUNCATED);
        }
        return finish(length, out[3] & CODE_MASK);
    }

    private boolean hasSignatures(AnswerTable table, NameLookupResult place) {
        return context.isDnssecOk() && table.zone(place.zone()).hasSignatures();
    }

    /** Answers an identity query in class CH, as configured. */
    private int answerAboutServer(byte[] out, int limit) {
        int type = query.type();
        byte[] record = settings.identity().record(query.name());
        if (record == null) {
            return refuse(out, EdnsError.PROHIBITED);
        }
        writer.begin(out, limit);
        if (type == RecordType.TXT || type == RecordType.ANY) {
            writer.answer(record);
        }
        return finish(writer.end(Response.AUTHORITATIVE, Rcode.NOERROR), Rcode.NOERROR);
    }

    /** Sets the client's location from a trusted client subnet; returns whether there is one. */
    private boolean locate() {
        EdnsSubnet subnet = query.edns().subnet();
        if (!subnet.isPresent() || !settings.trusts(context.client())) {
            return false;
        }
        context.location().beginQuery(subnet.bytes(), subnet.hasAddress() ? subnet.length() : 0);
        return true;
    }

    private int refuse(byte[] out, EdnsError why) {
        query.opt().error(why);
        return fail(out, Rcode.REFUSED);
    }

    /** Sends an empty truncated response, so that a rate-limited client retries over TCP. */
    private int truncate(byte[] out) {
        writer.begin(out, Wire.MAX_MESSAGE_BYTES);
        return finish(writer.end(Response.TRUNCATED, Rcode.NOERROR), Rcode.NOERROR);
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
