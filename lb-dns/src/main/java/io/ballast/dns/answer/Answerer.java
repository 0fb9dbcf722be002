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

    private static final Deferral NO_DEFERRAL = () -> {
        throw new IllegalStateException("a deferred answer is not possible here");
    };

    private static final int CODE_MASK = 0x0f;
    private static final byte[] NO_TIME_TO_SIGN = "signing took too long".getBytes(StandardCharsets.US_ASCII);

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
    /** Length of the response to the current query; 0 if there is none yet. */
    private int responseLength;
    /** Length of the name of the zone that answers the current query; 0 for none. */
    private int zoneBytes;
    /** Whether the {@link #nonLocalResolver} answers the current query. */
    private boolean isNonLocal;

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
     * Answers a query that never needs a deferred reply. May be used only with configurations that refuse names
     * outside the zones.
     *
     * @return length of the response; 0 if no response must be sent
     */
    public int answer(byte[] message, int length, Client client, byte[] out, Transport transport) {
        answer(message, length, client, out, transport, NO_DEFERRAL);
        return responseLength;
    }

    /**
     * Answers the query in the first {@code length} bytes of {@code message}.
     *
     * @param client sender of the query
     * @param out buffer for the response; {@link Edns#MAX_PAYLOAD_BYTES} bytes or more for UDP, {@link
     *     Wire#MAX_MESSAGE_BYTES} for TCP
     * @param deferral callback that creates the reply path if the answer is deferred
     * @return after {@link AnswerResult#RESPONSE}, {@link #responseLength} is the length of the response
     */
    public AnswerResult answer(
            byte[] message, int length, Client client, byte[] out, Transport transport, Deferral deferral) {
        responseLength = 0;
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
     * Answers a query that {@link ControlMessages} has already handled; does not pass the query to it again. The
     * thread that received the query has already counted it and applied the client's limits.
     *
     * @return like {@link #answer(byte[], int, Client, byte[], Transport, Deferral)}
     */
    public AnswerResult answerWithoutControl(
            byte[] message, int length, Client client, byte[] out, Transport transport, Deferral deferral) {
        responseLength = 0;
        follow();
        context.beginQuery(client);
        Query.Verdict verdict = query.parse(message, length);
        settings.describe(query.opt(), transport);
        guard.renewCookie(query, client.bytes(), client.length());
        return answer(verdict, out, transport, deferral);
    }

    /**
     * Returns the length of the response to the last query in bytes; 0 if there is no response, or only a deferred
     * response.
     */
    public int responseLength() {
        return responseLength;
    }

    /**
     * Switches to the active configuration if it has changed, and releases the previous one. Called for each
     * query, and periodically by idle threads.
     */
    public void follow() {
        AnswerConfig now = active.current();
        if (now != config) {
            use(now);
        }
    }

    /**
     * Switches to another configuration. Per-client state is kept unless the abuse protection settings change.
     */
    @SuppressWarnings("ReferenceEquality") // compares identity: each source object returns its own answers
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

    private AnswerResult begin(Query.Verdict verdict, byte[] out, Transport transport, Deferral deferral) {
        if (control == null || !query.isControlMessage()) {
            return answer(verdict, out, transport, deferral);
        }
        if (control.accept(query.message(), query.length(), context.client(), transport, deferral)) {
            return AnswerResult.DEFERRED;
        }
        counters.increment(DnsCounter.CONTROL_OVERLOADED);
        return refuse(out, EdnsError.NOT_READY);
    }

    private AnswerResult answer(Query.Verdict verdict, byte[] out, Transport transport, Deferral deferral) {
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

    private AnswerResult malformed(byte[] out) {
        counters.increment(DnsCounter.MALFORMED);
        return fail(out, Rcode.FORMERR);
    }

    private AnswerResult noQuery(int length) {
        counters.increment(length < Wire.HEADER_BYTES ? DnsCounter.MALFORMED : DnsCounter.RESPONSES_RECEIVED);
        return drop();
    }

    private AnswerResult drop() {
        counters.increment(DnsCounter.DROPPED);
        return AnswerResult.NO_RESPONSE;
    }

    private AnswerResult answerRecorded(QueryRecorder recorder, byte[] out, Transport transport, Deferral deferral) {
        zoneBytes = 0;
        isNonLocal = false;
        AnswerResult result = answerQuestion(out, transport, deferral);
        Decision how = result == AnswerResult.RESPONSE ? decision(out[3] & CODE_MASK) : null;
        if (how != null) {
            Client client = context.client();
            recorder.recordAnswer(
                    client.arrivedNanos(),
                    query,
                    client.bytes(),
                    client.length(),
                    client.port(),
                    transport.protocol(),
                    how,
                    out,
                    responseLength);
        }
        return result;
    }

    /**
     * Returns the query log's record of how the current query was answered; null if the query is not logged.
     */
    private @Nullable Decision decision(int rcode) {
        if (isNonLocal) {
            return nonLocalResolver == null ? null : nonLocalResolver.decision();
        }
        switch (rcode) {
            case Rcode.REFUSED -> decision.setServer(Outcome.REFUSED);
            case Rcode.FORMERR, Rcode.SERVFAIL -> decision.setServer(Outcome.FAILED);
            default -> decision.setZone(zoneBytes);
        }
        return decision;
    }

    private AnswerResult answerQuestion(byte[] out, Transport transport, Deferral deferral) {
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
        if (place.zone().isMissing() || table.zone(place.zone()).isWithheld()) {
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
        if (resolution.isTargetOutside()) {
            if (nonLocalResolver != null && beginChain(nonLocalResolver, subnetUsed, out)) {
                return answerAliasTarget(nonLocalResolver, out, limit, transport, deferral);
            }
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

    private AnswerResult answerNonLocal(
            NonLocalResolver names, byte[] out, int limit, Transport transport, Deferral deferral) {
        return countNonLocal(names.answer(query, context.client(), out, limit, transport, deferral), names, out);
    }

    /**
     * Copies the aliases of the response to the {@link #chain}, if their target outside the zones must be
     * resolved. Returns false if the client gets only the aliases.
     */
    private boolean beginChain(NonLocalResolver names, boolean subnetUsed, byte[] out) {
        return query.isRecursionDesired()
                && query.type() != RecordType.ANY
                && names.resolvesAliasTargets(context.client())
                && chain.begin(
                        query.questionEnd(),
                        out,
                        writer.at(),
                        writer.answers(),
                        resolution.target(),
                        resolution.targetAt(),
                        Response.AUTHORITATIVE,
                        subnetUsed ? context.location().scope() : 0);
    }

    private AnswerResult answerAliasTarget(
            NonLocalResolver names, byte[] out, int limit, Transport transport, Deferral deferral) {
        AnswerResult result = names.answerAliasTarget(chain, query, context.client(), out, limit, transport, deferral);
        return countNonLocal(result, names, out);
    }

    /** Counts an answer from the resolver for names outside the zones. */
    private AnswerResult countNonLocal(AnswerResult result, NonLocalResolver names, byte[] out) {
        isNonLocal = true;
        return switch (result) {
            case DEFERRED -> AnswerResult.DEFERRED;
            case NO_RESPONSE -> drop();
            case RESPONSE -> {
                if ((out[2] & Response.TRUNCATED) != 0) {
                    counters.increment(DnsCounter.TRUNCATED);
                }
                yield finish(names.responseLength(), out[3] & CODE_MASK);
            }
        };
    }

    private boolean hasSignatures(AnswerTable table, NameLookupResult place) {
        return context.isDnssecOk() && table.zone(place.zone()).hasSignatures();
    }

    /** Answers an identity query in class CH, as configured. */
    private AnswerResult answerAboutServer(byte[] out, int limit) {
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

    private AnswerResult refuse(byte[] out, EdnsError why) {
        query.opt().error(why);
        return fail(out, Rcode.REFUSED);
    }

    /** Sends an empty truncated response, so that a rate-limited client retries over TCP. */
    private AnswerResult truncate(byte[] out) {
        writer.begin(out, Wire.MAX_MESSAGE_BYTES);
        return finish(writer.end(Response.TRUNCATED, Rcode.NOERROR), Rcode.NOERROR);
    }

    private AnswerResult fail(byte[] out, int rcode) {
        writer.begin(out, Wire.MAX_MESSAGE_BYTES);
        return finish(writer.end(0, rcode), rcode);
    }

    private AnswerResult finish(int length, int rcode) {
        counters.increment(DnsCounter.ofRcode(rcode));
        responseLength = length;
        return AnswerResult.RESPONSE;
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
