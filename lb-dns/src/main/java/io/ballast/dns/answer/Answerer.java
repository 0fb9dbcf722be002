package io.ballast.dns.answer;

import io.ballast.core.stats.Counters;
import io.ballast.dns.dnssec.SecurityType;
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
 * Answers queries, whatever transport brought them: parse, find the name, copy its answer.
 *
 * <p>Thread safety: confined to one thread; make one for each. Cost: constant in the number of zones, names and
 * backends; takes no lock, logs nothing, allocates nothing.
 */
public final class Answerer {

    /** Instead of a length: the response comes later, by the way back that was kept. */
    public static final int DEFERRED = -1;

    /** Instead of a length: what leads out of the zones is answered by them alone. */
    static final int LEFT = -2;

    private static final Deferral NEVER = () -> {
        throw new IllegalStateException("an answer that comes later, where none can");
    };

    /** Instead of the length of a zone's name: the name lies outside the zones. */
    private static final int ELSEWHERE = -1;

    private static final int CODE_MASK = 0x0f;
    private static final byte[] NO_TIME_TO_SIGN = "no time to sign".getBytes(StandardCharsets.US_ASCII);

    private final ActiveAnswerConfig active;
    private final Counters.Shard<DnsCounter> counters;
    private final QueryContext context;
    private final Query query;
    private final ResponseWriter writer;
    private final SignedWriter signed;
    private final Resolution resolution;
    private final ZoneTally tally;
    private final AliasChain chain;
    private final Place found = new Place();
    private final @Nullable QueryRecorder recorder;
    private final Decision decision = new Decision();
    /** Length of the name of the zone that answers the query in hand; 0 for none, or {@link #ELSEWHERE}. */
    private int zoneBytes;

    // Of the configuration that the query in hand began with.
    private AnswerConfig config;
    private PublishedAnswers published;
    private AnswerSettings settings;
    private QueryGuard guard;
    private @Nullable NamesElsewhere elsewhere;
    private @Nullable ControlMessages control;

    /**
     * An open one: no client is limited, and no cookie is answered.
     *
     * @param counters this thread's shard
     * @param random this thread's generator
     */
    public Answerer(PublishedAnswers published, Counters.Shard<DnsCounter> counters, SplittableRandom random) {
        this(published, AnswerSettings.OPEN, counters, random);
    }

    /**
     * One whose settings stay as they are.
     *
     * @param settings shared by all threads
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
     * One that follows the configuration: every query is answered by the one that is active when it begins.
     *
     * @param active shared by all threads
     * @param counters this thread's shard
     * @param random this thread's generator
     */
    public Answerer(ActiveAnswerConfig active, Counters.Shard<DnsCounter> counters, SplittableRandom random) {
        this(active, counters, random, /* recorder= */ null);
    }

    /**
     * Likewise, one that tells what it has answered.
     *
     * @param recorder this thread's; null if nothing is ever logged
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
        this.guard = settings.protection().guard(counters);
        this.counters = counters;
        this.elsewhere = elsewhere(config, counters);
        this.control = config.control();
        this.context = new QueryContext(published, random);
        this.query = new Query(published.hash());
        this.writer = new ResponseWriter(query, context);
        this.signed = new SignedWriter(writer, new CountedSignatures(counters));
        this.signed.use(published);
        this.tally = new ZoneTally(published.counted());
        this.chain = new AliasChain(query.name().likewise());
        this.resolution = new Resolution(published.hash(), published.current(), writer, signed, context, tally);
    }

    private static @Nullable NamesElsewhere elsewhere(AnswerConfig config, Counters.Shard<DnsCounter> counters) {
        ElsewhereSource source = config.elsewhere();
        return source == null ? null : source.forThread(counters);
    }

    /** Like the other, where no answer can come later: for configurations that refuse names outside the zones. */
    public int answer(byte[] message, int length, Client client, byte[] out, Transport transport) {
        return answer(message, length, client, out, transport, NEVER);
    }

    /**
     * Answers the query in the first {@code length} bytes of {@code message}.
     *
     * @param client who asks
     * @param out takes the response; {@link Edns#MAX_PAYLOAD_BYTES} bytes or more for UDP, {@link
     *     Wire#MAX_MESSAGE_BYTES} for TCP
     * @param deferral keeps the way back to who asks if the answer comes later
     * @return length of the response; 0 if there must be none; {@link #DEFERRED} if it comes later
     */
    public int answer(byte[] message, int length, Client client, byte[] out, Transport transport, Deferral deferral) {
        follow();
        context.asks(client);
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
        return switch (guard.judge(query, client.octets(), client.length(), datagram)) {
            case ANSWER -> begin(verdict, out, transport, deferral);
            case BADCOOKIE -> fail(out, Rcode.BADCOOKIE);
            case TRUNCATE -> truncate(out);
            case DROP -> drop();
        };
    }

    /**
     * Answers a message that {@link ControlMessages} have taken on, as if there were none: another thread has counted it and held it
     * against what its client may have.
     *
     * @return like {@link #answer(byte[], int, Client, byte[], Transport, Deferral)}
     */
    public int answerTaken(
            byte[] message, int length, Client client, byte[] out, Transport transport, Deferral deferral) {
        follow();
        context.asks(client);
        Query.Verdict verdict = query.parse(message, length);
        settings.describe(query.opt(), transport);
        guard.renewCookie(query, client.octets(), client.length());
        return answer(verdict, out, transport, deferral);
    }

    /** Lets go of a configuration that is not active any more. Queries do so themselves; this is for times without any. */
    public void follow() {
        AnswerConfig now = active.current();
        if (now != config) {
            use(now);
        }
    }

    /** Another configuration is active. What this thread has learned of clients stays, unless protection is another. */
    @SuppressWarnings("ReferenceEquality") // another source answers otherwise
    private void use(AnswerConfig next) {
        if (next.settings().protection() != settings.protection()) {
            guard = next.settings().protection().guard(counters);
        }
        if (next.elsewhere() != config.elsewhere()) {
            elsewhere = elsewhere(next, counters);
        }
        config = next;
        control = next.control();
        settings = next.settings();
        published = next.answers();
        context.use(published);
        signed.use(published);
        resolution.use(published.current());
        tally.use(published.counted());
    }

    private int begin(Query.Verdict verdict, byte[] out, Transport transport, Deferral deferral) {
        if (control == null || !query.isControlling()) {
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
                recorder != null && recorder.begins()
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
            told.answered(
                    client.arrivedNanos(),
                    query,
                    client.octets(),
                    client.length(),
                    client.port(),
                    transport.protocol(),
                    how,
                    out,
                    length);
        }
        return length;
    }

    /** How the query in hand is answered; null if that is not told. */
    private @Nullable Decision decision(int rcode) {
        if (zoneBytes == ELSEWHERE) {
            return elsewhere == null ? null : elsewhere.decision();
        }
        switch (rcode) {
            case Rcode.REFUSED -> decision.ofServer(Outcome.REFUSED);
            case Rcode.FORMERR, Rcode.SERVFAIL -> decision.ofServer(Outcome.FAILED);
            default -> decision.ofZone(zoneBytes);
        }
        return decision;
    }

    private int answerQuestion(byte[] out, Transport transport, Deferral deferral) {
        int limit = transport.limit(query);
        int type = query.type();
        countType(type);
        if (type == SecurityType.NXNAME || RecordType.isOfMessages(type)) {
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
        Place place = table.find(name, type, found);
        if (place == null) {
            return elsewhere == null
                    ? refuse(out, EdnsError.NOT_AUTHORITATIVE)
                    : answerElsewhere(elsewhere, out, limit, transport, deferral);
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
        tally.zone(place.zone(), resolution.outcome(rcode));
        if (rcode == Rcode.REFUSED) {
            query.opt().error(EdnsError.OTHER, NO_TIME_TO_SIGN);
            return fail(out, Rcode.REFUSED);
        }
        if (subnetUsed) {
            query.opt().scope(context.location().scope());
        }
        if (resolution.isOutside() && elsewhere != null) {
            int length = follow(elsewhere, subnetUsed, out, limit, transport, deferral);
            if (length != LEFT) {
                return length;
            }
        }
        if (resolution.isOutside()) {
            resolution.endOutside();
        }
        if (writer.isTruncated()) {
            counters.increment(DnsCounter.TRUNCATED);
        }
        boolean own = place.kind() != Place.Kind.DELEGATION;
        int flags = own ? Response.AUTHORITATIVE : 0;
        if (query.isCheckingDisabled() && signs(table, place)) {
            flags |= Response.CHECKING_DISABLED;
        }
        return finish(writer.end(flags, rcode), rcode);
    }

    private int answerElsewhere(NamesElsewhere names, byte[] out, int limit, Transport transport, Deferral deferral) {
        return counted(names.answer(query, context.client(), out, limit, transport, deferral), out);
    }

    /** Has what aliases lead to answered behind them, for clients that want it; they stand in the response that has begun. */
    private int follow(
            NamesElsewhere names, boolean subnetUsed, byte[] out, int limit, Transport transport, Deferral deferral) {
        if (!query.isRecursionDesired() || query.type() == RecordType.ANY) {
            return LEFT;
        }
        boolean isWhole = chain.begin(
                query.questionEnd(),
                out,
                writer.at(),
                writer.answers(),
                resolution.target(),
                resolution.targetAt(),
                Response.AUTHORITATIVE,
                subnetUsed ? context.location().scope() : 0);
        int length = isWhole ? names.follow(chain, query, context.client(), out, limit, transport, deferral) : LEFT;
        return length == LEFT ? LEFT : counted(length, out);
    }

    /** Counts what was answered elsewhere. */
    private int counted(int length, byte[] out) {
        zoneBytes = ELSEWHERE;
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

    private boolean signs(AnswerTable table, Place place) {
        return context.isDnssecOk() && table.zone(place.zone()).hasSignatures();
    }

    /** What the server says about itself, as it is configured. */
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

    /** Finds out where the client is, if a resolver that is believed tells; returns whether it does. */
    private boolean locate() {
        EdnsSubnet subnet = query.edns().subnet();
        if (!subnet.isPresent() || !settings.trusts(context.client())) {
            return false;
        }
        context.location().at(subnet.octets(), subnet.hasAddress() ? subnet.length() : 0);
        return true;
    }

    private int refuse(byte[] out, EdnsError why) {
        query.opt().error(why);
        return fail(out, Rcode.REFUSED);
    }

    /** Tells a client that gets too much to come back over TCP. */
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
